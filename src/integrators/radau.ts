import { pow } from "../math/elementary.ts";
import { factorise, solve } from "../math/lu.ts";
import { factoriseComplex, solveComplex } from "../math/lu-complex.ts";
import { DEFAULT_TOLERANCE, type Tolerance } from "./dopri5.ts";
import { type Integrator, type Rhs, StepSizeError } from "./integrator.ts";

const SQRT6 = Math.sqrt(6);
const C1 = (4 - SQRT6) / 10;
const C2 = (4 + SQRT6) / 10;
/** Error estimate: weights of the stages. */
const E1 = -(13 + 7 * SQRT6) / 3;
const E2 = (-13 + 7 * SQRT6) / 3;
const E3 = -1 / 3;
/** Eigenvalues of the inverse of the method's matrix: one real, one pair. */
const ROOT9 = 2.080083823051904;
const ROOT81 = 4.3267487109222245;
const REAL = 30 / (6 + ROOT81 - ROOT9);
const PART_RE = (12 - ROOT81 + ROOT9) / 60;
const PART_IM = ((ROOT81 + ROOT9) * Math.sqrt(3)) / 60;
const PAIR_RE = PART_RE / (PART_RE * PART_RE + PART_IM * PART_IM);
const PAIR_IM = PART_IM / (PART_RE * PART_RE + PART_IM * PART_IM);
/** The transformation that takes the matrix apart, and its inverse. */
const T = [
  [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
  [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
  [0.966048182615093, 1, 0],
] as const;
const TI = [
  [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
  [-4.178718591551905, -0.3276828207610624, 0.47662355450055044],
  [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
] as const;

/** Newton: at most so many iterations; below this rate of convergence the Jacobian is kept; changes of the step that are not made. */
const MOST_ITERATIONS = 7;
const KEEP_JACOBIAN = 0.001;
const LEAST_CHANGE = 1;
const LARGEST_UNMADE = 1.2;
const ROUNDING = 2.220446049250313e-16;

/** With fixed steps the stages are solved to this; nothing else is controlled. */
const FIXED: Tolerance = { relative: 1e-14, absolute: 1e-14 };

/** Places of the memory, before the arrays. */
const NEXT = 0; // step that the error control would take; 0 asks for an estimate
const LAST = 1; // last step taken
const OLD_ERROR = 2;
const RATE = 3; // Newton's convergence in the last step
const HAS_JACOBIAN = 4;
const ETA = 5; // how far Newton's error is behind its last change
const SCALARS = 6;

/**
 * Radau IIA, three stages, order 5, for stiff systems: the method, its transformation into one real and one complex system, the
 * simplified Newton iteration, error estimate, step control and dense output of RADAU5 (Hairer and Wanner, Solving Ordinary
 * Differential Equations II, IV.8). The Jacobian is taken by differences. With "fixed" steps are taken as they are asked for, and
 * only cut where Newton does not converge.
 */
export function radau(n: number, tolerance: Tolerance | "fixed" = DEFAULT_TOLERANCE): Integrator {
  const isFixed = tolerance === "fixed";
  const { relative: wanted, absolute: floor } = isFixed ? FIXED : tolerance;
  // RADAU5 solves to a power of the tolerance, because its estimate is of order 3.
  const relative = 0.1 * pow(wanted, 2 / 3);
  const absolute = (relative * floor) / wanted;
  const newtonGoal = Math.max((10 * ROUNDING) / relative, Math.min(0.03, Math.sqrt(relative)));
  const memory = new Float64Array(SCALARS + 3 * n + n * n);
  const cont = [0, 1, 2].map((k) => memory.subarray(SCALARS + k * n, SCALARS + (k + 1) * n));
  const J = memory.subarray(SCALARS + 3 * n);
  const a = new Float64Array(n * n);
  const re = new Float64Array(n * n);
  const im = new Float64Array(n * n);
  const pivot = new Int32Array(n);
  const pivots = new Int32Array(n);
  const vectors = () => new Float64Array(n);
  const [f0, scale, trial, end, error] = Array.from({ length: 5 }, vectors);
  const Z = Array.from({ length: 3 }, vectors);
  const W = Array.from({ length: 3 }, vectors);
  const F = Array.from({ length: 3 }, vectors);
  // What the factors were made of: a restored memory may hold another Jacobian.
  const factoredJ = new Float64Array(n * n);
  let factoredH = 0;
  let worst = 0;

  function differentiate(f: Rhs, t: number, x: Float64Array): void {
    trial.set(x);
    for (let j = 0; j < n; j++) {
      const step = Math.sqrt(ROUNDING * Math.max(1e-5, Math.abs(x[j])));
      trial[j] = x[j] + step;
      f(t, trial, error);
      const made = trial[j] - x[j];
      for (let i = 0; i < n; i++) J[i * n + j] = (error[i] - f0[i]) / made;
      trial[j] = x[j];
    }
    memory[HAS_JACOBIAN] = 1;
  }

  const isFactored = (h: number) => h === factoredH && J.every((v, i) => v === factoredJ[i]);

  /** Factors of (REAL/h) I - J and (PAIR/h) I - J. */
  function factor(h: number): boolean {
    for (let i = 0; i < n * n; i++) {
      a[i] = -J[i];
      re[i] = -J[i];
      im[i] = 0;
    }
    for (let i = 0; i < n; i++) {
      a[i * n + i] += REAL / h;
      re[i * n + i] += PAIR_RE / h;
      im[i * n + i] = PAIR_IM / h;
    }
    factoredJ.set(J);
    factoredH = h;
    return factorise(a, n, pivot) && factoriseComplex(re, im, n, pivots);
  }

  const norm = (v: Float64Array) => {
    let sum = 0;
    let largest = -1;
    for (let i = 0; i < n; i++) {
      const e = Math.abs(v[i] / scale[i]);
      sum += e * e;
      if (!(e <= largest)) {
        largest = e;
        worst = i;
      }
    }
    return Math.sqrt(sum / n);
  };

  /** First guess of the stages: the last step's polynomial carried on. */
  function guess(h: number): void {
    if (memory[LAST] === 0) {
      for (let k = 0; k < 3; k++) {
        Z[k].fill(0);
        W[k].fill(0);
      }
      return;
    }
    const q = h / memory[LAST];
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < 3; k++) {
        const s = (k === 0 ? C1 : k === 1 ? C2 : 1) * q;
        Z[k][i] = s * (cont[0][i] + (s - (C2 - 1)) * (cont[1][i] + (s - (C1 - 1)) * cont[2][i]));
      }
      for (let k = 0; k < 3; k++) W[k][i] = TI[k][0] * Z[0][i] + TI[k][1] * Z[1][i] + TI[k][2] * Z[2][i];
    }
  }

  /** Iterations used, or 0 where Newton does not converge. */
  function newton(f: Rhs, t: number, h: number, x: Float64Array): number {
    let last = 0;
    let rate = KEEP_JACOBIAN;
    // What the last step told of the convergence counts for less each time that one iteration is enough.
    let eta = memory[LAST] === 0 ? 1 : pow(Math.max(memory[ETA], ROUNDING), 0.8);
    for (let iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
      for (let k = 0; k < 3; k++) {
        for (let i = 0; i < n; i++) trial[i] = x[i] + Z[k][i];
        f(t + (k === 0 ? C1 : k === 1 ? C2 : 1) * h, trial, F[k]);
      }
      for (let i = 0; i < n; i++) {
        const g1 = F[0][i];
        const g2 = F[1][i];
        const g3 = F[2][i];
        F[0][i] = TI[0][0] * g1 + TI[0][1] * g2 + TI[0][2] * g3 - (REAL / h) * W[0][i];
        F[1][i] =
          TI[1][0] * g1 + TI[1][1] * g2 + TI[1][2] * g3 - (PAIR_RE / h) * W[1][i] + (PAIR_IM / h) * W[2][i];
        F[2][i] =
          TI[2][0] * g1 + TI[2][1] * g2 + TI[2][2] * g3 - (PAIR_RE / h) * W[2][i] - (PAIR_IM / h) * W[1][i];
      }
      solve(a, n, pivot, F[0]);
      solveComplex(re, im, n, pivots, F[1], F[2]);
      let sum = 0;
      for (let k = 0; k < 3; k++)
        for (let i = 0; i < n; i++) sum += (F[k][i] / scale[i]) * (F[k][i] / scale[i]);
      const change = Math.sqrt(sum / (3 * n));
      if (!Number.isFinite(change)) return 0;
      if (iteration > 1) {
        const quotient = change / last;
        rate = iteration === 2 ? quotient : Math.sqrt(quotient * rate);
        if (!(rate < 0.99)) return 0;
        eta = rate / (1 - rate);
        const ahead = (eta * change * pow(rate, MOST_ITERATIONS - 1 - iteration)) / newtonGoal;
        if (ahead >= 1 && iteration < MOST_ITERATIONS) return 0;
      }
      last = Math.max(change, ROUNDING);
      for (let i = 0; i < n; i++) {
        for (let k = 0; k < 3; k++) W[k][i] += F[k][i];
        for (let k = 0; k < 3; k++) Z[k][i] = T[k][0] * W[0][i] + T[k][1] * W[1][i] + T[k][2] * W[2][i];
      }
      if (eta * change <= newtonGoal) {
        memory[RATE] = rate;
        memory[ETA] = eta;
        return iteration;
      }
    }
    return 0;
  }

  /** Size of the error over the tolerance: the embedded formula, filtered by the real system. */
  function estimate(f: Rhs, t: number, h: number, x: Float64Array, isSuspicious: boolean): number {
    const weigh = (i: number) => (E1 * Z[0][i] + E2 * Z[1][i] + E3 * Z[2][i]) / h;
    for (let i = 0; i < n; i++) error[i] = f0[i] + weigh(i);
    solve(a, n, pivot, error);
    const first = norm(error);
    if (first < 1 || !isSuspicious) return Math.max(first, 1e-10);
    for (let i = 0; i < n; i++) trial[i] = x[i] + error[i];
    f(t, trial, error);
    for (let i = 0; i < n; i++) error[i] += weigh(i);
    solve(a, n, pivot, error);
    return Math.max(norm(error), 1e-10);
  }

  return {
    memory,
    step(f, t, limit, x) {
      f(t, x, f0);
      for (let i = 0; i < n; i++) scale[i] = absolute + relative * Math.abs(x[i]);
      if (memory[NEXT] === 0) {
        let [d0, d1] = [0, 0];
        for (let i = 0; i < n; i++) {
          d0 = Math.max(d0, Math.abs(x[i] / scale[i]));
          d1 = Math.max(d1, Math.abs(f0[i] / scale[i]));
        }
        memory[NEXT] = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : (0.01 * d0) / d1;
      }
      let h = isFixed ? limit : Math.min(memory[NEXT], limit);
      let isFresh = false;
      let wasRejected = memory[LAST] === 0;
      if (memory[HAS_JACOBIAN] === 0 || memory[RATE] > KEEP_JACOBIAN) {
        differentiate(f, t, x);
        isFresh = true;
      }
      for (;;) {
        if (!(h > 1e-14 * Math.max(1, Math.abs(t)))) throw new StepSizeError(t, h, worst);
        const isSolvable = isFactored(h) || factor(h);
        if (isSolvable) guess(h);
        const iterations = isSolvable ? newton(f, t, h, x) : 0;
        if (iterations === 0) {
          if (isFresh) h *= 0.5;
          else {
            differentiate(f, t, x);
            isFresh = true;
          }
          memory[NEXT] = h;
          memory[RATE] = 1;
          wasRejected = true;
          continue;
        }
        const size = isFixed ? 0.5 : estimate(f, t, h, x, wasRejected);
        const safety = Math.min(0.9, (0.9 * (1 + 2 * MOST_ITERATIONS)) / (iterations + 2 * MOST_ITERATIONS));
        const quotient = Math.max(0.125, Math.min(5, pow(size, 0.25) / safety));
        let next = h / quotient;
        if (!(size < 1)) {
          wasRejected = true;
          h = memory[LAST] === 0 ? 0.1 * h : next;
          memory[NEXT] = h;
          continue;
        }
        // Gustafsson's control: the errors of two steps tell how they change.
        if (memory[LAST] > 0 && memory[OLD_ERROR] > 0) {
          const predicted = pow((size * size) / memory[OLD_ERROR], 0.25) * (memory[LAST] / h);
          next = Math.min(next, h / Math.max(0.125, Math.min(5, predicted / 0.9)));
        }
        for (let i = 0; i < n; i++) {
          end[i] = x[i] + Z[2][i];
          cont[0][i] = (Z[1][i] - Z[2][i]) / (C2 - 1);
          const between = (Z[0][i] - Z[1][i]) / (C1 - C2);
          const ahead = (between - Z[0][i] / C1) / C2;
          cont[1][i] = (between - cont[0][i]) / (C1 - 1);
          cont[2][i] = cont[1][i] - ahead;
        }
        x.set(end);
        memory[OLD_ERROR] = Math.max(0.01, size);
        memory[LAST] = h;
        if (wasRejected) next = Math.min(next, h);
        // A step cut short by the limit says little of what the next may be; small changes are not worth new factors.
        const change = next / h;
        const kept =
          memory[RATE] <= KEEP_JACOBIAN && change >= LEAST_CHANGE && change <= LARGEST_UNMADE ? h : next;
        memory[NEXT] = h < memory[NEXT] ? Math.max(memory[NEXT], kept) : kept;
        return h;
      }
    },
    /** The collocation polynomial, order 3. */
    interpolate(theta, out) {
      const s = theta - 1;
      for (let i = 0; i < n; i++)
        out[i] = end[i] + s * (cont[0][i] + (s - (C2 - 1)) * (cont[1][i] + (s - (C1 - 1)) * cont[2][i]));
    },
  };
}
