/** The fastest speed along a line that grip, motors and brakes allow: corners first, then braking backwards, then driving forwards. */
import type { CenterLine } from "../../../environment/track/track.ts";
import { type CarParameters, downforce } from "../../../vehicles/car/parameters.ts";

/** Limits of a driver. */
export interface DriverLimits {
  /** Part of the tyres' peak friction. */
  readonly grip: number;
  /** [m/s] */
  readonly topSpeed: number;
}

/** With load sensitivity that of a wheel which carries its axle alone, as in a corner. */
const lateralPeak = (p: CarParameters): number =>
  p.load_sensitivity === 1 ? p.d1a * ((p.m * p.g) / 2) + p.d2a : p.Da;

/** Of the peak, what the options leave to count on: an inner wheel that drives has no side force left. */
const COMBINED = 0.85;
const usable = (p: CarParameters, { grip }: DriverLimits): number =>
  grip * Math.min(lateralPeak(p), p.Ds) * (p.friction_ellipse === 1 ? COMBINED : 1);

/** Friction budget at a speed, downforce included [m/s^2]. */
export const gripAt = (p: CarParameters, limits: DriverLimits, v: number): number =>
  usable(p, limits) * (p.g + downforce(p, v) / p.m);

/** Speed at every point of the line [m/s]; an open line ends at rest. */
export function speedProfile(line: CenterLine, p: CarParameters, limits: DriverLimits): Float64Array {
  const { s, kappa, isClosed, length } = line;
  const n = s.length;
  const v = new Float64Array(n);
  const part = usable(p, limits);
  for (let i = 0; i < n; i++) {
    // v^2 kappa = grip (g + C v^2/2m): with enough downforce there is no limit.
    const left = Math.abs(kappa[i]) - (part * downforce(p, 1)) / p.m;
    v[i] = left > 0 ? Math.min(limits.topSpeed, Math.sqrt((part * p.g) / left)) : limits.topSpeed;
  }
  if (!isClosed) v[n - 1] = 0;
  const gap = (i: number) => (i + 1 < n ? s[i + 1] : length) - s[i];
  /** What is left of the friction for driving and braking [m/s^2]. */
  const along = (i: number) => {
    const most = gripAt(p, limits, v[i]);
    const used = (v[i] * v[i] * Math.abs(kappa[i])) / most;
    return most * Math.sqrt(Math.max(0, 1 - used * used));
  };
  const drive = (4 * p.C_m0 * p.torque_max) / p.m;
  const rounds = isClosed ? 2 * n : n - 1;
  for (let k = rounds - 1; k >= 0; k--) {
    const [i, next] = [k % n, (k + 1) % n];
    const a = Math.min(along(next), drive);
    v[i] = Math.min(v[i], Math.sqrt(v[next] * v[next] + 2 * a * gap(i)));
  }
  for (let k = 0; k < rounds; k++) {
    const [i, next] = [k % n, (k + 1) % n];
    // From standstill too: the profile's speed at the first point is not the car's.
    const a = Math.min(along(i), drive);
    v[next] = Math.min(v[next], Math.sqrt(v[i] * v[i] + 2 * a * gap(i)));
  }
  return v;
}
