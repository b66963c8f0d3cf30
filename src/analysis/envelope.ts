/** The envelope of steady motion over two axes: margins to the stall and to the control limits, and characteristic flights. */

import type { Vehicle } from "../vehicles/vehicle.ts";
import { usualSpeed } from "../vehicles/vehicle.ts";
import { isRigidBody } from "./motion.ts";
import { reach } from "./polar.ts";
import { type Axis, type Steady, type SweepRequest, steadyAt } from "./sweep.ts";

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
  /** Of what it is an extreme, upward (1) or downward. */
  readonly key: string;
  readonly sign: 1 | -1;
}

/** The two axes that show most of a vehicle. */
export const usualAxes = (vehicle: Vehicle): readonly [string, string] =>
  vehicle.type.sweepAxes?.(vehicle).envelope ??
  (isRigidBody(vehicle.model) ? ["airspeed", "climb"] : ["speed", "lateral"]);

/** From where to where an axis is worth looking: a control all the way, a condition as far as anything trims. */
export function usualRange(vehicle: Vehicle, axis: Axis, base: SweepRequest): [number, number] {
  const isCondition = Object.keys(axis.at(0).condition).length > 0;
  if (!isCondition) return [axis.low, axis.high];
  const usual = usualSpeed(vehicle);
  const tries =
    axis.name === "airspeed"
      ? [usual, 15, 10, 20, 7, 30, 4]
      : axis.name === "speed"
        ? [10, 5, 20, usual, 2, 1]
        : [0];
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
  base: SweepRequest,
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
  const named = namedFlights(cells.filter((c) => c !== undefined));
  return { x, y, xs, ys, cells, named: named.map((n) => refined(vehicle, n, [x, y], [xs, ys], base)) };
}

/** Halvings of a cell by which the end of steady flight is found, and thirds by which its farthest point is. */
const HALVINGS = 12;
const THIRDS = 8;

/**
 * An extreme of what an axis varies lies between the last cell that is steady and the next one, and the other axis may lie between
 * cells, too. At the edge of the range it is the range's.
 */
function refined(
  vehicle: Vehicle,
  named: Named,
  axes: readonly [Axis, Axis],
  values: readonly [readonly number[], readonly number[]],
  base: SweepRequest,
): Named {
  const along = axes.findIndex((a) => a.name === named.key);
  if (along < 0) return named;
  const other = 1 - along;
  const [list, others] = [values[along], values[other]];
  const [at, beside] = [named.at.values[along], named.at.values[other]];
  const i = list.indexOf(at);
  const next = list[i + named.sign];
  if (next === undefined) return { ...named, name: `${named.name} of the range` };
  const flight = (v: number, w: number, start: Steady): Steady | undefined => {
    const pair = along === 0 ? [v, w] : [w, v];
    const found = steadyAt(
      vehicle,
      [
        [axes[0], pair[0]],
        [axes[1], pair[1]],
      ],
      base,
      start.found.unknowns,
    );
    return found !== undefined && (found.numbers.stall_margin ?? 0) >= 0 ? found : undefined;
  };
  /** The farthest flight at one value of the other axis. */
  const farthest = (w: number): Steady | undefined => {
    let best = flight(at, w, named.at);
    if (best === undefined) return undefined;
    let [low, high] = [at, next];
    for (let round = 0; round < HALVINGS; round++) {
      const middle = (low + high) / 2;
      const found = flight(middle, w, best);
      if (found === undefined) high = middle;
      else [low, best] = [middle, found];
    }
    return best;
  };
  const reached = (s: Steady | undefined) =>
    s === undefined ? Number.NEGATIVE_INFINITY : named.sign * s.values[along];
  const j = others.indexOf(beside);
  let [left, right] = [others[Math.max(0, j - 1)], others[Math.min(others.length - 1, j + 1)]];
  let best = farthest(beside) ?? named.at;
  for (let round = 0; round < THIRDS; round++) {
    const [a, b] = [left + (right - left) / 3, right - (right - left) / 3];
    const [fa, fb] = [farthest(a), farthest(b)];
    for (const f of [fa, fb]) if (f !== undefined && reached(f) > reached(best)) best = f;
    if (reached(fa) < reached(fb)) left = a;
    else right = b;
  }
  return { ...named, value: best.numbers[named.key], at: best };
}

/** Of attached flow only; what is the same everywhere has no extreme. */
function namedFlights(cells: readonly Steady[]): Named[] {
  const attached = cells.filter((c) => (c.numbers.stall_margin ?? 0) >= 0);
  const best = (name: string, key: string, unit: string, sign: 1 | -1): Named[] => {
    const list = attached.filter((c) => Number.isFinite(c.numbers[key]));
    const values = list.map((c) => c.numbers[key]);
    if (list.length === 0 || Math.max(...values) - Math.min(...values) < 1e-6) return [];
    const at = list.reduce((a, b) => (sign * b.numbers[key] > sign * a.numbers[key] ? b : a));
    return [{ name, value: at.numbers[key], unit, at, key, sign }];
  };
  const isGlider = attached.every((c) => c.numbers.sink > 1e-6);
  return [
    ...(isGlider ? [...best("best glide", "glide", "1", 1), ...best("minimum sink", "sink", "m/s", -1)] : []),
    ...best("slowest", "airspeed", "m/s", -1),
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
