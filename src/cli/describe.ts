import type { Command } from "commander";
import { allowed, type Field } from "../model/field.ts";
import type { Vehicle } from "../model/model.ts";
import { pack } from "../model/parameters.ts";
import { findVehicle } from "./inputs.ts";
import { printJson, table } from "./table.ts";

export function addDescribe(program: Command): void {
  program
    .command("describe")
    .description("states, inputs, outputs and parameters of a vehicle: unit, range, meaning, source")
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExample:\n  sideslip describe parafoil\n")
    .action((name: string, options: { json?: boolean }) => {
      const description = describeVehicle(findVehicle(name));
      if (options.json) printJson(description);
      else process.stdout.write(text(description));
    });
}

interface Line {
  readonly name: string;
  readonly unit: string;
  readonly range: string;
  readonly meaning: string;
  readonly value?: number;
  readonly source?: string;
}

/** Everything a model says of itself, and a vehicle's numbers. */
export function describeVehicle(vehicle: Vehicle) {
  const { model } = vehicle;
  const line = (f: Field): Line => ({ name: f.name, unit: f.unit, range: allowed(f), meaning: f.meaning });
  const values = pack(model.parameters, vehicle.parameters);
  return {
    vehicle: vehicle.name,
    description: vehicle.description,
    model: model.name,
    states: model.states.map(line),
    inputs: model.inputs.map(line),
    environment: model.environment.map(line),
    outputs: model.outputs.map(line),
    events: (model.events ?? []).map((e) => e.name),
    parameters: model.parameters.map((f, i) => ({
      ...line(f),
      value: values[i],
      source: vehicle.sources[f.name],
    })),
  };
}

function text(d: ReturnType<typeof describeVehicle>): string {
  const fields = (title: string, lines: readonly Line[]) =>
    lines.length === 0
      ? ""
      : `\n${title}\n${table(
          ["name", "unit", "meaning"],
          lines.map((l) => [l.name, l.unit, l.meaning]),
        )}`;
  return [
    `${d.vehicle}: ${d.description} (model ${d.model})\n`,
    fields("States", d.states),
    fields("Inputs", d.inputs),
    fields("Environment", d.environment),
    fields("Outputs", d.outputs),
    d.events.length === 0 ? "" : `\nEvents\n${d.events.join(", ")}\n`,
    `\nParameters\n${table(
      ["name", "value", "unit", "range", "meaning", "source"],
      d.parameters.map((p) => [p.name, String(p.value), p.unit, p.range, p.meaning, p.source]),
    )}`,
  ].join("");
}
