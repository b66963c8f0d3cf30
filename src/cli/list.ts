import type { Command } from "commander";
import { preset, presetNames } from "../vehicle-types/index.ts";
import { printJson, table } from "./table.ts";
import { print } from "./terminal.ts";

export function addList(program: Command): void {
  program
    .command("list")
    .description("the vehicles that come with Sideslip")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExample:\n  sideslip list\n")
    .action((options: { json?: boolean }) => {
      const vehicles = presetNames().map(preset);
      if (options.json)
        printJson(vehicles.map((v) => ({ name: v.name, model: v.type.name, description: v.description })));
      else
        print(
          table(
            ["vehicle", "model", "description"],
            vehicles.map((v) => [v.name, v.type.name, v.description]),
          ),
        );
    });
}
