/** A map in colours over two axes, as SVG of one panel's size. */
import { escapeXml, svgPicture } from "./svg-chart.ts";

interface ColourMap {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Row by row of y; NaN stays blank. */
  readonly values: readonly number[];
}

/** From dark blue through green to yellow: even in brightness, for any colour vision (as viridis). */
const SCALE = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
];

function colour(part: number): string {
  const at = Math.max(0, Math.min(1, part)) * (SCALE.length - 1);
  const i = Math.min(SCALE.length - 2, Math.floor(at));
  const mixed = SCALE[i].map((v, k) => Math.round(v + (at - i) * (SCALE[i + 1][k] - v)));
  return `rgb(${mixed.join(" ")})`;
}

const round = (v: number) => Math.round(v * 10) / 10;
const label = (v: number) => String(Number(v.toPrecision(3)));

export function svgMap({ title, xLabel, yLabel, xs, ys, values }: ColourMap): string {
  const known = values.filter(Number.isFinite);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return svgPicture(title, ({ left, top, width, height }) => {
    const w = (width - 70) / xs.length;
    const h = height / ys.length;
    const cells = values.map((v, k) => {
      if (!Number.isFinite(v)) return "";
      const [i, j] = [k % xs.length, Math.floor(k / xs.length)];
      const part = high > low ? (v - low) / (high - low) : 0.5;
      return `<rect x="${round(left + i * w)}" y="${round(top + height - (j + 1) * h)}" width="${round(w + 0.3)}" height="${round(h + 0.3)}" fill="${colour(part)}"/>`;
    });
    /** All where there are few, else five. */
    const along = (list: readonly number[]) =>
      list.length <= 8 ? list.map((_, i) => i / Math.max(1, list.length - 1)) : [0, 0.25, 0.5, 0.75, 1];
    const pick = (list: readonly number[], f: number) => list[Math.round(f * (list.length - 1))];
    const centre = (list: readonly number[], f: number) => Math.round(f * (list.length - 1)) + 0.5;
    const bar = left + width - 50;
    const inner = width - 70;
    return [
      `<rect x="${left}" y="${top}" width="${inner}" height="${height}" fill="#eee"/>`,
      ...cells,
      `<rect x="${left}" y="${top}" width="${inner}" height="${height}" fill="none" stroke="#999"/>`,
      ...along(xs).map(
        (f) =>
          `<text x="${round(left + centre(xs, f) * w)}" y="${top + height + 16}" text-anchor="middle" fill="#555">${label(pick(xs, f))}</text>`,
      ),
      ...along(ys).map(
        (f) =>
          `<text x="${left - 6}" y="${round(top + height - centre(ys, f) * h + 4)}" text-anchor="end" fill="#555">${label(pick(ys, f))}</text>`,
      ),
      `<text x="${left + inner / 2}" y="${top + height + 34}" text-anchor="middle">${escapeXml(xLabel)}</text>`,
      `<text transform="translate(14 ${top + height / 2}) rotate(-90)" text-anchor="middle">${escapeXml(yLabel)}</text>`,
      ...Array.from(
        { length: 32 },
        (_, k) =>
          `<rect x="${bar}" y="${round(top + height - ((k + 1) * height) / 32)}" width="12" height="${round(height / 32 + 0.5)}" fill="${colour((k + 0.5) / 32)}"/>`,
      ),
      ...[0, 0.5, 1].map(
        (f) =>
          `<text x="${bar + 16}" y="${round(top + height * (1 - f) + 4)}" fill="#555">${label(low + f * (high - low))}</text>`,
      ),
    ].join("");
  });
}
