/** Pacejka's Magic Formula in its friction form: force over wheel load. */
import { atan, sin } from "../math/elementary.ts";

/** Force over load at a slip angle or slip ratio: rises with slope B C D, peaks at D, falls off beyond. */
export function magicFormula(B: number, C: number, D: number, E: number, slip: number): number {
  const b = B * slip;
  return D * sin(C * atan(b - E * (b - atan(b))));
}

/** How the side force's formula changes with the wheel load; names as in Pacejka's base coefficients (load in N). */
export interface LateralLoad {
  readonly b1a: number;
  readonly b2a: number;
  readonly d1a: number;
  readonly d2a: number;
  readonly e1a: number;
  readonly e2a: number;
}

/**
 * Side force over load with peak, stiffness and shape that depend on the load. Base coefficients are fitted to middling loads: at others
 * they may ask for a curvature factor above 1, with which a sliding tyre would push along, or for a negative peak; both are cut.
 */
export function loadedMagicFormula(base: LateralLoad, C: number, load: number, slip: number): number {
  const D = base.d1a * load + base.d2a;
  if (!(D > 1e-6)) return 0;
  // sin(2 atan(q)) = 2 q/(1 + q^2)
  const q = load / base.b2a;
  const stiffness = (base.b1a * 2 * q) / (1 + q * q);
  return magicFormula(stiffness / (C * D), C, D, Math.min(1, base.e1a * load + base.e2a), slip);
}
