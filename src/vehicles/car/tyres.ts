/** Forces of four tyres at their slip angles, with the loads that belong to the accelerations they make. */
import { clamp } from "../../math/clamp.ts";
import { atanEach, sinEach } from "../../math/elementary.ts";
import { loadedMagicFormula, magicFormula } from "../../parts/tyre.ts";
import { FRONT, REAR, type WheelLoads } from "./loads.ts";
import type { CarParameters } from "./parameters.ts";

/** A wheel at its longitudinal limit keeps a fifth of its side force: about what a locked wheel has at the slip angle of the peak. */
const MOST_USED = 0.98;
const MOST_ROUNDS = 200;
const before = new Float64Array(4);

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
  const cd = steer[0];
  const sd = steer[1];
  const { fixedX, fixedY, slopeX, slopeY, F_z } = wheels;
  const mayLift = p.compat !== 1;
  friction(p, alpha, F_y);
  for (let i = 0; i < 4; i++) {
    const mu = F_y[i];
    fixedX[i] = i < 2 ? F_x[i] * cd : F_x[i];
    fixedY[i] = i < 2 ? F_x[i] * sd : 0;
    slopeX[i] = i < 2 ? -mu * sd : 0;
    slopeY[i] = i < 2 ? mu * cd : mu;
  }
  wheels.solve(mayLift);
  if (p.friction_ellipse === 1 || p.longitudinal_limit === 1 || p.load_sensitivity === 1)
    iterate(wheels, p, alpha, F_x, F_y, steer, mayLift);
  else for (let i = 0; i < 4; i++) F_y[i] *= F_z[i];
}

/** With options the forces are no longer proportional to the loads: friction coefficients and loads in turn, until both stand. */
function iterate(
  wheels: WheelLoads,
  p: CarParameters,
  alpha: Float64Array,
  F_x: Float64Array,
  F_y: Float64Array,
  steer: Float64Array,
  mayLift: boolean,
): void {
  const { fixedX, fixedY, slopeX, slopeY, F_z } = wheels;
  const total = wheels.numbers[FRONT] + wheels.numbers[REAR];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    before.set(F_z);
    for (let i = 0; i < 4; i++) {
      const load = Math.max(F_z[i], 0);
      const limit = p.Ds * load;
      const isLimited = p.longitudinal_limit === 1 && Math.abs(F_x[i]) > limit;
      const used = limit > 0 ? Math.min(Math.abs(F_x[i]) / limit, MOST_USED) : MOST_USED;
      const share = p.friction_ellipse === 1 ? Math.sqrt(1 - used * used) : 1;
      const mu =
        share *
        (p.load_sensitivity === 1
          ? loadedMagicFormula(p, p.Ca, load, alpha[i])
          : magicFormula(p.Ba, p.Ca, p.Da, p.Ea, alpha[i]));
      const fixed = isLimited ? 0 : F_x[i];
      const along = isLimited ? Math.sign(F_x[i]) * p.Ds : 0;
      const c = i < 2 ? steer[0] : 1;
      const s = i < 2 ? steer[1] : 0;
      F_y[i] = mu;
      fixedX[i] = fixed * c;
      fixedY[i] = fixed * s;
      slopeX[i] = along * c - mu * s;
      slopeY[i] = along * s + mu * c;
    }
    wheels.solve(mayLift);
    let change = 0;
    for (let i = 0; i < 4; i++) change = Math.max(change, Math.abs(F_z[i] - before[i]));
    if (change <= 1e-13 * total) break;
  }
  for (let i = 0; i < 4; i++) {
    F_y[i] *= F_z[i];
    if (p.longitudinal_limit === 1) F_x[i] = clamp(F_x[i], -p.Ds * F_z[i], p.Ds * F_z[i]);
  }
}
