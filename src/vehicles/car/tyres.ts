/** Forces of four tyres at their slip angles, with the loads that belong to the accelerations they make. */
import { clamp } from "../../math/clamp.ts";
import { atanEach, sinEach } from "../../math/elementary.ts";
import { loadedMagicFormula } from "../../parts/tyre.ts";
import type { WheelLoads } from "./loads.ts";
import type { CarParameters } from "./parameters.ts";

/** A wheel at its longitudinal limit keeps a fifth of its side force: about what a locked wheel has at the slip angle of the peak. */
const MOST_USED = 0.98;
const ROUNDS = 4;
/** Drive forces as wanted, and friction without options. */
const wanted = new Float64Array(4);
const plain = new Float64Array(4);

/** The Magic Formula (parts/tyre.ts) at four wheels, function by function: what does not wait for each other is done at the same time. */
function friction(p: CarParameters, alpha: Float64Array, mu: Float64Array): void {
  const { Ba, Ca, Da, Ea } = p;
  for (let i = 0; i < 4; i++) mu[i] = Ba * alpha[i];
  atanEach(mu);
  for (let i = 0; i < 4; i++) mu[i] = (1 - Ea) * Ba * alpha[i] + Ea * mu[i];
  atanEach(mu);
  for (let i = 0; i < 4; i++) mu[i] *= Ca;
  sinEach(mu);
  for (let i = 0; i < 4; i++) mu[i] *= Da;
}

/** Completes F_x (drive forces, as wanted), F_y and the loads; `steer` holds cosine and sine of the steering angle. */
export function shapeForces(
  wheels: WheelLoads,
  p: CarParameters,
  alpha: Float64Array,
  F_x: Float64Array,
  F_y: Float64Array,
  steer: Float64Array,
): void {
  const { F_z } = wheels;
  friction(p, alpha, F_y);
  solveWith(wheels, p, F_x, F_y, steer);
  if (p.friction_ellipse === 1 || p.longitudinal_limit === 1 || p.load_sensitivity === 1)
    refine(wheels, p, alpha, F_x, F_y, steer);
  for (let i = 0; i < 4; i++) F_y[i] *= F_z[i];
}

/**
 * With options friction depends on the loads, and the loads on the forces: in a few rounds, each with the friction of the last
 * one's loads and the exact balance of the forces it makes. A fixed number of rounds, so that forces stay continuous.
 */
function refine(
  wheels: WheelLoads,
  p: CarParameters,
  alpha: Float64Array,
  F_x: Float64Array,
  F_y: Float64Array,
  steer: Float64Array,
): void {
  const { F_z } = wheels;
  wanted.set(F_x);
  plain.set(F_y);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < 4; i++) {
      const load = Math.max(F_z[i], 0);
      const limit = p.Ds * load;
      F_x[i] = p.longitudinal_limit === 1 ? clamp(wanted[i], -limit, limit) : wanted[i];
      const used = limit > 0 ? Math.min(Math.abs(F_x[i]) / limit, MOST_USED) : MOST_USED;
      const share = p.friction_ellipse === 1 ? Math.sqrt(1 - used * used) : 1;
      const mu = p.load_sensitivity === 1 ? loadedMagicFormula(p, p.Ca, load, alpha[i]) : plain[i];
      F_y[i] = share * mu;
    }
    solveWith(wheels, p, F_x, F_y, steer);
  }
}

/** Loads and accelerations with drive forces F_x and side forces of mu times load. */
function solveWith(
  wheels: WheelLoads,
  p: CarParameters,
  F_x: Float64Array,
  mu: Float64Array,
  steer: Float64Array,
): void {
  const { fixedX, fixedY, slopeX, slopeY } = wheels;
  for (let i = 0; i < 4; i++) {
    const c = i < 2 ? steer[0] : 1;
    const s = i < 2 ? steer[1] : 0;
    fixedX[i] = F_x[i] * c;
    fixedY[i] = F_x[i] * s;
    slopeX[i] = -mu[i] * s;
    slopeY[i] = mu[i] * c;
  }
  wheels.solve(p.compat !== 1);
}
