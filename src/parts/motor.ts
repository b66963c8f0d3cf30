/** What turns a rotor: a speed that follows its command with a lag, or an electric motor on a battery. */
import type { Field } from "../model/field.ts";

/** Drive as Gazebo has it. */
export const LAG_PARAMETERS: readonly Field[] = [
  { name: "maxRotVelocity", unit: "rad/s", meaning: "largest speed a command can ask for", above: 0 },
  { name: "timeConstantUp", unit: "s", meaning: "lag when speeding up", min: 0, default: 0.0125, lag: true },
  {
    name: "timeConstantDown",
    unit: "s",
    meaning: "lag when slowing down",
    min: 0,
    default: 0.025,
    lag: true,
  },
];

/** Drive as hakoniwa has it; the rotor's inertia is its own parameter. */
export const ELECTRIC_PARAMETERS: readonly Field[] = [
  { name: "motor.R", unit: "ohm", meaning: "winding resistance", above: 0 },
  { name: "motor.K", unit: "V s/rad", meaning: "back-EMF constant, equal to torque over current", above: 0 },
  { name: "motor.D", unit: "N m s/rad", meaning: "friction torque over speed", min: 0, default: 0 },
];

export interface LagParameters {
  maxRotVelocity: number;
  timeConstantUp: number;
  timeConstantDown: number;
  /** Derived: 1 where the speed is the command; one over each time constant, 0 where there is none. */
  isIdeal: number;
  rateUp: number;
  rateDown: number;
}
export interface ElectricParameters {
  motor: { R: number; K: number; D: number };
  inertia: number;
}

export function limitedCommand(fastest: number, command: number): number {
  return command < fastest ? command : fastest;
}

/** First-order lag towards a speed, up and down at different rates [1/s]. */
export function lagAcceleration(rateUp: number, rateDown: number, omega: number, target: number): number {
  return (target - omega) * (target > omega ? rateUp : rateDown);
}

/** A rotor without lag, or (with an electric motor) without command of its speed, does not follow one. */
export function deriveLag(p: LagParameters): void {
  const isLagging = p.timeConstantUp > 0 && p.timeConstantDown > 0;
  p.isIdeal = p.timeConstantUp === 0 ? 1 : 0;
  p.rateUp = isLagging ? 1 / p.timeConstantUp : 0;
  p.rateDown = isLagging ? 1 / p.timeConstantDown : 0;
  p.maxRotVelocity ??= Number.POSITIVE_INFINITY;
}

/** Winding current of a motor that gets the part `duty` of the voltage. */
export function motorCurrent(p: ElectricParameters, omega: number, duty: number, voltage: number): number {
  return (voltage * duty - p.motor.K * omega) / p.motor.R;
}

/** J omega' = K i - Q - D omega. */
export function electricAcceleration(
  p: ElectricParameters,
  omega: number,
  current: number,
  Q: number,
): number {
  return (p.motor.K * current - Q - p.motor.D * omega) / p.inertia;
}

/** Duty is a part of the whole. */
export const limitedDuty = (duty: number): number => (duty > 1 ? 1 : duty > 0 ? duty : 0);
