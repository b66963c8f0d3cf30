/** Steady motions along an axis as a table and as curves. */
import type { Steady } from "../analysis/sweep.ts";
import { svgPanel } from "../formats/svg-chart.ts";
import { DEGREE, readable } from "./number-format.ts";

/** Columns of a table of steady motions, shown where present. */
const COLUMNS: readonly (readonly [string, string])[] = [
  ["airspeed", "m/s"],
  ["speed", "m/s"],
  ["sink", "m/s"],
  ["glide", "1"],
  ["alpha", "rad"],
  ["beta", "rad"],
  ["pitch", "rad"],
  ["roll", "rad"],
  ["turn", "rad/s"],
  ["radius", "m"],
  ["lateral", "m/s^2"],
  ["understeer", "rad"],
  ["load_factor", "1"],
  ["power", "W"],
  ["stall_margin", "rad"],
];

export function steadyTable(rows: readonly Steady[], name: string, unit: string) {
  const shown = COLUMNS.filter(([key]) => key !== name && rows.some((r) => Number.isFinite(r.numbers[key])));
  const head = (key: string, u: string) => (u === "1" ? key : `${key} [${u.replace("rad", "deg")}]`);
  const cell = (v: number, u: string) => (Number.isFinite(v) ? readable(v, u).split(" ")[0] : "");
  const hasMargin = rows.some((r) => r.control_margin !== undefined);
  return {
    header: [
      head(name, unit),
      ...shown.map(([k, u]) => head(k, u)),
      ...(hasMargin ? ["control margin [%]"] : []),
    ],
    rows: rows.map((r) => [
      cell(r.values[0], unit),
      ...shown.map(([k, u]) => cell(r.numbers[k] ?? Number.NaN, u)),
      ...(hasMargin ? [((r.control_margin ?? 0) * 100).toFixed(0)] : []),
    ]),
  };
}

export function curves(rows: readonly Steady[], name: string, unit: string): string[] {
  const isAngle = unit.startsWith("rad");
  const x = rows.map((r) => r.values[0] / (isAngle ? DEGREE : 1));
  const label = `${name} [${isAngle ? unit.replace("rad", "deg") : unit}]`.replace(" [1]", "");
  const wanted = COLUMNS.filter(([key]) => key !== name && spread(rows.map((r) => r.numbers[key])) > 1e-6);
  return wanted.slice(0, 8).map(([key, u]) => {
    const scale = u.startsWith("rad") ? 1 / DEGREE : 1;
    return svgPanel({
      title: key.replaceAll("_", " "),
      xLabel: label,
      yLabel: u === "1" ? key : `[${u.replace("rad", "deg")}]`,
      series: [{ name: key, x, y: rows.map((r) => r.numbers[key] * scale) }],
    });
  });
}

function spread(list: readonly number[]): number {
  const known = list.filter(Number.isFinite);
  return known.length === 0 ? 0 : Math.max(...known) - Math.min(...known);
}
