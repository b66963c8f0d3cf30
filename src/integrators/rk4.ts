import { addScaled } from "../math/arrays.ts";
import type { Integrator } from "./integrator.ts";

/** The classical Runge-Kutta method, order 4 (Kutta 1901). */
export function rk4(n: number): Integrator {
  // One block of memory: separate ones may fall 4096 bytes apart, where processors take a load for the store before it and wait.
  const work = new Float64Array(5 * n);
  const [k1, k2, k3, k4, s] = [0, 1, 2, 3, 4].map((i) => work.subarray(i * n, (i + 1) * n));
  return {
    isRk4: true,
    step(f, t, h, x) {
      const half = 0.5 * h;
      f(t, x, k1);
      addScaled(n, s, x, half, k1);
      f(t + half, s, k2);
      addScaled(n, s, x, half, k2);
      f(t + half, s, k3);
      addScaled(n, s, x, h, k3);
      f(t + h, s, k4);
      combine(n, x, h / 6, k1, k2, k3, k4);
      return h;
    },
  };
}

/** x += a (k1 + 2 k2 + 2 k3 + k4), unrolled as in math/arrays.ts. */
function combine(
  n: number,
  x: Float64Array,
  a: number,
  k1: Float64Array,
  k2: Float64Array,
  k3: Float64Array,
  k4: Float64Array,
): void {
  let i = 0;
  for (; i <= n - 3; i += 3) {
    x[i] += a * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
    x[i + 1] += a * (k1[i + 1] + 2 * (k2[i + 1] + k3[i + 1]) + k4[i + 1]);
    x[i + 2] += a * (k1[i + 2] + 2 * (k2[i + 2] + k3[i + 2]) + k4[i + 2]);
  }
  for (; i < n; i++) x[i] += a * (k1[i] + 2 * (k2[i] + k3[i]) + k4[i]);
}
