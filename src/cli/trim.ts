import type { Command } from "commander";
import { controlBars } from "../analysis/control-bars.ts";
import { flightNumbers, stallMargin } from "../analysis/flight-numbers.ts";
import { growing } from "../analysis/stability.ts";
import { controlMargin } from "../analysis/sweep.ts";
import { type Diagnosis, diagnose } from "../analysis/trim-diagnosis.ts";
import { findTrim, otherBranches, type TrimResult } from "../analysis/trim-search.ts";
import type { Piece } from "../formats/html-page.ts";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { addConditionFlags, readSteady, type Steady, type SteadyOptions } from "./conditions.ts";
import { OutputFile } from "./files.ts";
import { plain, readable } from "./number-format.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { print, say } from "./terminal.ts";

interface Options extends SteadyOptions, ReportOptions {
  readonly save?: string;
}

export function addTrim(program: Command): void {
  const command = program
    .command("trim")
    .description(
      "steady flight, glide, climb, turn, hover or cornering: attitude, controls and control margins",
    )
    .argument("<vehicle>", "a vehicle's name or file");
  addReportFlags(addConditionFlags(command), "the controls between their limits")
    .option("--save <file>", "write states and inputs (.json), for --state of explain, linearize and modes")
    .addHelpText(
      "after",
      `
Examples:
  sideslip trim advanced-plane --airspeed 15 --turn "20 deg/s"
  sideslip trim parafoil --set brake_left=0.3
  sideslip trim formula-student --speed 12 --lateral 8
Defaults: level and straight at the vehicle's usual speed; hover if it can hover; controls neutral if it only glides.
`,
    )
    .action(trimCommand);
}

async function trimCommand(name: string, options: Options): Promise<void> {
  validateReportFlags(options);
  if (options.save !== undefined && !/\.json$/i.test(options.save))
    throw new InputError("is not the name of a state file", {
      field: "--save",
      value: options.save,
      allowed: "x.json",
    });
  const steady = await readSteady(name, options);
  const found = findTrim(steady.vehicle, steady.condition, steady.held);
  const others = otherBranches(steady.vehicle, found);
  if (!found.isTrimmed && found.residual < 1e-9 && found.condition.branch === "stalled")
    throw new RunError(`${steady.vehicle.name} has no steady flight beyond the stall under this condition`);
  const diagnosis = diagnose(steady.vehicle, found);
  const json = trimJson(steady.vehicle, found, diagnosis, others);
  report(
    steady.vehicle,
    {
      title: titleOf(steady, found),
      pieces: trimPieces(steady.vehicle, found, diagnosis, others),
      drawn: () => [{ pictures: [controlBars(found, steady.vehicle.labels)] }],
      json,
    },
    options,
  );
  if (!found.isTrimmed) {
    process.exitCode = 1;
    if (options.save !== undefined) say(`${options.save} is not written: no steady motion was found\n`);
    return;
  }
  if (options.save === undefined) return;
  const file = new OutputFile(options.save);
  file.write(`${JSON.stringify({ ...json.state, ...json.inputs }, null, 2)}\n`);
  file.finish();
  if (!options.json) print(`wrote ${options.save}\n`);
}

/** For commands that need a steady motion to begin with. */
export function mustTrim({ vehicle, condition, held }: Steady): TrimResult {
  const found = findTrim(vehicle, condition, held);
  if (found.isTrimmed) return found;
  const [nearest] = neighbourTexts(vehicle, diagnose(vehicle, found));
  const advice = nearest === undefined ? "" : `; ${nearest}`;
  throw new RunError(
    `${vehicle.name} does not trim here (${quantityNames(vehicle, found)})${advice}; sideslip trim shows more`,
  );
}

const flagOf = (vehicle: Vehicle, key: string) =>
  key === "speed" ? (vehicle.type.wording?.speed ?? key) : key;
const UNITS: Readonly<Record<string, string>> = {
  airspeed: "m/s",
  speed: "m/s",
  climb: "m/s",
  turn: "rad/s",
  bank: "rad",
  sideslip: "rad",
  lateral: "m/s^2",
};

/** The condition as text: "airspeed 15 m/s, climb 0 m/s". */
export function quantityNames(vehicle: Vehicle, { condition, controls }: TrimResult): string {
  const parts = Object.entries(condition)
    .filter(([, v]) => typeof v === "number")
    .map(([key, v]) =>
      key === "speed" && v === 0
        ? "hover"
        : `${flagOf(vehicle, key)} ${readable(v as number, UNITS[flagOf(vehicle, key)])}`,
    );
  if (parts.length > 0) return parts.join(", ");
  return controls.every((c) => c.value === c.control.neutral) ? "controls neutral" : "controls held";
}

const titleOf = ({ vehicle }: Steady, found: TrimResult) =>
  `${vehicle.name}: ${found.isTrimmed ? "steady" : "NO steady motion found"} (${quantityNames(vehicle, found)})`;

function neighbourTexts(vehicle: Vehicle, { nearest }: Diagnosis): string[] {
  return nearest.map(({ changed, asked, value }) => {
    const flag = flagOf(vehicle, changed);
    return `it trims with ${flag} ${readable(value, UNITS[flag])} instead of ${readable(asked, UNITS[flag])}`;
  });
}

/** Values of controls: angles in degrees, but motors turn in rad/s. */
const shown = (v: number, unit: string) => (unit === "rad" ? readable : plain)(v, unit);

function stabilityText(vehicle: Vehicle, found: TrimResult): string {
  const mode = growing(vehicle, found);
  if (mode === undefined) return "stability: no mode grows exponentially (sideslip modes shows more)";
  return `stability: ${mode.name} grows, doubling in ${readable(mode.double as number, "s")} (sideslip modes shows more)`;
}

type Others = ReturnType<typeof otherBranches>;

/** Steady flights under the same conditions, and how to ask for them. */
function branchTexts(others: Others): Piece[] {
  return others.map(({ branch, found }) => ({
    text: `also steady: ${branch === "stalled" ? "beyond the stall" : branch.replace("-", " ")}, pitch ${readable(found.motion.pitch, "rad")} (--branch ${branch})`,
  }));
}

export function trimPieces(
  vehicle: Vehicle,
  found: TrimResult,
  diagnosis: Diagnosis,
  others: Others,
): Piece[] {
  const unit = (input: string) => vehicle.model.inputs.find((f) => f.name === input)?.unit ?? "";
  const controls: Piece = {
    table: {
      header: ["control", "value", "from", "to", "margin", "is"],
      rows: found.controls.map(({ control, value, isFree }) => {
        const u = unit(control.inputs[0]);
        return [
          labelled(vehicle, control.name),
          shown(value, u),
          shown(control.min, u),
          shown(control.max, u),
          isFree ? `${(100 * controlMargin(control, value)).toFixed(0)} %` : "",
          isFree ? "found" : "held",
        ];
      }),
    },
  };
  const notes: Piece[] = found.notes.map((note) => ({ text: note }));
  if (found.isTrimmed)
    return [
      {
        table: {
          header: ["quantity", "value"],
          rows: flightNumbers(vehicle, found).map((q) => [q.meaning, readable(q.value, q.unit)]),
        },
      },
      { heading: "Controls" },
      controls,
      ...notes,
      ...(stallMargin(vehicle, found) < 0
        ? [{ text: "BEYOND THE STALL: the angle of attack exceeds the stall angle" }]
        : []),
      { text: stabilityText(vehicle, found) },
      ...branchTexts(others),
      { text: `largest residual rate: ${found.residual.toExponential(1)}` },
    ];
  return [
    { text: "Residuals of the best attempt:" },
    {
      table: {
        header: ["rate or condition", "residual"],
        rows: found.residuals
          .filter((r) => Math.abs(r.value) > 1e-6)
          .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
          .map((r) => [r.name, readable(r.value, r.unit)]),
      },
    },
    ...limitTexts(vehicle, found, diagnosis),
    { heading: "Controls" },
    controls,
    ...notes,
    {
      text:
        diagnosis.nearest.length === 0
          ? "No condition nearby trims either; `sideslip explain` shows the forces, `sideslip check` the vehicle's signs."
          : `Nearest condition that trims: ${neighbourTexts(vehicle, diagnosis).join("; ")}.`,
    },
  ];
}

/** The best attempt in short: controls at their limits, or the largest residual. */
export function obstacles(vehicle: Vehicle, found: TrimResult): string {
  if (found.draggedBy.length > 0)
    return `only with negative drag of ${found.draggedBy.map((n) => labelled(vehicle, n)).join(", ")}`;
  if (found.blocked.length > 0)
    return found.blocked
      .map((b) => `${labelled(vehicle, b.name)} at its limit of ${shown(b.limit, b.unit)}`)
      .join(", ");
  const worst = found.residuals.reduce((a, b) => (Math.abs(b.value) > Math.abs(a.value) ? b : a));
  return `${worst.name} ${readable(worst.value, worst.unit)} remains`;
}

/** Obstacles: controls at their limits, wider limits that suffice, and surfaces with negative drag. */
function limitTexts(vehicle: Vehicle, found: TrimResult, { needed }: Diagnosis): Piece[] {
  const list = found.blocked.map(
    (b) => `${b.name} at its limit of ${(b.name === "turn" ? readable : shown)(b.limit, b.unit)}`,
  );
  const wider = needed.map(
    (n) => `${labelled(vehicle, n.control)} ${shown(n.needed, n.unit)} instead of ${shown(n.limit, n.unit)}`,
  );
  return [
    ...(found.draggedBy.length > 0
      ? [
          {
            text: `All rates vanish only with ${found.draggedBy.join(" and ")} deflected against each other: the model's drag is negative there, which is not physical. This counts as not trimmed.`,
          },
        ]
      : []),
    ...(list.length > 0 ? [{ text: `In the best attempt: ${list.join("; ")}.` }] : []),
    ...(wider.length > 0 ? [{ text: `With wider limits it trims: ${wider.join("; ")}.` }] : []),
  ];
}

const labelled = ({ labels }: Vehicle, name: string) => (labels[name] ? `${name} (${labels[name]})` : name);

export function trimJson(vehicle: Vehicle, found: TrimResult, diagnosis: Diagnosis, others: Others) {
  const { model } = vehicle;
  return {
    vehicle: vehicle.name,
    trimmed: found.isTrimmed,
    condition: found.condition,
    motion: found.motion,
    numbers: Object.fromEntries(flightNumbers(vehicle, found).map((q) => [q.name, q.value])),
    controls: found.controls.map(({ control, value, isFree }) => ({
      name: control.name,
      value,
      min: control.min,
      max: control.max,
      free: isFree,
    })),
    doubles_in: found.isTrimmed ? growing(vehicle, found)?.double : undefined,
    residual: found.residual,
    residuals: found.residuals,
    blocked: found.blocked,
    dragged_by: found.draggedBy,
    needed: diagnosis.needed,
    nearest: diagnosis.nearest,
    branches: others.map((o) => ({ branch: o.branch, motion: o.found.motion })),
    notes: found.notes,
    state: Object.fromEntries(model.states.map((f, i) => [f.name, found.x[i]])),
    inputs: Object.fromEntries(model.inputs.map((f, i) => [f.name, found.u[i]])),
    outputs: found.outputs,
  };
}
