import type { Command } from "commander";
import { svgCharts } from "../formats/svg-chart.ts";
import { atan2 } from "../math/elementary.ts";
import { InputError } from "../model/input-error.ts";
import {
  type Envelope,
  envelope,
  type SteadyCircle,
  type StraightLine,
  steadyCircle,
  straightLine,
} from "../vehicle-types/car/handling.ts";
import { asCar } from "../vehicle-types/car.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { OutputFile } from "./files.ts";
import { changedVehicle, collect, warnings } from "./inputs.ts";
import { addNumberFlags, readNumberFlags } from "./number-flags.ts";
import { Progress } from "./progress.ts";
import { printJson, table } from "./table.ts";
import { print, say } from "./terminal.ts";

const G = 9.81;
const degrees = (rad: number) => ((rad * 180) / Math.PI).toFixed(2);
/** Speeds of the g-g diagram [m/s]. */
const SPEEDS = [8, 12, 16, 20, 25];
/** Of the skidpad's centre line [m]. */
const RADIUS = 9.125;

interface Options {
  readonly set: string[];
  readonly out?: string;
  readonly json?: boolean;
}

const FLAGS = {
  radius: { unit: "m", meaning: `of the steady circle (default: ${RADIUS}, the skidpad)`, min: 3, max: 1e4 },
};

export function addHandling(program: Command): void {
  const command = program
    .command("handling")
    .description("cars: steady circle, understeer gradient, limits (g-g diagram), acceleration and braking")
    .argument("<vehicle>", "a vehicle's name or file")
    .option(
      "--set <name=value>",
      "change a parameter, as in --set friction_ellipse=on (repeatable)",
      collect,
      [],
    )
    .option("--out <file>", "draw the g-g diagram and the steady circle (.svg)")
    .option("--json", "print everything as JSON (SI, radians)")
    .addHelpText(
      "after",
      `
Examples:
  sideslip handling formula-student --out gg.svg
  sideslip handling formula-student --set friction_ellipse=on --set longitudinal_limit=on --out gg.svg
`,
    )
    .action(handlingCommand);
  addNumberFlags(command, FLAGS);
}

function handlingCommand(name: string, options: Options): void {
  if (options.out !== undefined && !/\.svg$/i.test(options.out))
    throw new InputError("is not the name of an SVG picture", {
      field: "--out",
      value: options.out,
      allowed: "x.svg",
    });
  const { radius = RADIUS } = readNumberFlags(FLAGS, options);
  const vehicle = asCar(changedVehicle(name, options.set));
  if (vehicle === undefined)
    throw new InputError(`${name} is not a car`, { allowed: "a car, such as formula-student" });
  for (const warning of warnings(vehicle)) say(`note: please check: ${warning}\n`);
  const progress = new Progress();
  const circle = steadyCircle(vehicle, radius);
  const limits = SPEEDS.map((v, i) => {
    progress.update(i, SPEEDS.length, `g-g diagram at ${v} m/s`);
    return envelope(vehicle, v);
  });
  const straight = straightLine(vehicle);
  progress.clear();
  if (options.out !== undefined) {
    const file = new OutputFile(options.out);
    file.write(picture(vehicle, circle, limits));
    file.finish();
  }
  if (options.json) printJson({ circle, g_g: limits, straight });
  else printResults(vehicle, radius, circle, limits, straight);
  if (options.out !== undefined && !options.json) print(`wrote ${options.out}\n`);
}

function printResults(
  vehicle: Vehicle,
  radius: number,
  circle: SteadyCircle,
  limits: readonly Envelope[],
  straight: StraightLine,
): void {
  const rows = circle.rows.filter((r, i) => r === circle.limit || (i + 1) % 8 === 0);
  print(
    `${vehicle.name}: steady circle of ${radius} m\n${table(
      ["a_y [m/s^2]", "v [m/s]", "steering [deg]", "sideslip [deg]", "understeer [deg]", "torque [N m]"],
      rows.map((r) => [
        r.a_y.toFixed(2),
        r.v_x.toFixed(2),
        degrees(r.delta),
        degrees(atan2(r.v_y, r.v_x)),
        degrees(r.understeer),
        r.tau.toFixed(1),
      ]),
    )}`,
  );
  const facts: [string, string][] = [
    ["understeer gradient", `${degrees(circle.understeer_gradient * G)} deg/g`],
    [
      "lateral limit",
      `${circle.limit.a_y.toFixed(2)} m/s^2 (${(circle.limit.a_y / G).toFixed(2)} g), a lap in ${circle.lap_time.toFixed(3)} s`,
    ],
    [
      "75 m from standstill",
      `${straight.acceleration_time.toFixed(3)} s, ${straight.acceleration_speed.toFixed(1)} m/s at the end`,
    ],
    ["0 to 100 km/h", straight.to_100 > 0 ? `${straight.to_100.toFixed(3)} s` : "not within 75 m"],
    [
      "20 m/s to standstill",
      `${straight.braking_time.toFixed(2)} s, ${straight.braking_distance.toFixed(2)} m`,
    ],
  ];
  const width = Math.max(...facts.map(([k]) => k.length));
  print(facts.map(([k, v]) => `  ${k.padEnd(width)}  ${v}\n`).join(""));
  print(
    `\nlimits at constant speed, equal torque on all wheels\n${table(
      ["v [m/s]", "braking [m/s^2]", "lateral [m/s^2]", "driving [m/s^2]"],
      limits.map(({ v_x, points }) => [
        v_x.toFixed(0),
        points[0].a_x.toFixed(2),
        Math.max(...points.map((q) => q.a_y)).toFixed(2),
        points[points.length - 1].a_x.toFixed(2),
      ]),
    )}`,
  );
}

function picture(vehicle: Vehicle, circle: SteadyCircle, limits: readonly Envelope[]): string {
  const a_y = circle.rows.map((r) => r.a_y / G);
  return svgCharts([
    {
      title: `g-g diagram, ${vehicle.name}`,
      xLabel: "lateral acceleration [g]",
      yLabel: "driving (+) and braking (-) [g]",
      series: limits.map(({ v_x, points }) => ({
        name: `${v_x} m/s`,
        x: [...points.map((q) => -q.a_y / G), ...points.map((q) => q.a_y / G).reverse(), -points[0].a_y / G],
        y: [...points.map((q) => q.a_x / G), ...points.map((q) => q.a_x / G).reverse(), points[0].a_x / G],
      })),
    },
    {
      title: `steady circle of ${circle.radius} m`,
      xLabel: "lateral acceleration [g]",
      yLabel: "[deg]",
      series: [
        { name: "steering", x: a_y, y: circle.rows.map((r) => Number(degrees(r.delta))) },
        { name: "sideslip", x: a_y, y: circle.rows.map((r) => Number(degrees(atan2(r.v_y, r.v_x)))) },
        { name: "understeer", x: a_y, y: circle.rows.map((r) => Number(degrees(r.understeer))) },
      ],
    },
  ]);
}
