import type { Command } from "commander";
import { type Stability, staticMargin, staticThrust, type Thrust } from "../vehicle-types/aircraft/airframe.ts";
import type { OutputLine } from "../model/autopilots.ts";
import { describeVehicle, type FieldDescription, type VehicleDescription } from "../model/describe.ts";
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
      const thrust = staticThrust(vehicle);
      const stability = staticMargin(vehicle, 0);
      if (options.json) printJson({ ...description, thrust, stability });
      else print(text(description, airframeLines(thrust, stability)));
    });
}

/** Weights other than 1 are told. */
const moved = (line: OutputLine, i: number): string => {
  const parts = Object.entries(line).map(([name, w]) =>
    w === 1 ? name : w === -1 ? `-${name}` : `${w} ${name}`,
  );
  return `${i + 1} ${parts.join(" ") || "nothing"}`;
};

/** What the numbers come to. */
function airframeLines(thrust: Thrust | undefined, stability: Stability | undefined): string {
  const lines: string[] = [];
  if (thrust !== undefined) {
    const [most, way] = thrust.up > thrust.forward ? [thrust.up, "upward"] : [thrust.forward, "forward"];
    lines.push(
      `maximum thrust at rest ${most.toFixed(1)} N ${way}, ${thrust.toWeight.toFixed(2)} times the weight`,
    );
  }
  if (stability !== undefined)
    lines.push(
      `static margin ${(100 * stability.margin).toFixed(1)} % of the mean chord at no angle of attack: neutral point ` +
        `${Math.abs(stability.distance).toFixed(3)} m ${stability.margin >= 0 ? "behind" : "AHEAD OF"} the centre of mass` +
        `${stability.margin >= 0 ? "" : ", unstable in pitch"}`,
    );
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

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
      ([name, lines]) => `\nOutputs of ${name} move\n${lines.map(moved).join("; ")}\n`,
    ),
    d.events.length === 0 ? "" : `\nEvents\n${d.events.join(", ")}\n`,
    `\nParameters\n${table(
      ["name", "value", "unit", "range", "meaning", "source"],
      d.parameters.map((p) => [p.name, p.word ?? String(p.value), p.unit, p.range, p.meaning, p.source]),
    )}`,
  ].join("");
}
