/** Lift, drag and pitching moment of an aircraft's surfaces over angle of attack, controls in the middle, nothing turning. */
import { environmentLength } from "../environment/environment.ts";
import { cos, sin } from "../math/elementary.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";

export interface AeroRow {
  /** [rad] */
  readonly alpha: number;
  readonly CL: number;
  readonly CD: number;
  /** About the centre of mass. */
  readonly Cm: number;
}
export interface AeroPolar {
  /** What the coefficients refer to [m^2, m]. */
  readonly area: number;
  readonly chord: number;
  readonly rows: readonly AeroRow[];
}

const V = 15;

/** The surfaces that lift upward count for the area; the chord is a set's own, or the area over the distance of outer wings. */
function references(p: AircraftParameters): { area: number; chord: number } {
  const wings = Object.values(p.surfaces ?? {}).filter((s) => s.frame[8] > 0.7);
  const area = wings.reduce((sum, s) => sum + s.area, 0);
  return { area, chord: wings.find((s) => s.span > 0)?.chord ?? Math.sqrt(area / 6) };
}

export function aeroPolar(vehicle: Vehicle, angles: readonly number[]): AeroPolar {
  const { model } = vehicle;
  const p = vehicle.parameters as AircraftParameters;
  const count = Object.keys(p.surfaces ?? {}).length;
  if (model.name !== "aircraft" || count === 0)
    throw new InputError(`${vehicle.name} has neither brakes nor lifting surfaces: there is no polar of it`);
  const { area, chord } = references(p);
  const x = new Float64Array(model.states.length);
  const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
  const e = new Float64Array(environmentLength(model));
  const dx = new Float64Array(x.length);
  const y = new Float64Array(model.outputs.length);
  const sum = (what: string) => {
    let total = 0;
    for (let k = 1; k <= count; k++)
      total += y[model.outputs.findIndex((f) => f.name === what.replace("#", String(k)))];
    return total;
  };
  x[6] = 1;
  e[3] = 1;
  const q = 0.5 * p.rho * V * V * area;
  const rows = angles.map((alpha): AeroRow => {
    x[3] = V * cos(alpha);
    x[5] = V * sin(alpha);
    model.derivative(x, u, p, e, dx, y);
    const [X, Z] = [sum("force_surface_#_x"), sum("force_surface_#_z")];
    return {
      alpha,
      CL: (X * sin(alpha) - Z * cos(alpha)) / q,
      CD: (-X * cos(alpha) - Z * sin(alpha)) / q,
      Cm: sum("moment_surface_#_y") / (q * chord),
    };
  });
  return { area, chord, rows };
}

/** Evenly spaced angles [rad], both ends included. */
export const anglesBetween = (from: number, to: number, steps: number): number[] =>
  Array.from({ length: steps + 1 }, (_, i) => from + ((to - from) * i) / steps);
