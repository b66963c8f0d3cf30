import { basename } from "node:path";
import type { Command } from "commander";
import { readAvlMass } from "../formats/avl/mass.ts";
import { readAvlOutput } from "../formats/avl/output.ts";
import { writeVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import { parseUnit } from "../model/units.ts";
import { parseYaml } from "../model/yaml.ts";
import { avlSpec, vehicleFromAvl } from "../vehicle-types/aircraft/avl/vehicle.ts";
import { airplane } from "../vehicle-types/aircraft/fixed-wing/loops.ts";
import { aircraftType } from "../vehicle-types/aircraft.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { readVehicleOf } from "../vehicles/vehicle-file.ts";
import { OutputFile, readText } from "./files.ts";
import { printFindings } from "./findings.ts";
import { collect } from "./inputs.ts";
import { addNumberFlags, type NumberFlags, readNumberFlags } from "./number-flags.ts";
import { printJson, table } from "./table.ts";
import { print, say } from "./terminal.ts";

const NUMBERS: NumberFlags = {
  mass: { unit: "kg", meaning: "mass, where there is no mass file", above: 0, max: 1e6 },
  cd0: { unit: "1", meaning: "zero-lift drag coefficient", min: 0, max: 1 },
  stall: { unit: "rad", meaning: 'stall angle ("14 deg")', above: 0, max: 1.5708 },
};

interface Options {
  readonly st: readonly string[];
  readonly sb: readonly string[];
  readonly verify: readonly string[];
  readonly massFile?: string;
  readonly lengthUnit?: string;
  readonly split?: string;
  readonly description?: string;
  readonly out?: string;
  readonly explain?: boolean;
  readonly json?: boolean;
  readonly mass?: string;
}

export function addImportAvl(parent: Command): void {
  const command = parent
    .command("avl")
    .description("a vehicle from AVL's derivatives (ST and SB of one run), with a report of what looks wrong")
    .option(
      "--st <file>",
      "stability-axis derivatives: what OPER writes with ST (repeatable: several runs)",
      collect,
      [],
    )
    .option("--sb <file>", "geometry-axis derivatives of the same run: SB (one for each --st)", collect, [])
    .option(
      "--verify <file>",
      "another run (ST, SB or FT) to compare the coefficients with (repeatable)",
      collect,
      [],
    )
    .option("--mass-file <file>", "AVL's mass file: units, mass, centre of mass, inertia");
  addNumberFlags(command, NUMBERS);
  command
    .option("--length-unit <unit>", "AVL's unit of length, unless a mass file gives it (m, ft, in, mm)")
    .option("--split <controls>", "controls of both sides to be split into left and right, comma-separated")
    .option("--description <text>", "one line for listings (AVL's configuration name)")
    .option("--out <file>", "vehicle file to write (default: print it)")
    .option("--explain", "show where each number came from")
    .option("--json", "print parameters, origins and findings as JSON")
    .addHelpText(
      "after",
      `
Example:
  sideslip import avl --st plane.st --sb plane.sb --mass-file plane.mass --cd0 0.03 --stall "14 deg" --out my-plane.yaml
  sideslip run my-plane.yaml
  sideslip import avl --st a2.st --sb a2.sb --verify a4_b5.st --mass 1.2kg      # error away from the run
  sideslip import avl --st a0.st --st a4.st --st a8.st --mass 1.2kg             # coefficients fitted to three runs

docs/avl.md explains the steps in AVL: geometry, OPER, X, ST, SB, and what to check.
`,
    )
    .action(importAvl);
}

function lengthOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const unit = parseUnit(text);
  if (unit === undefined || unit.dimension.some((d, i) => d !== (i === 0 ? 1 : 0)))
    throw new InputError(`"${text}" is not a unit of length`, {
      field: "--length-unit",
      value: text,
      allowed: "m, cm, mm, ft, in",
    });
  return unit.factor / unit.divisor;
}

function importAvl(options: Options): void {
  if (options.st.length === 0)
    throw new InputError("is missing", { field: "--st", allowed: "AVL's stability-axis output; see --help" });
  if (options.sb.length > 0 && options.sb.length !== options.st.length)
    throw new InputError(`${options.sb.length} files for ${options.st.length} of --st`, {
      field: "--sb",
      allowed: "one for each --st, in the same order, or none",
    });
  for (const [flag, value] of [
    ["--mass", options.mass],
    ["--length-unit", options.lengthUnit],
  ])
    if (options.massFile !== undefined && value !== undefined)
      throw new InputError("is already given by the mass file", {
        field: flag,
        value,
        allowed: `${flag} or --mass-file`,
      });
  const read = (path: string) => readAvlOutput(readText(path), path);
  const runs = options.st.map((path, i) => ({
    st: read(path),
    sb: options.sb.length === 0 ? undefined : read(options.sb[i]),
  }));
  const numbers = readNumberFlags(NUMBERS, options);
  const imported = vehicleFromAvl({
    runs,
    verify: options.verify.map(read),
    mass:
      options.massFile === undefined ? undefined : readAvlMass(readText(options.massFile), options.massFile),
    length: lengthOf(options.lengthUnit),
    kilograms: numbers.mass,
    CD0: numbers.cd0,
    stall: numbers.stall,
    split: options.split?.split(",").map((name) => name.trim()),
  });
  const files = [...options.st, ...options.sb, options.massFile].filter((f) => f !== undefined);
  const own = avlSpec(
    runs[0].st,
    imported,
    files.map((f) => basename(f)),
  );
  const spec = { ...own, description: options.description ?? own.description };
  // Read the file back first, so that no invalid file is written.
  const vehicle = readVehicleOf(aircraftType, parseYaml(writeVehicle(spec), "imported vehicle"), "imported");
  const text = writeVehicle({ ...spec, initial: { altitude: 100, v_north: cruiseOf(vehicle) } });
  if (options.out !== undefined) {
    const file = new OutputFile(options.out);
    file.write(text);
    file.finish();
  }
  const wrong = imported.findings.filter((f) => f.weight === "wrong").length;
  if (wrong > 0) process.exitCode = 1;
  if (options.json) {
    printJson({ parameters: imported.parameters, origins: imported.origins, findings: imported.findings });
    return;
  }
  if (options.explain)
    print(
      table(
        ["parameter", "value", "from"],
        imported.origins.map(({ name, value, origin }) => [name, value.toPrecision(6), origin]),
      ),
    );
  else if (options.out === undefined) print(text);
  printFindings(imported.findings, options.out === undefined ? say : print);
  if (options.out !== undefined)
    print(
      `wrote ${options.out}${wrong > 0 ? `, although ${wrong} of the findings ${wrong === 1 ? "is" : "are"} wrong (exit code 1)` : ""}\n`,
    );
}

/** Cruise speed of the default pilot; 15 m/s if that pilot cannot fly the vehicle. */
function cruiseOf({ model, parameters }: Vehicle<AircraftParameters>): number {
  try {
    return Number(airplane(model, parameters, 0.01).cruise.toFixed(1));
  } catch (error) {
    if (error instanceof InputError) return 15;
    throw error;
  }
}
