import type { Command } from "commander";
import { aeroPolar, anglesBetween } from "../analysis/aero-polar.ts";
import { POLAR_BRAKES, polarRow, TURN_DIFFERENCES, TURN_MEAN_BRAKE, turnRow } from "../analysis/polar.ts";
import { svgCharts } from "../formats/svg-chart.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { OutputFile } from "./files.ts";
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
    .description(
      "parafoils: steady glide over symmetric brake; aircraft: lift, drag and pitch over angle of attack",
    )
    .argument("<vehicle>", "a vehicle's name or file")
    .option("--set <name=value>", "change a parameter, as in --set m=3 (repeatable)", collect, [])
    .option("--out <file>", "draw the coefficients over -180..180 deg (.svg; aircraft)")
    .option("--json", "print the rows as JSON (SI, radians)")
    .addHelpText(
      "after",
      "\nExamples:\n  sideslip polar parafoil\n  sideslip polar advanced-plane --out polar.svg\n",
    )
    .action((name: string, options: { json?: boolean; set: string[]; out?: string }) => {
      const vehicle = changedVehicle(name, options.set);
      if (!vehicle.model.inputs.some((f) => f.name === "brake_left_cmd"))
        return coefficients(vehicle, options);
      if (options.out !== undefined)
        throw new InputError("draws the coefficients of aircraft", {
          field: "--out",
          allowed: "an aircraft",
        });
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

const DEGREE = Math.PI / 180;

function coefficients(vehicle: Vehicle, options: { json?: boolean; out?: string }): void {
  if (options.out !== undefined && !/\.svg$/i.test(options.out))
    throw new InputError("is not a picture", { field: "--out", value: options.out, allowed: "x.svg" });
  const near = aeroPolar(vehicle, anglesBetween(-10 * DEGREE, 24 * DEGREE, 17));
  if (options.out !== undefined) {
    const file = new OutputFile(options.out);
    file.write(polarPicture(vehicle));
    file.finish();
  }
  if (options.json) {
    printJson(near);
    return;
  }
  process.stdout.write(
    `${vehicle.name}: area ${near.area.toPrecision(4)} m^2, chord ${near.chord.toPrecision(4)} m, controls in the middle\n`,
  );
  process.stdout.write(
    table(
      ["alpha [deg]", "CL", "CD", "CL/CD", "Cm"],
      near.rows.map((r) => [
        (r.alpha / DEGREE).toFixed(1),
        r.CL.toFixed(4),
        r.CD.toFixed(4),
        (r.CL / r.CD).toFixed(2),
        r.Cm.toFixed(4),
      ]),
    ),
  );
  if (options.out !== undefined) process.stdout.write(`wrote ${options.out}\n`);
}

/** All the way round, and the drag polar near attached flow. */
function polarPicture(vehicle: Vehicle): string {
  const { rows } = aeroPolar(vehicle, anglesBetween(-180 * DEGREE, 180 * DEGREE, 720));
  const near = aeroPolar(vehicle, anglesBetween(-10 * DEGREE, 20 * DEGREE, 120)).rows;
  const alpha = rows.map((r) => r.alpha / DEGREE);
  const over = (title: string, yLabel: string, pick: (r: (typeof rows)[number]) => number) => ({
    title,
    xLabel: "angle of attack [deg]",
    yLabel,
    series: [{ name: vehicle.name, x: alpha, y: rows.map(pick) }],
  });
  return svgCharts([
    over("lift", "CL", (r) => r.CL),
    over("drag", "CD", (r) => r.CD),
    over("pitch about the centre of mass", "Cm", (r) => r.Cm),
    {
      title: "drag polar, -10 to 20 deg",
      xLabel: "CD",
      yLabel: "CL",
      series: [{ name: vehicle.name, x: near.map((r) => r.CD), y: near.map((r) => r.CL) }],
    },
  ]);
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
