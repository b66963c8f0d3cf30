/** A model car of another size that drives as the original does. */
import { pow } from "../../math/elementary.ts";
import type { CarParameters } from "./parameters.ts";

/**
 * How each parameter grows with the car's length at the same gravity (Froude's law: times and speeds with the root of the
 * length, masses with its cube). The Magic Formula's coefficients are dimensionless, except those that depend on the load.
 */
const EXPONENTS: Partial<Record<keyof CarParameters, number>> = {
  m: 3,
  I_z: 5,
  l_F: 1,
  l_R: 1,
  W: 1,
  z_CG: 1,
  length: 1,
  width: 1,
  C_m0: -1,
  C_r0: 3,
  C_r1: 2.5,
  C_r2: 2,
  C_downforce: 2,
  t_tau: 0.5,
  t_delta: 0.5,
  torque_max: 4,
  steering_rate_max: -0.5,
  b2a: 3,
  d1a: -3,
  e1a: -3,
};

/** Parameters of a car `scale` times as long (0.1: one tenth). */
export function scaledCar(p: CarParameters, scale: number): CarParameters {
  const out = { ...p };
  for (const [name, exponent] of Object.entries(EXPONENTS) as [keyof CarParameters, number][])
    out[name] = p[name] * pow(scale, exponent);
  return out;
}
