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
            : vehicleSchema(found.model, found.type.name);
      if (command.args.length < 2 && kind !== "campaign")
        say(
          `note: this schema is for the parafoil; for another vehicle use sideslip schema ${kind} my-vehicle.yaml\n`,
        );
      const json = z.toJSONSchema(schema as z.ZodType, { io: "input" });
      printJson({
        title: kind === "campaign" ? "Sideslip campaign" : `Sideslip ${kind} for ${vehicle}`,
        ...(kind === "vehicle" ? withExtends(json) : json),
      });
    });
}

/** A file that extends another vehicle may leave out whatever that one has. */
function withExtends({ required, properties = {}, ...rest }: z.core.JSONSchema.JSONSchema): object {
  const { extends: _, parameters, ...others } = properties as Record<string, z.core.JSONSchema.JSONSchema>;
  const { required: neededParameters = [], ...open } = parameters;
  return {
    ...rest,
    properties: {
      ...others,
      extends: { type: "string", description: "a preset or a vehicle file that this one changes" },
      parameters: open,
    },
    if: { required: ["extends"] },
    else: { required, properties: { parameters: { required: neededParameters } } },
  };
}
