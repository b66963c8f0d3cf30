import type { Command } from "commander";
import { environmentAt } from "../analysis/explain.ts";
import { type LinearModel, linearize } from "../analysis/linearize.ts";
import { stepPanels } from "../analysis/step-response.ts";
import type { Piece } from "../formats/html-page.ts";
import { matlabText, matricesOf, matrixCsv, numpyText } from "../formats/matrix-text.ts";
import { svgPanel } from "../formats/svg-chart.ts";
import { closest, InputError } from "../model/input-error.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { addConditionFlags, readSteady, type SteadyOptions } from "./conditions.ts";
import { OutputFile } from "./files.ts";
import { addOperatingPointFlags, type OperatingPointOptions, readOperatingPoint } from "./operating-point.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { print } from "./terminal.ts";
import { mustTrim, quantityNames } from "./trim.ts";

interface Options extends SteadyOptions, OperatingPointOptions, ReportOptions {
  readonly outputs?: string;
  readonly save?: string;
}

export function addLinearize(program: Command): void {
  const command = program
    .command("linearize")
    .description(
      "A, B, C, D about a steady motion or any state, with names, units and an estimate of the error",
    )
    .argument("<vehicle>", "a vehicle's name or file");
  addOperatingPointFlags(addConditionFlags(command));
  addReportFlags(command, "the responses to a step of each control")
    .option(
      "--outputs <names>",
      "outputs, separated by commas, or all (default: outputs that are not components of others)",
    )
    .option("--save <file>", "write the matrices: .m (MATLAB, Octave), .py (NumPy), .csv or .json")
    .addHelpText(
      "after",
      `
Examples:
  sideslip linearize advanced-plane --airspeed 15 --save plane.m
  sideslip linearize formula-student --speed 12 --lateral 6 --outputs a_y,beta --json
Rigid bodies have the states u v w p q r roll pitch (body axes) instead of world velocities and a quaternion.
`,
    )
    .action(linearizeCommand);
}

/** A linear model as the options want it: about a state if one is given, else about a steady motion. */
export async function linearOf(
  name: string,
  options: SteadyOptions & OperatingPointOptions,
  outputs: (vehicle: Vehicle) => readonly string[] | undefined,
): Promise<{ vehicle: Vehicle; linear: LinearModel; about: string }> {
  const steady = await readSteady(name, options);
  const { vehicle } = steady;
  const wanted = outputs(vehicle);
  const point = await readOperatingPoint(vehicle, options);
  if (point !== undefined) {
    const [said] = [...Object.keys(steady.condition), ...Object.keys(steady.held)];
    if (said !== undefined)
      throw new InputError("cannot be combined with --state or --run, which fix motion and controls", {
        field: said,
        allowed: "--state or --run without conditions and held controls",
      });
    const linear = linearize(vehicle, point.x, point.u, wanted, environmentAt(vehicle, point.x, point.wind));
    const left = Math.max(...linear.at.rates.map(Math.abs));
    const note = `this is not a steady motion: the largest rate is ${left.toPrecision(3)}, so the model holds only briefly`;
    const about = options.state ?? `${options.run} at t = ${point.t} s`;
    return {
      vehicle,
      about,
      linear: left < 1e-6 ? linear : { ...linear, warnings: [...linear.warnings, note] },
    };
  }
  const found = mustTrim(steady);
  return {
    vehicle,
    about: quantityNames(vehicle, found),
    linear: linearize(vehicle, found.x, found.u, wanted),
  };
}

function outputsOf({ model }: Vehicle, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const names = model.outputs.map((f) => f.name);
  if (text === "all") return names;
  const wanted = text.split(",").map((w) => w.trim());
  for (const output of wanted)
    if (!names.includes(output)) {
      const near = closest(output, names);
      throw new InputError(`is not an output${near ? `; did you mean "${near}"?` : ""}`, {
        field: "--outputs",
        value: output,
        allowed: "names from `sideslip describe`, or all",
      });
    }
  return wanted;
}

async function linearizeCommand(name: string, options: Options): Promise<void> {
  validateReportFlags(options);
  const kind =
    options.save === undefined ? undefined : /\.(m|py|csv|json)$/i.exec(options.save)?.[1].toLowerCase();
  if (options.save !== undefined && kind === undefined)
    throw new InputError("has an unknown file type", {
      field: "--save",
      value: options.save,
      allowed: "x.m (MATLAB, Octave), x.py (NumPy), x.csv or x.json",
    });
  const { vehicle, linear, about } = await linearOf(name, options, (found) =>
    outputsOf(found, options.outputs),
  );
  const title = `${vehicle.name} linearised about ${about}`;
  const json = linearJson(vehicle, linear, about);
  if (options.save !== undefined) {
    const file = new OutputFile(options.save);
    const writers: Readonly<Record<string, () => string>> = {
      m: () => matlabText(linear, title),
      py: () => numpyText(linear, title),
      csv: () => matrixCsv(linear),
      json: () => `${JSON.stringify(json, null, 2)}\n`,
    };
    file.write(writers[kind as string]());
    file.finish();
  }
  const drawn = () => [{ heading: "Step responses" }, { pictures: stepPanels(linear).map(svgPanel) }];
  report(vehicle, { title, pieces: linearPieces(linear), drawn, json }, options);
  if (options.save !== undefined && !options.json) print(`wrote ${options.save}\n`);
}

function linearPieces(linear: LinearModel): Piece[] {
  const { states, inputs, at } = linear;
  const digits = (v: number) => (Math.abs(v) < 5e-10 ? "0" : String(Number(v.toPrecision(5))));
  return [
    {
      table: {
        header: ["about", "value", "unit", "meaning"],
        rows: [
          ...states.map((f, i) => [f.name, digits(at.states[i]), f.unit, f.meaning]),
          ...inputs.map((f, i) => [f.name, digits(at.inputs[i]), f.unit, f.meaning]),
        ],
      },
    },
    ...matricesOf(linear).flatMap((m): Piece[] => [
      { heading: `${m.name} (${m.rows.length} x ${m.columns.length})` },
      {
        table: {
          header: ["", ...m.columns.map((f) => f.name)],
          rows: m.rows.map((f, i) => [
            f.name,
            ...Array.from(m.values.subarray(i * m.columns.length, (i + 1) * m.columns.length), digits),
          ]),
        },
      },
    ]),
    { text: `estimated error: ${linear.error.toExponential(1)} of the largest entry of a row` },
    ...linear.warnings.map((text) => ({ text: `warning: ${text}` })),
  ];
}

const square = (values: Float64Array, columns: number) =>
  Array.from({ length: columns === 0 ? 0 : values.length / columns }, (_, i) =>
    Array.from(values.subarray(i * columns, (i + 1) * columns)),
  );

export function linearJson(vehicle: Vehicle, linear: LinearModel, about: string) {
  const { states, inputs, outputs, A, B, C, D, at, error, warnings } = linear;
  const named = (fields: LinearModel["states"], values: Float64Array) =>
    fields.map(({ name, unit, meaning }, i) => ({ name, unit, meaning, value: values[i] }));
  return {
    vehicle: vehicle.name,
    about,
    states: named(states, at.states),
    inputs: named(inputs, at.inputs),
    outputs: named(outputs, at.outputs),
    A: square(A, states.length),
    B: square(B, inputs.length),
    C: square(C, states.length),
    D: square(D, inputs.length),
    rates: Array.from(at.rates),
    error,
    warnings,
  };
}
