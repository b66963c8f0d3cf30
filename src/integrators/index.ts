import type { Field } from "../model/field.ts";
import { dopri5, type Tolerance } from "./dopri5.ts";
import { euler } from "./euler.ts";
import type { Integrator } from "./integrator.ts";
import { radau } from "./radau.ts";
import { rk4 } from "./rk4.ts";
import { semiImplicit } from "./semi-implicit.ts";

/** Names of the integrators. */
export const INTEGRATORS = ["euler", "semi-implicit", "rk4", "dopri5", "radau", "radau-fixed"] as const;
/** Name of an integrator: euler, semi-implicit, rk4, dopri5, radau, radau-fixed. */
export type IntegratorName = (typeof INTEGRATORS)[number];

/** An integrator by name, for states of a model. */
export function createIntegrator(
  name: IntegratorName,
  states: readonly Field[],
  tolerance?: Tolerance,
): Integrator {
  switch (name) {
    case "euler":
      return euler(states.length);
    case "semi-implicit":
      return semiImplicit(states);
    case "rk4":
      return rk4(states.length);
    case "dopri5":
      return dopri5(states.length, tolerance);
    case "radau":
      return radau(states.length, tolerance);
    case "radau-fixed":
      return radau(states.length, "fixed");
  }
}
