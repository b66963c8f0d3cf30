/** Lift, drag and pitching moment of an aircraft over angle of attack: controls in the middle, rotors still, nothing turning. */

import { cos, sin } from "../../math/elementary.ts";
import { InputError } from "../../model/input-error.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { windTunnel } from "./fixed-wing/wind-tunnel.ts";

export interface AeroRow {
  /** [rad] */
  readonly alpha: number;
  readonly CL: number;
  readonly CD: number;
  /** About the centre of mass. */
  readonly Cm: number;
}
/** Lift, drag and pitching-moment coefficients over angle of attack, and what they refer to. */
export interface AeroPolar {
  /** What the coefficients refer to [m^2, m]. */
  readonly area: number;
  readonly chord: number;
  readonly rows: readonly AeroRow[];
}

const V = 15;

/** The surfaces that lift upward count for the area; the chord is a set's own, or that of a wing of aspect ratio 6. */
function references(p: AircraftParameters): { area: number; chord: number } {
  const wings = Object.values(p.surfaces ?? {}).filter((s) => s.frame[8] > 0.7);
  const area = wings.reduce((sum, s) => sum + s.area, 0);
  return { area, chord: wings.find((s) => s.span > 0)?.chord ?? Math.sqrt(area / 6) };
}

/** Whether it has surfaces that lift upward. */
export const hasLift = ({ parameters }: Vehicle<AircraftParameters>): boolean =>
  references(parameters).area > 0;

/**
 * Coefficients of an aircraft at angles of attack [rad]: controls neutral, rotors stopped, no rotation.
 *
 * @throws InputError where the aircraft has no lifting surface
 */
export function aeroPolar(vehicle: Vehicle<AircraftParameters>, angles: readonly number[]): AeroPolar {
  const { model, parameters: p } = vehicle;
  if (!hasLift(vehicle))
    throw new InputError(`${vehicle.name} has neither brakes nor lifting surfaces, so it has no polar`);
  const { area, chord } = references(p);
  const { blow, servos } = windTunnel(model, p);
  const still = new Float64Array(servos);
  const q = 0.5 * p.rho * V * V * area;
  const rows = angles.map((alpha): AeroRow => {
    const { force, moment } = blow(V, alpha, still);
    return {
      alpha,
      CL: (force[0] * sin(alpha) - force[1] * cos(alpha)) / q,
      CD: (-force[0] * cos(alpha) - force[1] * sin(alpha)) / q,
      Cm: moment[1] / (q * chord),
    };
  });
  return { area, chord, rows };
}

/** Evenly spaced angles [rad], both ends included. */
export const anglesBetween = (from: number, to: number, steps: number): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
