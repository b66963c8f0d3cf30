import type { Command } from "commander";
import { readSdf } from "../formats/sdf/model.ts";
import { sdfSpec, vehicleFromSdf } from "../formats/sdf/vehicle.ts";
import { type Generation, writeSdf } from "../formats/sdf/write.ts";
import { writeVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import { pack } from "../model/parameters.ts";
import { parseYaml } from "../model/yaml.ts";
import { asAircraft } from "../vehicle-types/aircraft.ts";
import { readVehicle } from "../vehicle-types/index.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { OutputFile } from "./files.ts";
import { findVehicle } from "./inputs.ts";
import { print, say } from "./terminal.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("write a vehicle for another tool: a Gazebo model")
    .command("sdf")
    .description("a Gazebo model with motor and lift-drag plugins")
    .argument("<vehicle>", "vehicle file, or a vehicle's name (see `sideslip list`)")
    .option("--for <generation>", "classic or gz", "gz")
    .option("--out <file>", "output file (default: print it)")
    .addHelpText(
      "after",
      `
Example:
  sideslip export sdf my-plane.yaml --for gz --out my-plane.sdf
`,
    )
    .action((name: string, options: { for: string; out?: string }) => {
      if (options.for !== "classic" && options.for !== "gz")
        throw new InputError(`"${options.for}" is not a generation of Gazebo`, {
          field: "--for",
          value: options.for,
          allowed: "classic, gz",
        });
      const found = findVehicle(name);
      const vehicle = asAircraft(found);
      if (vehicle === undefined)
        throw new InputError(`${name} is a ${found.type.name} and cannot be written as SDF`, {
          allowed: "an aircraft",
        });
      const { text, remarks } = writeSdf(vehicle, options.for as Generation);
      const changed = changedBy(vehicle, text);
      if (options.out === undefined) print(text);
      else {
        const file = new OutputFile(options.out);
        file.write(text);
        file.finish();
      }
      for (const remark of [...new Set(remarks), ...changed]) say(`note: ${remark}\n`);
      if (options.out !== undefined) print(`wrote ${options.out}\n`);
    });
}

const MOST_LISTED = 12;

/** Parameters that differ when the written file is read again. */
function changedBy(vehicle: Vehicle, text: string): string[] {
  const file = "the written model";
  const again = vehicleFromSdf(readSdf(text, file), file);
  const copy = readVehicle(parseYaml(writeVehicle(sdfSpec(again)), file), again.name);
  const values = (v: Vehicle) =>
    new Map(v.model.parameters.map((f, i) => [f.name, pack(v.model.parameters, v.parameters)[i]]));
  const [before, after] = [values(vehicle), values(copy)];
  const isSame = (a: number, b: number | undefined) =>
    a === b || (b !== undefined && Math.abs(a - b) <= 1e-6 * Math.max(1e-3, Math.abs(a)));
  const lost = [...before].flatMap(([name, value]) =>
    isSame(value, after.get(name))
      ? []
      : [`${name} is ${value}, but ${after.get(name) ?? "absent"} in the written model`],
  );
  const more = lost.length > MOST_LISTED ? [`and ${lost.length - MOST_LISTED} more parameters`] : [];
  return [...lost.slice(0, MOST_LISTED), ...more];
}
