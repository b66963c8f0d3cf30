/** Forces of four tyres at their slip angles, with the loads that belong to the accelerations they make. */
import { clamp } from "../../math/clamp.ts";
import { atanEach, sinEach } from "../../math/elementary.ts";
import { loadedMagicFormula } from "../../parts/tyre.ts";
import { A_X, A_Y, FRONT, OTHER_X, PER_AX, PER_AY, REAR, type WheelLoads } from "./loads.ts";
import type { CarParameters } from "./parameters.ts";

/** A wheel at its longitudinal limit keeps a fifth of its side force: about what a locked wheel has at the slip angle of the peak. */
const MOST_USED = 0.98;
const ROUNDS = 4;
/** Commanded drive forces, and friction without options. */
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

/** Completes F_x (commanded drive forces), F_y and the loads; `steer` holds cosine and sine of the steering angle. */
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

/**
 * Loads and accelerations with drive forces F_x and side forces of mu times load: two linear equations while all wheels are on the
 * ground, and where one would be pulled down those of the wheels that are left.
 */
function solveWith(
  wheels: WheelLoads,
  p: CarParameters,
  F_x: Float64Array,
  mu: Float64Array,
  steer: Float64Array,
): void {
  const { numbers, F_z } = wheels;
  const c = steer[0];
  const s = steer[1];
  const front = numbers[FRONT];
  const rear = numbers[REAR];
  const perAx = numbers[PER_AX];
  const perAy = numbers[PER_AY];
  // Sums and differences right - left of the axles' friction.
  const sF = 0.5 * (mu[0] + mu[1]);
  const dF = 0.5 * (mu[1] - mu[0]);
  const sR = 0.5 * (mu[2] + mu[3]);
  const dR = 0.5 * (mu[3] - mu[2]);
  const xx = p.m - s * sF * perAx;
  const xy = s * dF * perAy;
  const yx = (c * sF - sR) * perAx;
  const yy = p.m - (c * dF + dR) * perAy;
  const drive = F_x[0] + F_x[1];
  const bx = drive * c + F_x[2] + F_x[3] + numbers[OTHER_X] - s * sF * front;
  const by = drive * s + c * sF * front + sR * rear;
  const det = xx * yy - xy * yx;
  const a_x = (bx * yy - xy * by) / det;
  const a_y = (xx * by - bx * yx) / det;
  const frontLoad = front - perAx * a_x;
  const rearLoad = rear + perAx * a_x;
  const difference = perAy * a_y;
  numbers[A_X] = a_x;
  numbers[A_Y] = a_y;
  F_z[0] = 0.5 * (frontLoad - difference);
  F_z[1] = 0.5 * (frontLoad + difference);
  F_z[2] = 0.5 * (rearLoad - difference);
  F_z[3] = 0.5 * (rearLoad + difference);
  const isOnGround = F_z[0] >= 0 && F_z[1] >= 0 && F_z[2] >= 0 && F_z[3] >= 0;
  if (!isOnGround && p.compat !== 1) wheels.lift(F_x, mu, steer);
}
