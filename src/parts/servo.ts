/** A servo turns a control surface: it follows its command with a lag and a largest rate, between its stops. */
import type { Field } from "../model/field.ts";

export const SERVO_PARAMETERS: readonly Field[] = [
  { name: "min", unit: "rad", meaning: "smallest angle", min: -3.2, max: 3.2, default: -0.78 },
  { name: "max", unit: "rad", meaning: "largest angle", min: -3.2, max: 3.2, default: 0.78 },
  { name: "tau", unit: "s", meaning: "lag (0: the angle is the command)", min: 0, default: 0, lag: true },
  {
    name: "rate",
    unit: "rad/s",
    meaning: "fastest turning",
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

/** The command between the stops. */
export function limitedAngle(p: ServoParameters, command: number): number {
  return command > p.max ? p.max : command < p.min ? p.min : command;
}

/** First-order lag towards the command, no faster than the rate; without lag the angle is the command. */
export function servoRate(p: ServoParameters, angle: number, command: number): number {
  const wanted = p.tau > 0 ? (limitedAngle(p, command) - angle) / p.tau : 0;
  return wanted > p.rate ? p.rate : wanted < -p.rate ? -p.rate : wanted;
}
