import type { Integrator } from "./integrator.ts";

/** Explicit Euler, order 1: x + h f(t, x). */
export function euler(n: number): Integrator {
  const k = new Float64Array(n);
  return {
    step(f, t, h, x) {
      f(t, x, k);
      for (let i = 0; i < n; i++) x[i] += h * k[i];
      return h;
    },
  };
}
