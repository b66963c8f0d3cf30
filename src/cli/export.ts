import type { Command } from "commander";
import { type Generation, writeSdf } from "../formats/sdf/write.ts";
import { InputError } from "../model/input-error.ts";
import { OutputFile } from "./files.ts";
import { findVehicle } from "./inputs.ts";

export function addExport(program: Command): void {
  program
    .command("export")
    .description("write a vehicle for another tool: a Gazebo model")
    .command("sdf")
    .description("a Gazebo model with motor and lift-drag plugins")
    .argument("<vehicle>", "vehicle file, or a vehicle's name (see `sideslip list`)")
    .option("--for <generation>", "classic or gz", "gz")
    .option("--out <file>", "write it there (default: print it)")
    .addHelpText(
      "after",
      `
Example:
  sideslip export sdf my-plane.yaml --for gz --out models/my-plane/model.sdf
`,
    )
    .action((name: string, options: { for: string; out?: string }) => {
      if (options.for !== "classic" && options.for !== "gz")
        throw new InputError(`"${options.for}" is no generation of Gazebo`, {
          field: "--for",
          value: options.for,
          allowed: "classic, gz",
        });
      const vehicle = findVehicle(name);
      if (vehicle.model.name !== "aircraft")
        throw new InputError(`${name} is a ${vehicle.model.name}`, { allowed: "an aircraft" });
      const { text, remarks } = writeSdf(vehicle, options.for as Generation);
      if (options.out === undefined) process.stdout.write(text);
      else {
        const file = new OutputFile(options.out);
        file.write(text);
        file.finish();
      }
      for (const remark of remarks) process.stderr.write(`note: ${remark}\n`);
      if (options.out !== undefined) process.stdout.write(`wrote ${options.out}\n`);
    });
}
