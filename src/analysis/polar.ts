/** Performance from steady flights: glide polar, turns, and characteristic flights such as best glide. */
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { usualSpeed } from "../vehicles/vehicle.ts";
import { type Axis, axisOf, type Steady, type SweepRequest, steadyAt, sweep, valuesOf } from "./sweep.ts";

/** A steady glide at one symmetric brake setting. Speeds in m/s, angles in rad. */
export interface PolarRow {
  readonly brake: number;
  readonly horizontal_speed: number;
  readonly airspeed: number;
  readonly sink: number;
  /** Horizontal speed over sink. */
  readonly glide: number;
  readonly alpha: number;
  readonly pitch: number;
  /** Bank and sideslip, which are not zero where the vehicle is not the same on both sides. */
  readonly roll: number;
  readonly beta: number;
}

const POLAR_BRAKES: readonly number[] = Array.from({ length: 11 }, (_, i) => i / 10);
const ANY: SweepRequest = { condition: {}, held: {} };

export const hasBrakes = ({ model }: Vehicle) => model.inputs.some((f) => f.name === "brake_left_cmd");

/** Steady glide at symmetric brake settings. */
export function brakePolar(vehicle: Vehicle, brakes: readonly number[] = POLAR_BRAKES): PolarRow[] {
  needsBrakes(vehicle);
  return sweep(vehicle, axisOf(vehicle, "brake"), brakes, ANY).map(({ values, numbers }) => {
    const { horizontal_speed, airspeed, sink, alpha, pitch, roll, beta } = numbers;
    const glide = horizontal_speed / sink;
    return { brake: values[0], horizontal_speed, airspeed, sink, glide, alpha, pitch, roll, beta };
  });
}

function needsBrakes(vehicle: Vehicle): void {
  if (!hasBrakes(vehicle)) throw new InputError(`${vehicle.name} has no brakes: this table is for parafoils`);
}

/** A steady turn at one differential brake setting. */
export interface TurnRow {
  /** Left brake minus right brake. */
  readonly delta_a: number;
  /** Rate of turn over ground, positive to the right [rad/s]. */
  readonly yaw_rate: number;
  readonly roll: number;
  readonly beta: number;
  readonly airspeed: number;
  readonly sink: number;
}

const TURN_DIFFERENCES: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5];
/** Symmetric brake about which the turn table is flown. */
export const TURN_MEAN_BRAKE = 0.25;

/** Steady turns with the brakes differing by delta_a about their mean. */
export function brakeTurns(
  vehicle: Vehicle,
  differences: readonly number[] = TURN_DIFFERENCES,
  mean = TURN_MEAN_BRAKE,
): TurnRow[] {
  needsBrakes(vehicle);
  const axis: Axis = {
    name: "delta_a",
    unit: "1",
    low: -1,
    high: 1,
    usual: 1,
    at: (d) => ({ condition: {}, held: { brake_left_cmd: mean + d / 2, brake_right_cmd: mean - d / 2 } }),
  };
  return sweep(vehicle, axis, differences, ANY).map(({ values, numbers }) => {
    const { turn, roll, beta, airspeed, sink } = numbers;
    return { delta_a: values[0], yaw_rate: turn, roll, beta, airspeed, sink };
  });
}

/** With all rotors stopped. */
export function gliding({ model, parameters }: Vehicle): SweepRequest {
  const rotors = (model.controls?.(parameters) ?? []).filter((c) => c.isPropulsion);
  return {
    condition: {},
    held: Object.fromEntries(rotors.flatMap((c) => c.inputs.map((name) => [name, 0]))),
  };
}

/** How far an axis reaches from a value that trims, within what is usual: by even steps, and then by halves. */
export function reach(
  vehicle: Vehicle,
  axis: Axis,
  from: number,
  base: SweepRequest,
  holds?: (s: Steady) => boolean,
): [number, number] {
  const isIn = (s: Steady) => holds === undefined || holds(s);
  const first = steadyAt(vehicle, [[axis, from]], base);
  if (first === undefined || !isIn(first)) return [from, from];
  const [low, high] = [Math.max(axis.low, -axis.usual), Math.min(axis.high, axis.usual)];
  const whole = (high - low) / 40;
  return [-1, 1].map((sign) => {
    let [at, last] = [from, first];
    for (let step = whole; step > 0.03 * whole; ) {
      const next = Math.max(low, Math.min(high, at + sign * step));
      if (next === at) break;
      const steady = steadyAt(vehicle, [[axis, next]], base, last.found.unknowns);
      if (steady !== undefined && isIn(steady)) [at, last] = [next, steady];
      else step /= 2;
    }
    return at;
  }) as [number, number];
}

export interface Glide {
  readonly rows: readonly Steady[];
  readonly best: Steady;
  readonly minimum_sink: Steady;
  /** Where the angle of attack comes to the stall, or a control to its limit before. */
  readonly slowest: Steady;
}

/** The speed polar of an aircraft that glides with its rotors stopped, or nothing where it does not. */
export function glidePolar(vehicle: Vehicle, count = 17): Glide | undefined {
  const base = gliding(vehicle);
  const axis = axisOf(vehicle, "airspeed");
  const isAttached = (s: Steady) => (s.numbers.stall_margin ?? 0) >= 0 && s.numbers.glide > 0;
  const start = [1, 1.3, 0.8, 1.7]
    .map((f) => f * (usualSpeed(vehicle) || 15))
    .find((v) => {
      const s = steadyAt(vehicle, [[axis, v]], base);
      return s !== undefined && isAttached(s);
    });
  if (start === undefined) return undefined;
  const [slow, fast] = reach(vehicle, { ...axis, low: 0.1, usual: 3 * start }, start, base, isAttached);
  const rows = sweep(vehicle, axis, valuesOf(axis, slow, Math.min(fast, 3 * slow), count), base);
  const value = (pick: (s: Steady) => number) => extreme(vehicle, axis, base, rows, pick);
  return {
    rows,
    best: value((s) => s.numbers.glide),
    minimum_sink: value((s) => -s.numbers.sink),
    slowest: rows[0],
  };
}

/** The flight for which a quantity is largest: the best row, improved by parabolas through its neighbours. */
export function extreme(
  vehicle: Vehicle,
  axis: Axis,
  base: SweepRequest,
  rows: readonly Steady[],
  pick: (s: Steady) => number,
): Steady {
  const best = rows.reduce((a, b) => (pick(b) > pick(a) ? b : a));
  const i = rows.indexOf(best);
  if (i === 0 || i === rows.length - 1) return best;
  let three = [rows[i - 1], best, rows[i + 1]];
  for (let round = 0; round < 4; round++) {
    const [[a, b, c], [fa, fb, fc]] = [three.map((s) => s.values[0]), three.map(pick)];
    const [left, right] = [(b - a) * (fb - fc), (b - c) * (fb - fa)];
    const vertex = b - ((b - a) * left - (b - c) * right) / (2 * (left - right));
    if (!(vertex > a && vertex < c) || Math.abs(vertex - b) < 1e-7 * Math.abs(b)) break;
    const next = steadyAt(vehicle, [[axis, vertex]], base, three[1].found.unknowns);
    if (next === undefined || pick(next) <= fb) break;
    three = vertex < b ? [three[0], next, three[1]] : [three[1], next, three[2]];
  }
  return three[1];
}
