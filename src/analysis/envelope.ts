/** All steady motion over two axes: where it is, how near to the stall and to the controls' limits, and which flights have names. */

import type { Vehicle } from "../model/model.ts";
import { isRigidBody } from "./motion.ts";
import { hasBrakes, reach } from "./polar.ts";
import { type Ask, type Axis, type Steady, steadyAt } from "./sweep.ts";
import { usualSpeed } from "./trim.ts";

export interface EnvelopeMap {
  readonly x: Axis;
  readonly y: Axis;
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Row by row of y; undefined where nothing is steady. */
  readonly cells: readonly (Steady | undefined)[];
  readonly named: readonly Named[];
}

export interface Named {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly at: Steady;
}

/** The two axes that say most of a kind of vehicle. */
export function usualAxes(vehicle: Vehicle): [string, string] {
  if (!isRigidBody(vehicle.model)) return ["speed", "lateral"];
  if (hasBrakes(vehicle)) return ["brake_left", "brake_right"];
  return vehicle.model.coordination?.(vehicle.parameters) === "side force"
    ? ["airspeed", "turn"]
    : ["airspeed", "climb"];
}

/** From where to where an axis is worth looking: a control all the way, a condition as far as anything trims. */
export function usualRange(vehicle: Vehicle, axis: Axis, base: Ask): [number, number] {
  const isCondition = Object.keys(axis.at(0).condition).length > 0;
  if (!isCondition) return [axis.low, axis.high];
  const usual = usualSpeed(vehicle);
  const tries =
    axis.name === "airspeed" ? [usual, 15, 10, 20, 7, 30, 4] : axis.name === "speed" ? [10, 5, 20] : [0];
  const start =
    tries.find((v) => v >= axis.low && steadyAt(vehicle, [[axis, v]], base) !== undefined) ?? tries[0];
  const [low, high] = reach(vehicle, axis, start, base);
  return axis.name === "turn" || axis.name === "lateral" || axis.name === "bank" ? [0, high] : [low, high];
}

/** A neighbour's solution is where each search begins; where that fails, the usual start. */
export function envelopeMap(
  vehicle: Vehicle,
  x: Axis,
  y: Axis,
  xs: readonly number[],
  ys: readonly number[],
  base: Ask,
  onRow: (done: number) => void = () => {},
): EnvelopeMap {
  const cells: (Steady | undefined)[] = [];
  ys.forEach((b, j) => {
    xs.forEach((a, i) => {
      const beside = (i > 0 ? cells[cells.length - 1] : undefined) ?? cells[cells.length - xs.length];
      cells.push(
        steadyAt(
          vehicle,
          [
            [x, a],
            [y, b],
          ],
          base,
          beside?.found.unknowns,
        ),
      );
    });
    onRow(j + 1);
  });
  return { x, y, xs, ys, cells, named: namedFlights(cells.filter((c) => c !== undefined)) };
}

/** Of attached flow only; what is the same everywhere has no extreme. */
function namedFlights(cells: readonly Steady[]): Named[] {
  const attached = cells.filter((c) => (c.numbers.stall_margin ?? 0) >= 0);
  const best = (name: string, key: string, unit: string, sign: number): Named[] => {
    const list = attached.filter((c) => Number.isFinite(c.numbers[key]));
    const values = list.map((c) => c.numbers[key]);
    if (list.length === 0 || Math.max(...values) - Math.min(...values) < 1e-6) return [];
    const at = list.reduce((a, b) => (sign * b.numbers[key] > sign * a.numbers[key] ? b : a));
    return [{ name, value: at.numbers[key], unit, at }];
  };
  const isGlider = attached.every((c) => c.numbers.sink > 1e-6);
  const isStalling = cells.length > attached.length;
  return [
    ...(isGlider ? [...best("best glide", "glide", "1", 1), ...best("minimum sink", "sink", "m/s", -1)] : []),
    ...best(isStalling ? "slowest, next to the stall" : "slowest", "airspeed", "m/s", -1),
    ...best("fastest", "airspeed", "m/s", 1),
    ...best("slowest", "speed", "m/s", -1),
    ...best("fastest", "speed", "m/s", 1),
    ...best("most lateral acceleration", "lateral", "m/s^2", 1),
    ...(isGlider ? [] : best("most climb", "climb", "m/s", 1)),
    ...best("maximum turn rate", "turn", "rad/s", 1),
    ...best("tightest turn", "radius", "m", -1),
    ...best("largest load factor", "load_factor", "1", 1),
    ...best("least power", "power", "W", -1),
  ];
}
