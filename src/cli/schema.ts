import { type Command, Option } from "commander";
import * as z from "zod";
import { scenarioSchema } from "../simulation/scenario.ts";
import { vehicleSchema } from "../vehicles/vehicle-file.ts";
import { findVehicle } from "./inputs.ts";
import { printJson } from "./table.ts";
import { say } from "./terminal.ts";

export function addSchema(program: Command): void {
  program
    .command("schema")
    .description("JSON Schemas of the files you write, for editors that check YAML")
    .argument("[kind]", "scenario, vehicle or campaign", "scenario")
    .argument("[vehicle]", "the vehicle whose fields the file may name", "parafoil")
    .addOption(new Option("--json", "accepted for uniformity: schemas are always JSON"))
    .addHelpText(
      "after",
      `
Example:
  sideslip schema scenario > scenario.schema.json
and at the top of a scenario:
  # yaml-language-server: $schema=scenario.schema.json
`,
    )
    .action(async (kind: string, vehicle: string, _options: object, command: Command) => {
      const found = findVehicle(vehicle);
      if (kind !== "scenario" && kind !== "vehicle" && kind !== "campaign")
        command.error(`error: "${kind}" is neither scenario, vehicle nor campaign`);
      const schema =
        kind === "campaign"
          ? (await import("../campaign/specification.ts")).campaignSchema
          : kind === "scenario"
            ? scenarioSchema(found)
            : vehicleSchema(found.model);
      if (command.args.length < 2 && kind !== "campaign")
        say(
          `note: this schema is for the parafoil; for another vehicle use sideslip schema ${kind} my-vehicle.yaml\n`,
        );
      printJson({
        title: kind === "campaign" ? "Sideslip campaign" : `Sideslip ${kind} for ${vehicle}`,
        ...z.toJSONSchema(schema as z.ZodType, { io: "input" }),
      });
    });
}
