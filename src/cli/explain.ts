import type { Command } from "commander";
import { contributionBars } from "../analysis/contribution-bars.ts";
import { type Contribution, explain } from "../analysis/explain.ts";
import { changedVehicle, collect } from "./inputs.ts";
import {
  addOperatingPointFlags,
  type OperatingPointOptions,
  readOperatingPoint,
  stateOf,
} from "./operating-point.ts";
import { addReportFlags, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { say } from "./terminal.ts";

interface Options extends OperatingPointOptions, ReportOptions {
  readonly set: string[];
}

export function addExplain(program: Command): void {
  const command = program
    .command("explain")
    .description("one instant in detail: every rate, force, moment and coefficient, with its contributions")
    .argument("<vehicle>", "a vehicle's name or file");
  addReportFlags(addOperatingPointFlags(command), "the contributions to each force, moment and coefficient")
    .option("--set <name=value>", "change a parameter (repeatable)", collect, [])
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
  validateReportFlags(options);
  const vehicle = changedVehicle(name, options.set);
  const point = (await readOperatingPoint(vehicle, options)) ?? stateOf(vehicle, undefined);
  const result = explain(vehicle, point.x, point.u, point.wind);
  for (const warning of result.warnings) say(`warning: ${warning}\n`);
  const { states } = vehicle.model;
  const at = point.t === undefined ? "" : ` at t = ${point.t} s`;
  report(
    vehicle,
    {
      title: `${vehicle.name}${at}`,
      pieces: [
        {
          table: {
            header: ["state", "value", "rate", "unit", "meaning"],
            rows: states.map((f, i) => [
              f.name,
              digits(point.x[i]),
              digits(result.derivative[f.name]),
              f.unit,
              f.meaning,
            ]),
          },
        },
        { heading: "Contributions" },
        {
          table: {
            header: ["output", "value", "unit", "share", "symbol", "meaning"],
            rows: result.contributions.flatMap((c) => lines(c, 0)),
          },
        },
      ],
      drawn: () => [{ pictures: contributionBars(result.contributions) }],
      json: { vehicle: vehicle.name, ...(point.t === undefined ? {} : { t: point.t }), ...result },
    },
    options,
  );
}

const digits = (v: number) => String(Number(v.toPrecision(6)));

function lines(c: Contribution, depth: number): string[][] {
  const share = depth === 0 ? "" : `${(100 * c.share).toFixed(1)} %`;
  const line = [`${"  ".repeat(depth)}${c.name}`, digits(c.value), c.unit, share, c.symbol ?? "", c.meaning];
  return [line, ...c.parts.flatMap((part) => lines(part, depth + 1))];
}
