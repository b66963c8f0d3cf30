/**
 * Surfaces deflected against each other so that their moments cancel and only a drag below zero is left: linear control drag, as Gazebo
 * and AVL have it, makes thrust of that where the rotors have no more to give. No aircraft flies like this.
 */
import { hypot } from "../math/elementary.ts";
import { factorise, solve } from "../math/lu.ts";
import type { Control } from "../model/model.ts";
import { V_DOWN, V_EAST, V_NORTH } from "../vehicles/rigid-body.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { isRigidBody } from "./motion.ts";

/** What one surface does: angular accelerations and the acceleration along the flight path, each over its whole range; and its deflection [part of the range]. */
export interface SurfaceEffect {
  readonly name: string;
  readonly moments: readonly [number, number, number];
  readonly forward: number;
  readonly deflection: number;
}

/** A deflection beyond what its moments need that is too small to be reported [part of the range]. */
const LITTLE = 0.02;

/** Names of the surfaces whose deflection has no effect other than negative drag. */
export function gainingDrag(surfaces: readonly SurfaceEffect[]): string[] {
  const needed = leastForMoments(surfaces);
  const idle = surfaces.map((s, i) => s.deflection - needed[i]);
  const gain = surfaces.reduce((sum, s, i) => sum + s.forward * idle[i], 0);
  return gain > 0 ? surfaces.flatMap((s, i) => (Math.abs(idle[i]) > LITTLE ? [s.name] : [])) : [];
}

/** The smallest deflections that make the same moments: B' (B B')^-1 B d, with each axis by its own size. */
function leastForMoments(surfaces: readonly SurfaceEffect[]): number[] {
  const axes = [0, 1, 2];
  const size = axes.map((a) => Math.max(...surfaces.map((s) => Math.abs(s.moments[a])), 1e-300));
  const B = axes.map((a) => surfaces.map((s) => s.moments[a] / size[a]));
  const product = new Float64Array(9);
  for (const a of axes)
    for (const b of axes)
      product[3 * a + b] = surfaces.reduce((sum, _, i) => sum + B[a][i] * B[b][i], a === b ? 1e-12 : 0);
  const right = Float64Array.from(axes, (a) =>
    surfaces.reduce((sum, s, i) => sum + B[a][i] * s.deflection, 0),
  );
  const pivot = new Int32Array(3);
  if (!factorise(product, 3, pivot)) return surfaces.map((s) => s.deflection);
  solve(product, 3, pivot, right);
  return surfaces.map((_, i) => axes.reduce((sum, a) => sum + B[a][i] * right[a], 0));
}

/** A trim that can be evaluated: unknowns of the motion z, then its free controls, written into the state x and its rates. */
interface Evaluated {
  readonly vehicle: Vehicle;
  readonly free: readonly Control[];
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly dx: Float64Array;
  readonly rows: number;
  evaluate(unknowns: Float64Array, r: Float64Array): void;
}

/** Part of a surface's range by which it is moved to see what it does. */
const SMALL_DEFLECTION = 1e-3;

/** The surfaces whose deflection at a solution has no effect other than negative drag. */
export function surfacesThatDrag(at: Evaluated, solution: Float64Array): string[] {
  if (!isRigidBody(at.vehicle.model)) return [];
  const v = solution.slice();
  const r = new Float64Array(at.rows);
  const speed = hypot(hypot(v[0], v[1]), v[2]) || 1;
  const effects = at.free.flatMap((control, i): SurfaceEffect[] => {
    if (control.isPropulsion) return [];
    const place = at.z.length + i;
    const range = control.max - control.min;
    const away = (side: number) => {
      v[place] = solution[place] + side * SMALL_DEFLECTION * range;
      at.evaluate(v, r);
      return at.dx.slice();
    };
    const [up, down] = [away(1), away(-1)];
    v[place] = solution[place];
    const slope = (k: number) => (up[k] - down[k]) / (2 * SMALL_DEFLECTION);
    const forward = (slope(3) * at.x[V_NORTH] + slope(4) * at.x[V_EAST] + slope(5) * at.x[V_DOWN]) / speed;
    const deflection = (v[place] - control.neutral) / range;
    return [{ name: control.name, moments: [slope(10), slope(11), slope(12)], forward, deflection }];
  });
  // The trim is left where it was.
  at.evaluate(solution, r);
  return gainingDrag(effects);
}
