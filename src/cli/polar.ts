import type { Command } from "commander";
import { POLAR_BRAKES, polarRow, TURN_DIFFERENCES, TURN_MEAN_BRAKE, turnRow } from "../analysis/polar.ts";
import { changedVehicle, collect } from "./inputs.ts";
import { Progress } from "./progress.ts";
import { printJson, table } from "./table.ts";

const degrees = (rad: number) => ((rad * 180) / Math.PI).toFixed(2);

/** Rows one after another, with progress. */
function rows<T>(settings: readonly number[], row: (setting: number) => T): T[] {
  const progress = new Progress();
  const out = settings.map((s, i) => {
    progress.update(i, settings.length, `flight ${i + 1} of ${settings.length}`);
    return row(s);
  });
  progress.clear();
  return out;
}

export function addPolar(program: Command): void {
  program
    .command("polar")
    .description("steady glide over symmetric brake: speeds, sink, glide ratio")
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--set <name=value>", "change a parameter, as in --set m=3 (repeatable)", collect, [])
    .option("--json", "print the rows as JSON (SI, radians)")
    .addHelpText("after", "\nExample:\n  sideslip polar parafoil\n")
    .action((name: string, options: { json?: boolean; set: string[] }) => {
      const vehicle = changedVehicle(name, options.set);
      const found = rows(POLAR_BRAKES, (brake) => polarRow(vehicle, brake));
      if (options.json) return printJson(found);
      const header = [
        "brake",
        "horizontal speed [m/s]",
        "airspeed [m/s]",
        "sink [m/s]",
        "glide",
        "alpha [deg]",
        "pitch [deg]",
      ];
      process.stdout.write(
        table(
          header,
          found.map((r) => [
            r.brake.toFixed(1),
            r.horizontal_speed.toFixed(3),
            r.airspeed.toFixed(3),
            r.sink.toFixed(3),
            r.glide.toFixed(2),
            degrees(r.alpha),
            degrees(r.pitch),
          ]),
        ),
      );
    });
}

export function addTurn(program: Command): void {
  program
    .command("turn")
    .description(
      `steady turn over differential brake (left - right) about a mean brake of ${TURN_MEAN_BRAKE}`,
    )
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--set <name=value>", "change a parameter, as in --set m=3 (repeatable)", collect, [])
    .option("--json", "print the rows as JSON (SI, radians)")
    .addHelpText("after", "\nExample:\n  sideslip turn parafoil\n")
    .action((name: string, options: { json?: boolean; set: string[] }) => {
      const vehicle = changedVehicle(name, options.set);
      const found = rows(TURN_DIFFERENCES, (delta) => turnRow(vehicle, delta));
      if (options.json) return printJson(found);
      const header = [
        "delta_a (L-R)",
        "yaw rate [rad/s]",
        "yaw rate [deg/s]",
        "roll [deg]",
        "beta [deg]",
        "airspeed [m/s]",
        "sink [m/s]",
      ];
      process.stdout.write(
        table(
          header,
          found.map((r) => [
            r.delta_a.toFixed(2),
            r.yaw_rate.toFixed(4),
            degrees(r.yaw_rate),
            degrees(r.roll),
            degrees(r.beta),
            r.airspeed.toFixed(3),
            r.sink.toFixed(3),
          ]),
        ),
      );
    });
}
