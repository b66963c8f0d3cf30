/** A servo turns a control surface: it follows its command with a lag and a largest rate, between its stops. */
import type { Field } from "../model/field.ts";

export const SERVO_PARAMETERS: readonly Field[] = [
  { name: "min", unit: "rad", meaning: "smallest angle", min: -3.2, max: 3.2, default: -0.78 },
  { name: "max", unit: "rad", meaning: "largest angle", min: -3.2, max: 3.2, default: 0.78 },
  { name: "tau", unit: "s", meaning: "lag (0: the angle is the command)", min: 0, default: 0, lag: true },
  {
    name: "rate",
    unit: "rad/s",
    meaning: "rate limit",
    above: 0,
    max: Number.POSITIVE_INFINITY,
    default: Number.POSITIVE_INFINITY,
  },
];

export interface ServoParameters {
  min: number;
  max: number;
  tau: number;
  rate: number;
}

/** Numbers a servo has in a table: min, max, one over tau (0 without lag), rate. */
const ROW = 4;

/** All servos' numbers side by side. */
export const servoTable = (servos: readonly ServoParameters[]): Float64Array =>
  Float64Array.from(servos.flatMap(({ min, max, tau, rate }) => [min, max, tau > 0 ? 1 / tau : 0, rate]));

/** The command between the stops. */
export function limitedAngle(min: number, max: number, command: number): number {
  return command > max ? max : command < min ? min : command;
}

/**
 * First-order lag towards the command, no faster than the rate. Angles are states from `first` on, commands inputs from
 * `commanded` on.
 */
export function moveServos(
  table: Float64Array,
  x: Float64Array,
  first: number,
  u: Float64Array,
  commanded: number,
  dx: Float64Array,
): void {
  for (let k = 0, row = 0; row < table.length; k++, row += ROW) {
    const rate = table[row + 3];
    const limited = limitedAngle(table[row], table[row + 1], u[commanded + k]);
    const wanted = (limited - x[first + k]) * table[row + 2];
    dx[first + k] = wanted > rate ? rate : wanted < -rate ? -rate : wanted;
  }
}

/** Where the surfaces stand: servos without lag at their command. */
export function servoAngles(
  table: Float64Array,
  x: Float64Array,
  first: number,
  u: Float64Array,
  commanded: number,
  angles: Float64Array,
): void {
  for (let k = 0, row = 0; row < table.length; k++, row += ROW)
    angles[k] =
      table[row + 2] > 0 ? x[first + k] : limitedAngle(table[row], table[row + 1], u[commanded + k]);
}
