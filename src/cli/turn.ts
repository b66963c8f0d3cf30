import type { Command } from "commander";
import { usualRange } from "../analysis/envelope.ts";
import { brakeTurns, hasBrakes, TURN_MEAN_BRAKE } from "../analysis/polar.ts";
import { axisOf, sweep, valuesOf } from "../analysis/sweep.ts";
import { svgPanel } from "../formats/svg-chart.ts";
import { RunError } from "../simulation/divergence.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { addConditionFlags, readSteady, type SteadyOptions } from "./conditions.ts";
import { DEGREE, degrees, readable } from "./number-format.ts";
import { addReportFlags, type Report, type ReportOptions, report, validateReportFlags } from "./report.ts";
import { curves, steadyTable } from "./steady-table.ts";

const ROWS = 21;

export function addTurn(program: Command): void {
  const command = program
    .command("turn")
    .description(
      `steady turns: parafoils over differential brake (left - right) about a mean of ${TURN_MEAN_BRAKE}, others over rate of turn or lateral acceleration`,
    )
    .argument("<vehicle>", "a vehicle's name or file");
  addConditionFlags(command);
  addReportFlags(command, "the curves")
    .addHelpText(
      "after",
      "\nExamples:\n  sideslip turn parafoil\n  sideslip turn advanced-plane --airspeed 15 --out turn.svg\n",
    )
    .action(turnCommand);
}

async function turnCommand(name: string, options: SteadyOptions & ReportOptions): Promise<void> {
  validateReportFlags(options);
  const { vehicle, condition, held } = await readSteady(name, options);
  if (hasBrakes(vehicle)) {
    report(vehicle, brakesApart(vehicle), options);
    return;
  }
  const axis = axisOf(vehicle, vehicle.type.sweepAxes?.(vehicle).turn ?? "turn");
  // An aircraft turns in forward flight.
  const isWinged = vehicle.model.coordination?.(vehicle.parameters) === "side force";
  const speed = condition.speed ?? (isWinged ? Math.max(12, vehicle.initial.v_north ?? 0) : 5);
  const base = { condition: axis.name === "turn" ? { ...condition, speed } : condition, held };
  const [, most] = usualRange(vehicle, axis, base);
  const rows = sweep(vehicle, axis, valuesOf(axis, 0, most, ROWS), base);
  if (rows.length < 2) throw new RunError(`${vehicle.name} has no steady turn here; sideslip trim shows why`);
  const last = rows[rows.length - 1];
  report(
    vehicle,
    {
      title: `${vehicle.name}: steady turns at ${readable(last.numbers.airspeed ?? last.numbers.speed, "m/s")}`,
      pieces: [
        { table: steadyTable(rows, axis.name, axis.unit) },
        {
          text: `maximum ${axis.name} ${readable(last.values[0], axis.unit)}, radius ${readable(last.numbers.radius, "m")}`,
        },
      ],
      drawn: () => [{ pictures: curves(rows, axis.name, axis.unit) }],
      json: rows.map(({ numbers, control_margin }) => ({ ...numbers, control_margin })),
    },
    options,
  );
}

function brakesApart(vehicle: Vehicle): Report {
  const found = brakeTurns(vehicle);
  if (found.length === 0) throw new RunError(`${vehicle.name} has no steady turn; sideslip trim shows why`);
  const x = found.map((r) => r.delta_a);
  const panel = (title: string, pick: (r: (typeof found)[number]) => number) =>
    svgPanel({
      title,
      xLabel: "left - right brake",
      yLabel: "",
      series: [{ name: title, x, y: found.map(pick) }],
    });
  return {
    title: `${vehicle.name}: steady turns over differential brake about ${TURN_MEAN_BRAKE}`,
    pieces: [
      {
        table: {
          header: [
            "delta_a (L-R)",
            "yaw rate [rad/s]",
            "yaw rate [deg/s]",
            "roll [deg]",
            "beta [deg]",
            "airspeed [m/s]",
            "sink [m/s]",
          ],
          rows: found.map((r) => [
            r.delta_a.toFixed(2),
            r.yaw_rate.toFixed(4),
            degrees(r.yaw_rate),
            degrees(r.roll),
            degrees(r.beta),
            r.airspeed.toFixed(3),
            r.sink.toFixed(3),
          ]),
        },
      },
    ],
    drawn: () => [
      {
        pictures: [panel("yaw rate [deg/s]", (r) => r.yaw_rate / DEGREE), panel("sink [m/s]", (r) => r.sink)],
      },
    ],
    json: found,
  };
}
