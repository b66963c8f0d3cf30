import type { Command } from "commander";
import type { OutputLine } from "../model/autopilots.ts";
import { describeVehicle, type FieldDescription, type VehicleDescription } from "../vehicles/describe.ts";
import { findVehicle } from "./inputs.ts";
import { printJson, table } from "./table.ts";
import { print } from "./terminal.ts";

export function addDescribe(program: Command): void {
  program
    .command("describe")
    .description("states, inputs, outputs and parameters of a vehicle: unit, range, meaning, source")
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExample:\n  sideslip describe parafoil\n")
    .action((name: string, options: { json?: boolean }) => {
      const vehicle = findVehicle(name);
      const description = describeVehicle(vehicle);
      const figures = vehicle.type.figures?.(vehicle);
      if (options.json) printJson({ ...description, ...figures?.json });
      else print(text(description, (figures?.sentences ?? []).map((line) => `${line}\n`).join("")));
    });
}

/** An output line as text; weights of 1 are omitted. */
const moved = (line: OutputLine, i: number): string => {
  const parts = Object.entries(line).map(([name, w]) =>
    w === 1 ? name : w === -1 ? `-${name}` : `${w} ${name}`,
  );
  return `${i + 1} ${parts.join(" ") || "nothing"}`;
};

function text(d: VehicleDescription, figures: string): string {
  const fields = (title: string, lines: readonly FieldDescription[]) =>
    lines.length === 0
      ? ""
      : `\n${title}\n${table(
          ["name", "unit", "meaning"],
          lines.map((l) => [l.name, l.unit, l.meaning]),
        )}`;
  return [
    `${d.vehicle}: ${d.description} (model ${d.model})\n`,
    figures,
    fields("States", d.states),
    fields("Inputs", d.inputs),
    fields("Environment", d.environment),
    fields("Outputs", d.outputs),
    ...Object.entries(d.autopilots).map(
      ([name, lines]) =>
        `\nOutputs of ${name} and the controls that they drive\n${lines.map(moved).join("; ")}\n`,
    ),
    d.events.length === 0 ? "" : `\nEvents\n${d.events.join(", ")}\n`,
    `\nParameters\n${table(
      ["name", "value", "unit", "range", "meaning", "source"],
      d.parameters.map((p) => [p.name, p.word ?? String(p.value), p.unit, p.range, p.meaning, p.source]),
    )}`,
  ].join("");
}
