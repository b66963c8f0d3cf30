import type { Integrator } from "./integrator.ts";

/** The classical Runge-Kutta method, order 4 (Kutta 1901). */
export function rk4(n: number): Integrator {
  const k1 = new Float64Array(n);
  const k2 = new Float64Array(n);
  const k3 = new Float64Array(n);
  const k4 = new Float64Array(n);
  const s = new Float64Array(n);
  return {
    step(f, t, h, x) {
      const half = 0.5 * h;
      f(t, x, k1);
      for (let i = 0; i < n; i++) s[i] = x[i] + half * k1[i];
      f(t + half, s, k2);
      for (let i = 0; i < n; i++) s[i] = x[i] + half * k2[i];
      f(t + half, s, k3);
      for (let i = 0; i < n; i++) s[i] = x[i] + h * k3[i];
      f(t + h, s, k4);
      const sixth = h / 6;
      for (let i = 0; i < n; i++) x[i] += sixth * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
      return h;
    },
  };
}
