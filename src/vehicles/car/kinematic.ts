/** The bicycle of rolling wheels: where the centre of mass goes at a steering angle. */
import { atan, cos, sin, tan } from "../../math/elementary.ts";
import type { CarParameters } from "./parameters.ts";

// Places of the states.
// biome-ignore format: a table
const V_X = 3, V_Y = 4, OMEGA = 5, DELTA = 6;

const out = { cb: 1, sb: 0, slope: 0 };

/** Direction of motion beta = atan(l_R/L tan delta), its cosine and sine, and d beta/d delta. The result is only valid until the next call. */
export function rollingSlope(p: CarParameters, delta: number): Readonly<typeof out> {
  const k = p.l_R / (p.l_F + p.l_R);
  const t = tan(delta);
  const beta = atan(k * t);
  out.cb = cos(beta);
  out.sb = sin(beta);
  out.slope = p.compat === 1 ? k : (k * (1 + t * t)) / (1 + k * k * t * t);
  return out;
}

/**
 * The motion of rolling wheels nearest to the present one in kinetic energy: what is left when the tyres stop the rest at once.
 * Energy never grows; a car that rolls already is left as it is, but for rounding.
 */
export function rollingMotion(x: Float64Array, p: CarParameters): void {
  const { cb, sb } = rollingSlope(p, x[DELTA]);
  const turn = sb / p.l_R;
  const v = (p.m * (x[V_X] * cb + x[V_Y] * sb) + p.I_z * x[OMEGA] * turn) / (p.m + p.I_z * turn * turn);
  x[V_X] = v * cb;
  x[V_Y] = v * sb;
  x[OMEGA] = v * turn;
}
