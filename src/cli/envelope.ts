import type { Command } from "commander";
import { type EnvelopeMap, envelopeMap, usualAxes, usualRange } from "../analysis/envelope.ts";
import { valuesOf } from "../analysis/sweep.ts";
import type { Piece } from "../formats/html-page.ts";
import { svgMap } from "../formats/svg-map.ts";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import { addConditionFlags, readSteady, type SteadyOptions } from "./conditions.ts";
import { addNumberFlags, readNumberFlags } from "./number-flags.ts";
import { readable } from "./number-format.ts";
import { Progress } from "./progress.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { readSweepFlags, refuseOverlap } from "./sweep-flags.ts";

interface Options extends SteadyOptions, ReportOptions {
  readonly over?: string;
  readonly and?: string;
}

const FLAGS = { steps: { unit: "1", meaning: "values along each axis (default 21)", min: 2, max: 200 } };

export function addEnvelope(program: Command): void {
  const command = program
    .command("envelope")
    .description("map of steady motion over two controls or conditions, with stall margin and control margin")
    .argument("<vehicle>", "a vehicle's name or file")
    .option(
      "--over <name[=from..to]>",
      "horizontal axis: a control, or airspeed, climb, turn, bank, sideslip; cars speed, lateral",
    )
    .option("--and <name[=from..to]>", "vertical axis: another one");
  addNumberFlags(addConditionFlags(command), FLAGS);
  addReportFlags(command, "the maps")
    .addHelpText(
      "after",
      `
Examples:
  sideslip envelope parafoil --out envelope.svg
  sideslip envelope advanced-plane --over airspeed=8..24 --and climb=-3..3
  sideslip envelope formula-student --report limits.html
`,
    )
    .action(envelopeCommand);
}

async function envelopeCommand(name: string, options: Options): Promise<void> {
  validateReportFlags(options);
  const { steps = 21 } = readNumberFlags(FLAGS, options);
  if (!Number.isInteger(steps))
    throw new InputError("is not a whole number", { field: "--steps", value: steps, allowed: "2 to 200" });
  const { vehicle, condition, held } = await readSteady(name, options);
  const usual = usualAxes(vehicle);
  const wanted = [
    readSweepFlags(vehicle, options.over ?? usual[0], "--over"),
    readSweepFlags(
      vehicle,
      options.and ?? (options.over?.startsWith(usual[1]) ? usual[0] : usual[1]),
      "--and",
    ),
  ];
  const base = { condition, held };
  refuseOverlap(wanted, base);
  const progress = new Progress();
  const [xs, ys] = wanted.map(({ axis, from, to }) => {
    const [low, high] = from === undefined || to === undefined ? usualRange(vehicle, axis, base) : [from, to];
    return valuesOf(axis, low, high, steps);
  });
  const map = envelopeMap(vehicle, wanted[0].axis, wanted[1].axis, xs, ys, base, (done) =>
    progress.update(done, ys.length, `row ${done} of ${ys.length}`),
  );
  progress.clear();
  const count = map.cells.filter((c) => c !== undefined).length;
  if (count === 0)
    throw new RunError(`${vehicle.name} has no steady motion in this range; sideslip trim shows why`);
  report(
    vehicle,
    {
      title: `${vehicle.name}: steady motion over ${map.x.name} and ${map.y.name}`,
      pieces: [
        ...endOfSearch(map),
        { text: `${count} of ${map.cells.length} points are steady: ${span(map, "x")}, ${span(map, "y")}` },
        {
          table: {
            header: ["point", "value", `at ${map.x.name}`, `and ${map.y.name}`],
            rows: map.named.map(({ name: what, value, unit, at }) => [
              what,
              readable(value, unit),
              readable(at.values[0], map.x.unit),
              readable(at.values[1], map.y.unit),
            ]),
          },
        },
      ],
      drawn: () => [{ pictures: maps(map) }],
      json: envelopeJson(vehicle.name, map),
    },
    options,
  );
}

/** Notes: axes whose search range was limited, and points beyond the stall. */
function endOfSearch({ x, y, xs, ys, cells }: EnvelopeMap): Piece[] {
  const capped = [[x, xs] as const, [y, ys] as const].filter(
    ([axis, values]) => values[values.length - 1] === axis.usual,
  );
  const stalled = cells.filter((c) => (c?.numbers.stall_margin ?? 0) < 0).length;
  return [
    ...capped.map(([axis]) => ({
      text: `${axis.name} was searched only up to ${readable(axis.usual, axis.unit)}; give --over or --and a range to search further`,
    })),
    ...(stalled > 0 ? [{ text: `${stalled} points are beyond the stall; the table leaves them out` }] : []),
  ];
}

function span({ x, y, xs, ys }: EnvelopeMap, which: "x" | "y"): string {
  const [axis, values] = which === "x" ? [x, xs] : [y, ys];
  return `${axis.name} ${readable(values[0], axis.unit)} to ${readable(values[values.length - 1], axis.unit)}`;
}

const SHOWN: readonly (readonly [string, string])[] = [
  ["stall_margin", "deg"],
  ["control_margin", "%"],
  ["sink", "m/s"],
  ["glide", ""],
  ["turn", "deg/s"],
  ["alpha", "deg"],
  ["power", "W"],
  ["understeer", "deg"],
  ["load_factor", ""],
];

/** Those that vary. */
function maps({ x, y, xs, ys, cells }: EnvelopeMap): string[] {
  const scaled = (v: number, unit: string) =>
    unit.startsWith("deg") ? (v * 180) / Math.PI : unit === "%" ? 100 * v : v;
  const axis = ({ name, unit }: { name: string; unit: string }) =>
    unit === "1" ? name : `${name} [${unit.replace("rad", "deg")}]`;
  const shown = (list: readonly number[], unit: string) =>
    unit.startsWith("rad") ? list.map((v) => (v * 180) / Math.PI) : list;
  return SHOWN.flatMap(([key, unit]) => {
    const values = cells.map((c) => {
      const v = key === "control_margin" ? c?.control_margin : c?.numbers[key];
      return v === undefined ? Number.NaN : scaled(v, unit);
    });
    const known = values.filter(Number.isFinite);
    const isSame = known.length === 0 || Math.max(...known) - Math.min(...known) < 1e-6;
    if (isSame || key === x.name || key === y.name) return [];
    return [
      svgMap({
        title: `${key.replaceAll("_", " ")}${unit ? ` [${unit}]` : ""}`,
        xLabel: axis(x),
        yLabel: axis(y),
        xs: shown(xs, x.unit),
        ys: shown(ys, y.unit),
        values,
      }),
    ];
  }).slice(0, 6);
}

function envelopeJson(vehicle: string, { x, y, xs, ys, cells, named }: EnvelopeMap) {
  return {
    vehicle,
    x: { name: x.name, unit: x.unit, values: xs },
    y: { name: y.name, unit: y.unit, values: ys },
    cells: cells.map((c, k) => ({
      [x.name]: xs[k % xs.length],
      [y.name]: ys[Math.floor(k / xs.length)],
      steady: c !== undefined,
      ...c?.numbers,
      ...(c?.control_margin === undefined ? {} : { control_margin: c.control_margin }),
    })),
    named: named.map(({ name, value, unit, at }) => ({
      name,
      value,
      unit,
      at: { [x.name]: at.values[0], [y.name]: at.values[1] },
    })),
  };
}
