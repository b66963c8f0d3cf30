import { basename } from "node:path";
import type { Command } from "commander";
import { airplane } from "../control/fixed-wing/loops.ts";
import { readAvlMass } from "../formats/avl/mass.ts";
import { readAvlOutput } from "../formats/avl/output.ts";
import { vehicleFromAvl } from "../formats/avl/vehicle.ts";
import { writeVehicle } from "../formats/vehicle-yaml.ts";
import { parseYaml } from "../model/document.ts";
import { allowed, type Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { readNumber } from "../model/schema.ts";
import { parseUnit } from "../model/units.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import { readVehicle } from "../vehicles/vehicle-file.ts";
import { OutputFile, readText } from "./files.ts";
import { printFindings } from "./findings.ts";
import { printJson, table } from "./table.ts";

const NUMBERS: Readonly<Record<string, Omit<Field, "name">>> = {
  mass: { unit: "kg", meaning: "mass, where there is no mass file", above: 0, max: 1e6 },
  cd0: { unit: "1", meaning: "drag coefficient without lift", min: 0, max: 1 },
  stall: { unit: "rad", meaning: 'stall angle ("14 deg")', above: 0, max: 1.5708 },
};

interface Options {
  readonly st?: string;
  readonly sb?: string;
  readonly massFile?: string;
  readonly lengthUnit?: string;
  readonly split?: string;
  readonly description?: string;
  readonly out?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
  readonly mass?: string;
  readonly cd0?: string;
  readonly stall?: string;
}

export function addImportAvl(parent: Command): void {
  const command = parent
    .command("avl")
    .description("a vehicle from AVL's derivatives (ST and SB of one run), with a report of what looks wrong")
    .option("--st <file>", "stability-axis derivatives: what OPER writes with ST")
    .option("--sb <file>", "geometry-axis derivatives of the same run: SB")
    .option("--mass-file <file>", "AVL's mass file: units, mass, centre of mass, inertia");
  for (const [name, field] of Object.entries(NUMBERS))
    command.option(`--${name} <value>`, `${field.meaning}${field.unit === "1" ? "" : ` [${field.unit}]`}`);
  command
    .option("--length-unit <unit>", "AVL's unit of length, where no mass file tells it (m, ft, in, mm)")
    .option("--split <controls>", "controls of both sides to be split into left and right, comma-separated")
    .option("--description <text>", "one line for listings (AVL's configuration name)")
    .option("--out <file>", "write the vehicle file there (default: print it)")
    .option("--explain", "show where each number came from")
    .option("--json", "print parameters, origins and findings as JSON")
    .addHelpText(
      "after",
      `
Example:
  sideslip import avl --st plane.st --sb plane.sb --mass-file plane.mass --cd0 0.03 --stall "14 deg" --out my-plane.yaml
  sideslip run my-plane.yaml

docs/avl.md leads through AVL itself: geometry, OPER, X, ST, SB, and what to check.
`,
    )
    .action(importAvl);
}

function numberOf(options: Options, name: "mass" | "cd0" | "stall"): number | undefined {
  const text = options[name];
  if (text === undefined) return undefined;
  const field = { ...NUMBERS[name], name };
  const value = readNumber(text, field);
  if (typeof value === "number") return value;
  throw new InputError(value.problem, { field: `--${name}`, value: text, allowed: allowed(field) });
}

function lengthOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  const unit = parseUnit(word);
  if (unit === undefined || unit.dimension.some((d, i) => d !== (i === 0 ? 1 : 0)))
    throw new InputError(`"${word}" is not a unit of length`, {
      field: "--length-unit",
      value: word,
      allowed: "m, cm, mm, ft, in",
    });
  return unit.factor / unit.divisor;
}

function importAvl(options: Options): void {
  if (options.st === undefined)
    throw new InputError("is missing", { field: "--st", allowed: "AVL's stability-axis output; see --help" });
  for (const [flag, value] of [
    ["--mass", options.mass],
    ["--length-unit", options.lengthUnit],
  ])
    if (options.massFile !== undefined && value !== undefined)
      throw new InputError("the mass file tells it already", { field: flag, value, allowed: "one of them" });
  const st = readAvlOutput(readText(options.st), options.st);
  const sb = options.sb === undefined ? undefined : readAvlOutput(readText(options.sb), options.sb);
  const imported = vehicleFromAvl({
    st,
    sb,
    mass:
      options.massFile === undefined ? undefined : readAvlMass(readText(options.massFile), options.massFile),
    length: lengthOf(options.lengthUnit),
    kilograms: numberOf(options, "mass"),
    CD0: numberOf(options, "cd0"),
    stall: numberOf(options, "stall"),
    split: options.split?.split(",").map((name) => name.trim()),
  });
  const findings = [...imported.findings];
  if (sb === undefined)
    findings.push({
      weight: "look",
      sentence: "Without SB the drag by rates and controls is unknown in most versions of AVL: give --sb.",
    });
  const files = [options.st, options.sb, options.massFile].filter((f) => f !== undefined);
  const words = {
    description: options.description ?? (st.configuration || "imported from AVL"),
    source: `AVL: ${files.map((f) => basename(f)).join(", ")}`,
    sources: imported.sources,
    labels: Object.fromEntries(imported.servos.map((name, i) => [`servo_${i + 1}`, name])),
    parameters: imported.parameters,
  };
  // Nothing is written that could not be read again.
  const { model, parameters } = readVehicle(parseYaml(writeVehicle(words), "imported vehicle"), "imported");
  const text = writeVehicle({ ...words, initial: { altitude: 100, v_north: cruiseOf(model, parameters) } });
  if (options.out !== undefined) {
    const file = new OutputFile(options.out);
    file.write(text);
    file.finish();
  }
  if (options.json) {
    printJson({ parameters: imported.parameters, origins: imported.origins, findings });
    return;
  }
  if (options.explain)
    process.stdout.write(
      table(
        ["parameter", "value", "from"],
        imported.origins.map(({ name, value, origin }) => [name, value.toPrecision(6), origin]),
      ),
    );
  else if (options.out === undefined) process.stdout.write(text);
  printFindings(findings, options.out === undefined ? process.stderr : process.stdout);
  if (options.out !== undefined) process.stdout.write(`wrote ${options.out}\n`);
}

/** Where a pilot would fly it; 15 m/s where none can. */
function cruiseOf(model: Model, parameters: unknown): number {
  try {
    return Number(airplane(model, parameters as AircraftParameters, 0.01).cruise.toFixed(1));
  } catch (error) {
    if (error instanceof InputError) return 15;
    throw error;
  }
}
