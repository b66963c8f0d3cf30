import type { Field } from "../model/field.ts";
import type { Integrator } from "./integrator.ts";

/**
 * Semi-implicit (symplectic) Euler, order 1: velocities, rates and actuators first, then attitude with the new rates and
 * position with the new velocities. Bounded energy error on oscillators where explicit Euler grows.
 */
export function semiImplicit(states: readonly Field[]): Integrator {
  const n = states.length;
  const k = new Float64Array(n);
  const isConfiguration = states.map((s) => s.kind === "position" || s.kind === "quaternion");
  const first = states.flatMap((_, i) => (isConfiguration[i] ? [] : [i]));
  const second = states.flatMap((_, i) => (isConfiguration[i] ? [i] : []));
  return {
    step(f, t, h, x) {
      f(t, x, k);
      for (let j = 0; j < first.length; j++) x[first[j]] += h * k[first[j]];
      f(t, x, k);
      for (let j = 0; j < second.length; j++) x[second[j]] += h * k[second[j]];
      return h;
    },
  };
}
