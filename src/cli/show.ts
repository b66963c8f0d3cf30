import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { writeVehicle, writtenVehicle } from "../formats/vehicle-yaml.ts";
import { findVehicle, isPath } from "./inputs.ts";
import { print } from "./terminal.ts";

/** Beside the command line in dist/. */
const PRESETS = new URL("./presets/", import.meta.url);

export function addShow(program: Command): void {
  program
    .command("show")
    .description("print a vehicle's file, as a template for your own")
    .argument("<vehicle>", "a vehicle's name or file (see `sideslip list`)")
    .addHelpText("after", "\nExample:\n  sideslip show iris > my-quad.yaml\n")
    .action((name: string) => {
      const file = fileURLToPath(new URL(`${name}.yaml`, PRESETS));
      const isShipped = !isPath(name) && existsSync(file);
      print(isShipped ? readFileSync(file, "utf8") : writeVehicle(writtenVehicle(findVehicle(name))));
    });
}
