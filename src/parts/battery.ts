/** A battery: open-circuit voltage falling along its discharge curve, less what its resistance takes. */
import { type Field, list } from "../model/field.ts";

/** A battery with a discharge curve of so many points. */
export const batteryParameters = (points: number): readonly Field[] => [
  { name: "battery.capacity", unit: "A s", meaning: 'charge when full ("4 Ah")', above: 0 },
  { name: "battery.resistance", unit: "ohm", meaning: "internal resistance", min: 0, default: 0 },
  ...list("battery.used", points, {
    unit: "1",
    meaning: "part of the capacity used",
    min: 0,
    max: 1,
    increasing: true,
  }),
  ...list("battery.voltage", points, { unit: "V", meaning: "open-circuit voltage at each point", min: 0 }),
];

export interface BatteryParameters {
  capacity: number;
  resistance: number;
  used: Record<number, number>;
  voltage: Record<number, number>;
  /** Derived: points of the curve. */
  points: number;
}

export function deriveBattery(p: BatteryParameters): void {
  p.points = Object.keys(p.used).length;
}

/** Once it is empty the voltage breaks down within this part of the capacity. */
const COLLAPSE = 0.02;

/** Linear between the points of the curve, nothing beyond the capacity. */
export function openCircuitVoltage(p: BatteryParameters, charge: number): number {
  const used = charge / p.capacity;
  let v = p.voltage[1];
  for (let i = 1; i < p.points; i++) {
    const s = (used - p.used[i]) / (p.used[i + 1] - p.used[i]);
    const part = s > 1 ? 1 : s > 0 ? s : 0;
    v += part * (p.voltage[i + 1] - p.voltage[i]);
  }
  const left = 1 - (used - 1) / COLLAPSE;
  return used > 1 ? (left > 0 ? left * v : 0) : v;
}
