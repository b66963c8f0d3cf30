/** One plot: some channels over time, with a cursor that all plots share. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Field } from "../../src/model/field.ts";
import { inks } from "../instruments/draw.ts";
import { studio, useShown } from "../studio.ts";
import { COLOURS, type Range, shownUnit } from "./scales.ts";

interface PaneProps {
  readonly fields: readonly Field[];
  readonly range: Range;
  onZoom(from: number, to: number): void;
  onLook(t: number | undefined): void;
}

const HEIGHT = 150;
/** Between questions for data while it flies [ms]. */
const PERIOD = 120;

export function Pane({ fields, range, onZoom, onLook }: PaneProps) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ range, onZoom, onLook });
  latest.current = { range, onZoom, onLook };
  const isDark = useShown((s) => s.isDark);
  const key = fields.map((f) => f.name).join();
  useEffect(() => {
    const element = host.current as HTMLDivElement;
    const { text, dim } = inks();
    const line = getComputedStyle(document.documentElement).getPropertyValue("--line");
    const units = [...new Set(fields.map((f) => shownUnit(f).unit))];
    const axis = { stroke: dim, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: "time" }, drag: { x: true, y: false, setScale: false } },
        scales: { x: { time: false } },
        series: [
          {},
          ...fields.map((f, i) => ({
            label: f.name,
            scale: shownUnit(f).unit,
            stroke: COLOURS[i % COLOURS.length],
            width: 1.5,
            dash: i >= COLOURS.length ? [6, 4] : undefined,
            points: { show: false },
          })),
        ],
        axes: [
          { ...axis, size: 26 },
          ...units.slice(0, 2).map((unit, i) => ({
            ...axis,
            scale: unit,
            side: i === 0 ? 3 : 1,
            size: 48,
            grid: { stroke: line, width: 1, show: i === 0 },
            label: unit === "1" ? undefined : unit,
            labelSize: 14,
            labelFont: "11px system-ui",
          })),
        ],
        hooks: {
          setSelect: [
            (u) => {
              if (u.select.width < 4) return;
              const from = u.posToVal(u.select.left, "x");
              const to = u.posToVal(u.select.left + u.select.width, "x");
              u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
              latest.current.onZoom(from, to);
            },
          ],
        },
      },
      [[], ...fields.map(() => [])],
      element,
    );
    // Only the plot under the pointer asks for a look; the others follow its line.
    const move = () => {
      const { left, idx } = plot.cursor;
      if (left !== undefined && left >= 0 && idx != null) latest.current.onLook(plot.posToVal(left, "x"));
    };
    const leave = () => latest.current.onLook(undefined);
    plot.over.addEventListener("mousemove", move);
    plot.over.addEventListener("mouseleave", leave);
    plot.over.addEventListener("dblclick", () => latest.current.onZoom(Number.NaN, Number.NaN));
    plot.over.style.color = text;
    const names = fields.map((f) => f.name);
    const factors = fields.map((f) => shownUnit(f).factor);
    let isGone = false;
    let asked = "";
    const refresh = async () => {
      const { frame, info } = studio.shown;
      if (!frame || !info || isGone) return;
      const end = frame.end * info.controlDt;
      const [from, to] = latest.current.range.of(end);
      const most = 2 * Math.max(200, element.clientWidth);
      const question = `${from} ${to} ${frame.end} ${info.name} ${frame.hash}`;
      if (question !== asked) {
        asked = question;
        const { t, columns } = await studio.session.query({ type: "history", names, from, to, most });
        if (isGone) return;
        plot.setData(
          [t, ...columns.map((c, i) => (factors[i] === 1 ? c : c.map((v) => v * factors[i])))],
          false,
        );
        plot.batch(() => {
          for (const unit of units) plot.setScale(unit, bounds(plot, unit));
          plot.setScale("x", { min: from, max: Math.max(to, from + 1e-3) });
        });
      }
    };
    let timer = 0;
    const loop = async () => {
      await refresh().catch(() => {});
      if (!isGone) timer = window.setTimeout(loop, PERIOD);
    };
    void loop();
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watch.observe(element);
    return () => {
      isGone = true;
      clearTimeout(timer);
      watch.disconnect();
      plot.destroy();
      leave();
    };
  }, [key, isDark]);
  return (
    <div ref={host} role="img" aria-label={`plot of ${fields.map((f) => f.name).join(", ")} over time`} />
  );
}

/** Room around all series of a scale. */
function bounds(plot: uPlot, scale: string): { min: number; max: number } {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  plot.series.forEach((s, i) => {
    if (i === 0 || s.scale !== scale) return;
    for (const v of plot.data[i]) {
      if (v == null || !Number.isFinite(v)) continue;
      if (v < min) min = v;
      if (v > max) max = v;
    }
  });
  if (!(min <= max)) return { min: 0, max: 1 };
  const room = max > min ? 0.06 * (max - min) : Math.max(0.05 * Math.abs(max), 0.1);
  return { min: min - room, max: max + room };
}
