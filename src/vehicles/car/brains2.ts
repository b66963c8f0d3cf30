/** What `compat: brains2` restores of the original: its clip of the inputs, once a tick, and the accelerations it reports. */
import { clamp } from "../../math/clamp.ts";
import { atan2, cos, sin } from "../../math/elementary.ts";
import { magicFormula } from "../../parts/tyre.ts";
import { type CarParameters, downforce } from "./parameters.ts";
import { DELTA, MODE, OMEGA, TAU_FL, TAU_FR, TAU_RL, TAU_RR, U_DELTA, V_X, V_Y } from "./places.ts";

/** The steering target may be no further than the rate limit takes the lag at once; a car that rolls back does not brake. */
export function clipAsBrains2(x: Float64Array, u: Float64Array, p: CarParameters): void {
  const reach = p.t_delta * p.steering_rate_max;
  u[U_DELTA] = clamp(clamp(u[U_DELTA], x[DELTA] - reach, x[DELTA] + reach), -p.steering_max, p.steering_max);
  for (let i = 1; i <= 4; i++) {
    u[i] = clamp(u[i], -p.torque_max, p.torque_max);
    if (x[V_X] < 0 && u[i] < 0) u[i] = 0;
  }
}

/** The original's estimate: slip of a bicycle, no drag, both axles with the front's share of the weight (errata C17). */
export function brains2Estimate(x: Float64Array, p: CarParameters, drag: number, y: Float64Array): void {
  const cd = cos(x[DELTA]);
  const sd = sin(x[DELTA]);
  const front = p.C_m0 * (x[TAU_FL] + x[TAU_FR]);
  const rear = p.C_m0 * (x[TAU_RL] + x[TAU_RR]);
  if (x[MODE] < 0.5) {
    const half = 0.5 * (front + rear);
    y[1] = (half + drag + half * cd) / p.m;
    y[2] = (half * sd) / p.m;
    return;
  }
  const L = p.l_F + p.l_R;
  const along = Math.max(Math.abs(x[V_X]), 0.001);
  const mu = (alpha: number) => magicFormula(p.Ba, p.Ca, p.Da, p.Ea, alpha);
  const frontMu = mu(x[DELTA] - atan2(x[V_Y] + p.l_F * x[OMEGA], along));
  const rearMu = mu(-atan2(x[V_Y] - p.l_R * x[OMEGA], along));
  const share = (p.l_F / L) * (p.m * p.g + downforce(p, x[V_X]));
  const shift = (p.m * p.z_CG) / L;
  y[1] = (front * cd - frontMu * share * sd + rear) / (p.m - frontMu * shift * sd);
  const across = frontMu * (share - shift * y[1]) * cd + rearMu * (share + shift * y[1]);
  y[2] = (front * sd + across) / p.m;
}
