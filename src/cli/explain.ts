import type { Command } from "commander";
import { type Contribution, explain } from "../analysis/explain.ts";
import { changedVehicle, collect } from "./inputs.ts";
import { addInstantFlags, type InstantOptions, readInstant, stateOf } from "./instant.ts";
import { printJson, table } from "./table.ts";

interface Options extends InstantOptions {
  readonly set: string[];
  readonly json?: boolean;
}

export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description("one instant taken apart: every rate, force, moment and coefficient, and what adds up to it")
    .argument("<vehicle>", "a vehicle's name or file");
  addInstantFlags(command)
    .option("--set <name=value>", "change a parameter (repeatable)", collect, [])
    .option("--json", "print as JSON: derivative and outputs by name, and the contributions")
    .addHelpText(
      "after",
      `
Examples:
  sideslip explain advanced-plane --state state.json
  sideslip run parafoil --out flight.csv && sideslip explain parafoil --run flight.csv --at 12.3
`,
    )
    .action(explainCommand);
}

async function explainCommand(name: string, options: Options): Promise<void> {
  const vehicle = changedVehicle(name, options.set);
  const instant = (await readInstant(vehicle, options)) ?? stateOf(vehicle, undefined);
  const result = explain(vehicle, instant.x, instant.u, instant.wind);
  for (const warning of result.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (options.json) {
    printJson({ vehicle: vehicle.name, ...(instant.t === undefined ? {} : { t: instant.t }), ...result });
    return;
  }
  const { states } = vehicle.model;
  process.stdout.write(
    `${vehicle.name}${instant.t === undefined ? "" : ` at t = ${instant.t} s`}\n${table(
      ["state", "value", "rate", "unit", "meaning"],
      states.map((f, i) => [
        f.name,
        digits(instant.x[i]),
        digits(result.derivative[f.name]),
        f.unit,
        f.meaning,
      ]),
    )}\n${table(
      ["output", "value", "unit", "share", "meaning"],
      result.contributions.flatMap((c) => lines(c, 0)),
    )}`,
  );
}

const digits = (v: number) => String(Number(v.toPrecision(6)));

function lines(c: Contribution, depth: number): string[][] {
  const share = depth === 0 ? "" : `${(100 * c.share).toFixed(1)} %`;
  const line = [`${"  ".repeat(depth)}${c.name}`, digits(c.value), c.unit, share, c.meaning];
  return [line, ...c.parts.flatMap((part) => lines(part, depth + 1))];
}
