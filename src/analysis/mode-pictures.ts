/** Modes as pictures: eigenvalues in the complex plane, and the shape of each as arrows. */

import { escapeXml, type Panel, svgPanel, svgPicture } from "../formats/svg-chart.ts";
import { cos, sin } from "../math/elementary.ts";
import type { Field } from "../model/field.ts";
import type { Mode } from "./modes.ts";

/** The eigenvalues, both of each pair, the slow ones apart where fast ones would hide them; without the lags of actuators. */
export function eigenvaluePictures(all: readonly Mode[]): string[] {
  const modes = all.filter((m) => !m.name.startsWith("lag of"));
  const fastest = Math.max(...modes.map((m) => m.frequency));
  const slow = modes.filter((m) => m.frequency < 0.1 * fastest);
  const panel = (title: string, list: readonly Mode[]): Panel => ({
    title,
    xLabel: "real part [1/s]: negative is stable",
    yLabel: "imaginary part [rad/s]",
    series: [
      ...list.map((m) => ({
        name: m.name,
        x: [m.eigenvalue.re, m.eigenvalue.re],
        y: [m.eigenvalue.im, -m.eigenvalue.im],
        cross: true,
      })),
      { name: "", x: [0, 0], y: axis(list), colour: "#999" },
    ],
  });
  return [
    svgPanel(panel("Eigenvalues", modes)),
    ...(slow.length > 0 && slow.length < modes.length
      ? [svgPanel(panel("Eigenvalues, the slow ones", slow))]
      : []),
  ];
}

const axis = (list: readonly Mode[]) => {
  const most = Math.max(1e-3, ...list.map((m) => m.eigenvalue.im));
  return [-most, most];
};

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
const MOST_ARROWS = 6;

/** The shape of a mode as phasors: an arrow per state, each over its typical size. */
export function shapePicture(mode: Mode, states: readonly Field[], size: (f: Field) => number): string {
  return svgPicture(mode.name, ({ left, top, width, height }) => {
    const cx = left + 0.28 * width;
    const cy = top + height / 2;
    const radius = 0.46 * height;
    const arrows = states
      .map((f, i) => ({ f, length: mode.shape.magnitude[i] / size(f), phase: mode.shape.phase[i] }))
      .sort((a, b) => b.length - a.length)
      .slice(0, MOST_ARROWS)
      .filter((a, _, all) => a.length > 0.01 * all[0].length);
    const longest = arrows[0].length;
    const circle = `<circle cx="${cx}" cy="${cy}" r="${radius}" fill="none" stroke="#ddd"/><path d="M${cx - radius} ${cy}h${2 * radius}M${cx} ${cy - radius}v${2 * radius}" stroke="#eee"/>`;
    const drawn = arrows.map(({ f, length, phase }, k) => {
      const r = (radius * length) / longest;
      const [x, y] = [cx + r * cos(phase), cy - r * sin(phase)];
      const [ux, uy] = [cos(phase), -sin(phase)];
      const tip = `M${n(x - 7 * ux - 4 * uy)} ${n(y - 7 * uy + 4 * ux)}L${n(x)} ${n(y)}L${n(x - 7 * ux + 4 * uy)} ${n(y - 7 * uy - 4 * ux)}`;
      const colour = COLOURS[k];
      const share = `${f.name}  ${((100 * length) / longest).toFixed(0)} %, ${((phase * 180) / Math.PI).toFixed(0)} deg`;
      const ly = top + 26 + 22 * k;
      return (
        `<path d="M${n(cx)} ${n(cy)}L${n(x)} ${n(y)}${tip}" fill="none" stroke="${colour}" stroke-width="2"/>` +
        `<path d="M${left + 0.6 * width} ${ly}h18" stroke="${colour}" stroke-width="3"/><text x="${left + 0.6 * width + 26}" y="${ly + 4}">${escapeXml(share)}</text>`
      );
    });
    return circle + drawn.join("");
  });
}

const n = (v: number) => Math.round(v * 10) / 10;
