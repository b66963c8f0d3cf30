import { pow } from "../math/elementary.ts";
import { type Integrator, type Rhs, StepSizeError } from "./integrator.ts";

/** Largest local error of a step, relative and absolute. */
export interface Tolerance {
  readonly relative: number;
  readonly absolute: number;
}
export const DEFAULT_TOLERANCE: Tolerance = { relative: 1e-8, absolute: 1e-10 };

/**
 * Dormand and Prince 5(4): order 5, error estimate of order 4, dense output of order 4. Tableau, error norm and step control
 * after Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.4 and II.6.
 */
export function dopri5(n: number, tolerance: Tolerance = DEFAULT_TOLERANCE): Integrator {
  const k1 = new Float64Array(n);
  const k2 = new Float64Array(n);
  const k3 = new Float64Array(n);
  const k4 = new Float64Array(n);
  const k5 = new Float64Array(n);
  const k6 = new Float64Array(n);
  const k7 = new Float64Array(n);
  const s = new Float64Array(n);
  const start = new Float64Array(n);
  const end = new Float64Array(n);
  let taken = 0;
  /** The state whose error was largest in the last trial step. */
  let worst = 0;
  /** The step that the error control would take next; 0 asks for an estimate. */
  const memory = new Float64Array(1);

  function stages(f: Rhs, t: number, h: number, x: Float64Array): void {
    for (let i = 0; i < n; i++) s[i] = x[i] + h * 0.2 * k1[i];
    f(t + 0.2 * h, s, k2);
    for (let i = 0; i < n; i++) s[i] = x[i] + h * ((3 / 40) * k1[i] + (9 / 40) * k2[i]);
    f(t + 0.3 * h, s, k3);
    for (let i = 0; i < n; i++) s[i] = x[i] + h * ((44 / 45) * k1[i] - (56 / 15) * k2[i] + (32 / 9) * k3[i]);
    f(t + 0.8 * h, s, k4);
    for (let i = 0; i < n; i++)
      s[i] =
        x[i] +
        h * ((19372 / 6561) * k1[i] - (25360 / 2187) * k2[i] + (64448 / 6561) * k3[i] - (212 / 729) * k4[i]);
    f(t + (8 / 9) * h, s, k5);
    for (let i = 0; i < n; i++)
      s[i] =
        x[i] +
        h *
          ((9017 / 3168) * k1[i] -
            (355 / 33) * k2[i] +
            (46732 / 5247) * k3[i] +
            (49 / 176) * k4[i] -
            (5103 / 18656) * k5[i]);
    f(t + h, s, k6);
    for (let i = 0; i < n; i++)
      end[i] =
        x[i] +
        h *
          ((35 / 384) * k1[i] +
            (500 / 1113) * k3[i] +
            (125 / 192) * k4[i] -
            (2187 / 6784) * k5[i] +
            (11 / 84) * k6[i]);
    f(t + h, end, k7);
  }

  const scale = (i: number, x: Float64Array, z: Float64Array) =>
    tolerance.absolute + tolerance.relative * Math.max(Math.abs(x[i]), Math.abs(z[i]));

  /** Root mean square of the error estimate over the tolerance. */
  function errorNorm(h: number, x: Float64Array): number {
    let sum = 0;
    let largest = -1;
    for (let i = 0; i < n; i++) {
      const e =
        (h *
          ((71 / 57600) * k1[i] -
            (71 / 16695) * k3[i] +
            (71 / 1920) * k4[i] -
            (17253 / 339200) * k5[i] +
            (22 / 525) * k6[i] -
            (1 / 40) * k7[i])) /
        scale(i, x, end);
      sum += e * e;
      if (!(Math.abs(e) <= largest)) {
        largest = Math.abs(e);
        worst = i;
      }
    }
    return Math.sqrt(sum / n);
  }

  /** A first step whose Euler increment is small against the state (Hairer II.4, without the second-derivative probe). */
  function firstStep(x: Float64Array): number {
    let d0 = 0;
    let d1 = 0;
    for (let i = 0; i < n; i++) {
      const w = scale(i, x, x);
      d0 += (x[i] / w) * (x[i] / w);
      d1 += (k1[i] / w) * (k1[i] / w);
    }
    return d0 < 1e-10 || d1 < 1e-10 ? 1e-6 : 0.01 * Math.sqrt(d0 / d1);
  }

  return {
    memory,
    step(f, t, limit, x) {
      f(t, x, k1);
      if (memory[0] === 0) memory[0] = firstStep(x);
      let h = Math.min(memory[0], limit);
      for (;;) {
        stages(f, t, h, x);
        const error = errorNorm(h, x);
        if (error <= 1) {
          start.set(x);
          x.set(end);
          taken = h;
          // A step cut short by the limit says little of what the next may be: never shrink the proposal for it.
          const growth = error === 0 ? 5 : Math.min(5, Math.max(0.2, 0.9 * pow(error, -0.2)));
          memory[0] = h < memory[0] ? Math.max(memory[0], h * growth) : h * growth;
          return h;
        }
        h *= Number.isFinite(error) ? Math.max(0.2, 0.9 * pow(error, -0.2)) : 0.2;
        memory[0] = h;
        if (h < 1e-14 * Math.max(1, Math.abs(t))) throw new StepSizeError(t, h, worst, "least accurate");
      }
    },
    // Continuous extension of order 4 (Shampine's free interpolant; Hairer II.6).
    interpolate(theta, out) {
      const u = 1 - theta;
      for (let i = 0; i < n; i++) {
        const difference = end[i] - start[i];
        const b = taken * k1[i] - difference;
        const c = difference - taken * k7[i] - b;
        const d =
          taken *
          ((-12715105075 / 11282082432) * k1[i] +
            (87487479700 / 32700410799) * k3[i] -
            (10690763975 / 1880347072) * k4[i] +
            (701980252875 / 199316789632) * k5[i] -
            (1453857185 / 822651844) * k6[i] +
            (69997945 / 29380423) * k7[i]);
        out[i] = start[i] + theta * (difference + u * (b + theta * (c + u * d)));
      }
    },
  };
}
