/** Lifting surfaces of both laws: what they have in common as parts of an aircraft. */

import { arrow, type Field } from "../../model/field.ts";
import { type AdvancedParameters, advancedOutputs, deriveAdvanced } from "../../parts/advanced-lift-drag.ts";
import { deriveLiftDrag, type LiftDragParameters, liftDragOutputs } from "../../parts/lift-drag.ts";
import type { SurfaceShape } from "./shape.ts";

/** Which law a surface follows: coefficients of a whole aircraft, or one wing by itself. */
export const SURFACE_LAWS = { "advanced-lift-drag": 0, "lift-drag": 1 } as const;

export type SurfaceParameters = { law: number } & AdvancedParameters & LiftDragParameters;

export function deriveSurface(p: SurfaceParameters): void {
  if (p.law === SURFACE_LAWS["lift-drag"]) deriveLiftDrag(p);
  else deriveAdvanced(p);
}

/** Force and moment of one surface (six numbers), then the outputs of its law. */
export function surfaceOutputs({ law, controls }: SurfaceShape, k: number): Field[] {
  return [
    ...arrow(`force_surface_${k}`, "N", `force of lifting surface ${k}`, "body", "force"),
    ...arrow(`moment_surface_${k}`, "N m", "its moment about the centre of mass", "body", "moment"),
    ...(law === "lift-drag" ? liftDragOutputs(k) : advancedOutputs(k, controls)),
  ];
}
