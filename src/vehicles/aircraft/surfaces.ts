/** All lifting surfaces of an aircraft together: the flow at each, its loads about the centre of mass, its outputs. */

import { arrow, type Field } from "../../model/field.ts";
import {
  type AdvancedParameters,
  advancedLiftDrag,
  advancedOutputs,
  deriveAdvanced,
} from "../../parts/advanced-lift-drag.ts";
import { deriveLiftDrag, type LiftDragParameters, liftDrag, liftDragOutputs } from "../../parts/lift-drag.ts";
import type { SurfaceShape } from "./shape.ts";

/** Which law a surface follows: coefficients of a whole aircraft, or one wing by itself. */
export const SURFACE_LAWS = { "advanced-lift-drag": 0, "lift-drag": 1 } as const;

export type SurfaceParameters = { law: number } & AdvancedParameters & LiftDragParameters;

export function deriveSurface(p: SurfaceParameters): void {
  if (p.law === SURFACE_LAWS["lift-drag"]) deriveLiftDrag(p);
  else deriveAdvanced(p);
}

/** Force and moment of one surface (six numbers), then what its law tells. */
export function surfaceOutputs({ law, controls }: SurfaceShape, k: number): Field[] {
  return [
    ...arrow(`force_surface_${k}`, "N", `force of lifting surface ${k}`, "body", "force"),
    ...arrow(`moment_surface_${k}`, "N m", "its moment about the centre of mass", "body", "moment"),
    ...(law === "lift-drag" ? liftDragOutputs(k) : advancedOutputs(k, controls)),
  ];
}

/** Velocity, rates and density at the surface, in its own axes; loads in its own axes. */
const flow = new Float64Array(7);
const loads = new Float64Array(6);

/**
 * Adds each surface's force (0-2) and moment about the centre of mass (3-5), body axes, to `sums`. `air`: velocity of the centre
 * of mass through the air (0-2), rates (3-5), both in body axes, and density (6). Outputs go to y from `places` on.
 */
export function surfaceLoads(
  surfaces: Readonly<Record<number, SurfaceParameters>>,
  count: number,
  air: Float64Array,
  angles: Float64Array,
  sums: Float64Array,
  y: Float64Array | undefined,
  places: Int32Array,
): void {
  for (let i = 0; i < 6; i++) sums[i] = 0;
  const p = air[3];
  const q = air[4];
  const r = air[5];
  flow[6] = air[6];
  for (let k = 1; k <= count; k++) {
    const surface = surfaces[k];
    const { x: px, y: py, z: pz } = surface.position;
    const R = surface.rotation;
    const u = air[0] + q * pz - r * py;
    const v = air[1] + r * px - p * pz;
    const w = air[2] + p * py - q * px;
    const isAligned = surface.isAligned === 1;
    flow[0] = isAligned ? u : R[0] * u + R[1] * v + R[2] * w;
    flow[1] = isAligned ? v : R[3] * u + R[4] * v + R[5] * w;
    flow[2] = isAligned ? w : R[6] * u + R[7] * v + R[8] * w;
    flow[3] = isAligned ? p : R[0] * p + R[1] * q + R[2] * r;
    flow[4] = isAligned ? q : R[3] * p + R[4] * q + R[5] * r;
    flow[5] = isAligned ? r : R[6] * p + R[7] * q + R[8] * r;
    const at = places[k];
    if (surface.law === 1) liftDrag(surface, flow, angles, loads, y, at + 6);
    else advancedLiftDrag(surface, flow, angles, loads, y, at + 6);
    const X = loads[0];
    const Y = loads[1];
    const Z = loads[2];
    const L = loads[3];
    const M = loads[4];
    const N = loads[5];
    const fx = isAligned ? X : R[0] * X + R[3] * Y + R[6] * Z;
    const fy = isAligned ? Y : R[1] * X + R[4] * Y + R[7] * Z;
    const fz = isAligned ? Z : R[2] * X + R[5] * Y + R[8] * Z;
    const mx = (isAligned ? L : R[0] * L + R[3] * M + R[6] * N) + py * fz - pz * fy;
    const my = (isAligned ? M : R[1] * L + R[4] * M + R[7] * N) + pz * fx - px * fz;
    const mz = (isAligned ? N : R[2] * L + R[5] * M + R[8] * N) + px * fy - py * fx;
    sums[0] += fx;
    sums[1] += fy;
    sums[2] += fz;
    sums[3] += mx;
    sums[4] += my;
    sums[5] += mz;
    if (y !== undefined) {
      y[at] = fx;
      y[at + 1] = fy;
      y[at + 2] = fz;
      y[at + 3] = mx;
      y[at + 4] = my;
      y[at + 5] = mz;
    }
  }
}
