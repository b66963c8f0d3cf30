import type { Command } from "commander";
import { usualRange } from "../analysis/envelope.ts";
import { brakePolar, extreme, type Glide, glidePolar, hasBrakes } from "../analysis/polar.ts";
import { growing, TOO_FAST } from "../analysis/stability.ts";
import { type Axis, axisOf, type Steady, type SweepRequest, sweep, valuesOf } from "../analysis/sweep.ts";
import { findTrim } from "../analysis/trim-search.ts";
import type { Piece } from "../formats/html-page.ts";
import { svgPanel } from "../formats/svg-chart.ts";
import { RunError } from "../simulation/divergence.ts";
import { aeroPolar, anglesBetween, hasLift } from "../vehicle-types/aircraft/aero-polar.ts";
import { asAircraft } from "../vehicle-types/aircraft.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { addConditionFlags, readSteady, type SteadyOptions } from "./conditions.ts";
import { DEGREE, degrees, plain, readable } from "./number-format.ts";
import { addReportFlags, type Report, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { curves, steadyTable } from "./steady-table.ts";
import { readSweepFlags, refuseOverlap } from "./sweep-flags.ts";
import { obstacles } from "./trim.ts";

const ROWS = 21;

interface Options extends SteadyOptions, ReportOptions {
  readonly over?: string;
}

export function addPolar(program: Command): void {
  const command = program
    .command("polar")
    .description(
      "steady flight over a control or a condition: glide of parafoils and aircraft, lift and drag, best glide",
    )
    .argument("<vehicle>", "a vehicle's name or file");
  addConditionFlags(command).option(
    "--over <name[=from..to]>",
    "what is varied: a control (servo_3), several (brake_left+brake_right), or airspeed, climb, turn, bank, sideslip",
  );
  addReportFlags(command, "the curves")
    .addHelpText(
      "after",
      `
Examples:
  sideslip polar parafoil
  sideslip polar advanced-plane --out polar.svg
  sideslip polar x500 --over airspeed=0..20
  sideslip polar parafoil --over brake_left --set brake_right=0.2
Without --over: parafoils over brake, aircraft their coefficients and their glide with stopped rotors.
`,
    )
    .action(polarCommand);
}

async function polarCommand(name: string, options: Options): Promise<void> {
  validateReportFlags(options);
  const { vehicle, condition, held } = await readSteady(name, options);
  const isPlain = Object.keys(condition).length === 0 && Object.keys(held).length === 0;
  if (options.over === undefined && isPlain) {
    const aircraft = asAircraft(vehicle);
    if (hasBrakes(vehicle)) return report(vehicle, brakes(vehicle), options);
    if (aircraft && hasLift(aircraft)) return report(vehicle, coefficients(aircraft), options);
  }
  // A given condition is not varied.
  const { polar: usual = ["speed"] } = vehicle.type.sweepAxes?.(vehicle) ?? {};
  const open = usual.find((name) => !((name === "airspeed" ? "speed" : name) in condition)) ?? usual[0];
  const text = options.over ?? (hasBrakes(vehicle) ? "brake" : open);
  const { axis, from, to } = readSweepFlags(vehicle, text, "--over");
  const base = { condition, held };
  refuseOverlap([{ axis }], base);
  const [low, high] = from === undefined || to === undefined ? usualRange(vehicle, axis, base) : [from, to];
  const values = valuesOf(axis, low, high, ROWS);
  const rows = sweep(vehicle, axis, values, base);
  if (rows.length === 0)
    throw new RunError(
      `${vehicle.name} has no steady motion over ${axis.name} from ${readable(low, axis.unit)} to ${readable(high, axis.unit)}; sideslip trim shows why`,
    );
  const beyond = from === undefined ? endsOf(axis, low, high) : { values: [], notes: [] };
  report(
    vehicle,
    {
      title: `${vehicle.name}: steady motion over ${axis.name}`,
      pieces: [
        { table: steadyTable(rows, axis.name, axis.unit) },
        ...unstable(vehicle, rows, axis.name),
        ...breaks(rows, axis),
        ...gaps(vehicle, axis, base, values, rows),
        ...beyond.notes.map((text) => ({ text })),
        ...beyond.values.flatMap((v) => gaps(vehicle, axis, base, [v], rows)),
      ],
      drawn: () => [{ pictures: curves(rows, axis.name, axis.unit) }],
      json: rows.map(({ values, numbers, control_margin }) => ({
        [axis.name]: values[0],
        ...numbers,
        control_margin,
      })),
    },
    options,
  );
}

/** Discontinuities between neighbouring rows. */
function breaks(rows: readonly Steady[], axis: Axis): Piece[] {
  return rows.flatMap((row, i) =>
    row.isBreak
      ? [
          {
            text: `BREAK between ${axis.name} ${readable(rows[i - 1].values[0], axis.unit)} and ${readable(row.values[0], axis.unit)}: no steady motion connects these two solutions`,
          },
        ]
      : [],
  );
}

/** Values just beyond the range found, to diagnose there; and notes where the search range was limited. */
function endsOf(axis: Axis, low: number, high: number): { values: number[]; notes: string[] } {
  const step = 0.02 * Math.max(high - low, 1e-3);
  // Bends are looked at from none on, since the other way is the mirror image.
  const fromNone = ["turn", "lateral", "bank"].includes(axis.name) && low === 0;
  const isEdge = [
    fromNone || low <= Math.max(axis.low, -axis.usual),
    high >= Math.min(axis.high, axis.usual),
  ];
  const isCapped = [!fromNone && low > axis.low && isEdge[0], high < axis.high && isEdge[1]];
  return {
    values: [low - step, high + step].filter((_, i) => !isEdge[i]),
    notes: [low, high].flatMap((v, i) =>
      isCapped[i]
        ? [
            `${axis.name} was searched only to ${readable(v, axis.unit)}; give --over a range to search further`,
          ]
        : [],
    ),
  };
}

/** Values without a solution, by contiguous ranges, each with the reason. */
function gaps(
  vehicle: Vehicle,
  axis: Axis,
  base: SweepRequest,
  values: readonly number[],
  rows: readonly Steady[],
): Piece[] {
  const stretches: number[][] = [];
  let isGap = false;
  for (const v of values) {
    const isMissing = !rows.some((r) => r.values[0] === v);
    if (isMissing && isGap) stretches[stretches.length - 1].push(v);
    else if (isMissing) stretches.push([v]);
    isGap = isMissing;
  }
  return stretches.flatMap((list): Piece[] => {
    // Diagnose the value next to one that trims.
    const isBefore = rows.length > 0 && list[0] < rows[0].values[0];
    const asked = axis.at(isBefore ? list[list.length - 1] : list[0]);
    const condition = { ...base.condition, ...asked.condition };
    // The climb rate cannot exceed the airspeed.
    if (condition.speed !== undefined && Math.abs(condition.climb ?? 0) >= condition.speed) return [];
    const found = findTrim(vehicle, condition, { ...base.held, ...asked.held });
    const span = [list[0], list[list.length - 1]].map((v) => readable(v, axis.unit));
    const where = list.length === 1 ? `at ${span[0]}` : `from ${span[0]} to ${span[1]}`;
    return [
      {
        text: `${axis.name} ${where}: ${found.isTrimmed ? "a solution exists, but this sweep did not reach it" : `no steady motion (${obstacles(vehicle, found)})`}`,
      },
    ];
  });
}

/** A warning where steady points are unstable and diverge fast. */
function unstable(vehicle: Vehicle, rows: readonly Steady[], name: string): Piece[] {
  const list = rows.flatMap((r) => {
    const mode = growing(vehicle, r.found);
    const double = mode?.double ?? Number.POSITIVE_INFINITY;
    return double < TOO_FAST ? [{ value: r.values[0], mode: mode?.name, double }] : [];
  });
  if (list.length === 0) return [];
  const worst = list.reduce((a, b) => (b.double < a.double ? b : a));
  return [
    {
      text:
        `UNSTABLE at ${list.length} of ${rows.length} settings: ${worst.mode} doubles in ${readable(worst.double, "s")} at ${name} ${plain(worst.value, "1")}; ` +
        "the vehicle leaves this motion unless it is controlled",
    },
  ];
}

/** A parafoil over symmetric brake. */
function brakes(vehicle: Vehicle): Report {
  const found = brakePolar(vehicle);
  if (found.length === 0)
    throw new RunError(
      `${vehicle.name} has no steady glide at any brake; sideslip trim ${vehicle.name} shows why`,
    );
  const axis = axisOf(vehicle, "brake");
  const base = { condition: {}, held: {} };
  const rows = sweep(
    vehicle,
    axis,
    found.map((r) => r.brake),
    base,
  );
  const best = extreme(vehicle, axis, base, rows, (s) => s.numbers.glide);
  const least = extreme(vehicle, axis, base, rows, (s) => -s.numbers.sink);
  return {
    title: `${vehicle.name}: steady glide over symmetric brake`,
    pieces: [
      {
        table: {
          header: [
            "brake",
            "horizontal speed [m/s]",
            "airspeed [m/s]",
            "sink [m/s]",
            "glide",
            "alpha [deg]",
            "pitch [deg]",
            "bank [deg]",
            "sideslip [deg]",
          ],
          rows: found.map((r) => [
            r.brake.toFixed(1),
            r.horizontal_speed.toFixed(3),
            r.airspeed.toFixed(3),
            r.sink.toFixed(3),
            r.glide.toFixed(2),
            degrees(r.alpha),
            degrees(r.pitch),
            degrees(r.roll),
            degrees(r.beta),
          ]),
        },
      },
      ...unstable(vehicle, rows, "brake"),
      ...(found.length < 11
        ? [{ text: `${11 - found.length} of 11 brake settings do not trim and are omitted` }]
        : []),
      {
        text: `best glide ${best.numbers.glide.toFixed(2)} at brake ${best.values[0].toFixed(2)}; minimum sink ${least.numbers.sink.toFixed(3)} m/s at brake ${least.values[0].toFixed(2)}`,
      },
    ],
    drawn: () => [{ pictures: curves(rows, "brake", "1") }],
    json: found.map((r, i) => ({ ...r, doubles_in: growing(vehicle, rows[i].found)?.double })),
  };
}

/** Coefficients over angle of attack, and the glide that follows from them. */
function coefficients(vehicle: Vehicle<AircraftParameters>): Report {
  const near = aeroPolar(vehicle, anglesBetween(-10 * DEGREE, 24 * DEGREE, 17));
  const glide = glidePolar(vehicle);
  return {
    title: `${vehicle.name}: area ${near.area.toPrecision(4)} m^2, chord ${near.chord.toPrecision(4)} m`,
    pieces: [
      { heading: "Coefficients, controls neutral, rotors stopped" },
      {
        table: {
          header: ["alpha [deg]", "CL", "CD", "CL/CD", "Cm"],
          rows: near.rows.map((r) => [
            (r.alpha / DEGREE).toFixed(1),
            r.CL.toFixed(4),
            r.CD.toFixed(4),
            (r.CL / r.CD).toFixed(2),
            r.Cm.toFixed(4),
          ]),
        },
      },
      ...glidePieces(glide),
    ],
    drawn: () => [
      { pictures: coefficientCurves(vehicle) },
      ...(glide ? [{ pictures: curves(glide.rows, "airspeed", "m/s") }] : []),
    ],
    json: {
      ...near,
      glide: glide?.rows.map((r) => r.numbers),
      performance: glide && {
        best_glide: glide.best.numbers,
        minimum_sink: glide.minimum_sink.numbers,
        slowest: glide.slowest.numbers,
      },
    },
  };
}

function glidePieces(glide: Glide | undefined): Piece[] {
  if (glide === undefined)
    return [{ text: "with its rotors stopped it does not glide; sideslip trim shows why" }];
  const { best, minimum_sink, slowest, rows } = glide;
  const limit =
    slowest.numbers.stall_margin < 0.5 * DEGREE ? "stall speed" : `slowest ${slowestReason(glide)}`;
  return [
    { heading: "Glide, rotors stopped" },
    { table: steadyTable(rows, "airspeed", "m/s") },
    {
      text:
        `best glide ${best.numbers.glide.toFixed(2)} at ${best.numbers.airspeed.toFixed(2)} m/s; minimum sink ${minimum_sink.numbers.sink.toFixed(3)} m/s at ` +
        `${minimum_sink.numbers.airspeed.toFixed(2)} m/s; ${limit} ${slowest.numbers.airspeed.toFixed(2)} m/s`,
    },
  ];
}

/** What limits the lowest speed: a control at its limit, or maximum trimmed lift below the stall angle. */
function slowestReason({ slowest }: Glide): string {
  return (slowest.control_margin ?? 1) < 0.005
    ? "(a control reaches its limit before the stall)"
    : "(maximum trimmed lift, below the angle alpha_stall)";
}

/** Coefficients from -180 to 180 deg, and the drag polar in attached flow. */
function coefficientCurves(vehicle: Vehicle<AircraftParameters>): string[] {
  const { rows } = aeroPolar(vehicle, anglesBetween(-180 * DEGREE, 180 * DEGREE, 720));
  const near = aeroPolar(vehicle, anglesBetween(-10 * DEGREE, 20 * DEGREE, 120)).rows;
  const alpha = rows.map((r) => r.alpha / DEGREE);
  const over = (title: string, yLabel: string, pick: (r: (typeof rows)[number]) => number) => ({
    title,
    xLabel: "angle of attack [deg]",
    yLabel,
    series: [{ name: vehicle.name, x: alpha, y: rows.map(pick) }],
  });
  return [
    over("lift", "CL", (r) => r.CL),
    over("drag", "CD", (r) => r.CD),
    over("pitch about the centre of mass", "Cm", (r) => r.Cm),
    {
      title: "drag polar, -10 to 20 deg",
      xLabel: "CD",
      yLabel: "CL",
      series: [{ name: vehicle.name, x: near.map((r) => r.CD), y: near.map((r) => r.CL) }],
    },
  ].map(svgPanel);
}
