import { ShiftedSystem } from "../math/block-triangular.ts";
import { DEFAULT_TOLERANCE, type Tolerance } from "./dopri5.ts";
import { type Integrator, type NewtonMachine, type Rhs, StepSizeError } from "./integrator.ts";
import { iterate, PAIR_IM, PAIR_RE, REAL, transform } from "./newton.ts";

const SQRT6 = Math.sqrt(6);
const C1 = (4 - SQRT6) / 10;
const C2 = (4 + SQRT6) / 10;
/** Where in a step the stages are. */
export const STAGES: readonly number[] = [C1, C2, 1];
/** Error estimate: weights of the stages. */
const E1 = -(13 + 7 * SQRT6) / 3;
const E2 = (-13 + 7 * SQRT6) / 3;
const E3 = -1 / 3;
/** Newton: at most so many iterations; below this rate of convergence the Jacobian is kept; changes of the step that are not made. */
const MOST_ITERATIONS = 7;
const KEEP_JACOBIAN = 0.001;
/** With fixed steps the factors are kept too, so that a slower iteration costs less than a new Jacobian. */
const KEEP_JACOBIAN_FIXED = 0.05;
const LEAST_CHANGE = 1;
const LARGEST_UNMADE = 1.2;
const ROUNDING = 2.220446049250313e-16;

/** With fixed steps the stages are solved to a hundredth of this; nothing else is controlled. */
const FIXED: Tolerance = { relative: 1e-10, absolute: 1e-10 };

/** Vectors that a step works on. */
export const VECTORS = 15;

/** Places of the memory, before the arrays. */
const NEXT = 0; // step that the error control would take; 0 asks for an estimate
const LAST = 1; // last step taken
const OLD_ERROR = 2;
const RATE = 3; // Newton's convergence in the last step
const HAS_JACOBIAN = 4;
const ETA = 5; // how far Newton's error is behind its last change
const FACTORED_H = 6; // step of which the factors are made
const SCALARS = 7;

/**
 * Radau IIA, three stages, order 5, for stiff systems: the method, its transformation into one real and one complex system, the
 * simplified Newton iteration, error estimate, step control and dense output of RADAU5 (Hairer and Wanner, Solving Ordinary
 * Differential Equations II, IV.8). The linear systems are solved block by block, as far as the Jacobian lets them fall apart.
 * With "fixed" steps are taken as they are asked for, and only cut where Newton does not converge.
 */
export function radau(n: number, tolerance: Tolerance | "fixed" = DEFAULT_TOLERANCE): Integrator {
  const isFixed = tolerance === "fixed";
  const { relative, absolute } = isFixed ? FIXED : tolerance;
  const newtonGoal = isFixed
    ? 0.01
    : Math.max((10 * ROUNDING) / relative, Math.min(0.03, Math.sqrt(relative)));
  const keepJacobian = isFixed ? KEEP_JACOBIAN_FIXED : KEEP_JACOBIAN;
  const memory = new Float64Array(SCALARS + 3 * n + n * n);
  const cont0 = memory.subarray(SCALARS, SCALARS + n);
  const cont1 = memory.subarray(SCALARS + n, SCALARS + 2 * n);
  const cont2 = memory.subarray(SCALARS + 2 * n, SCALARS + 3 * n);
  const J = memory.subarray(SCALARS + 3 * n);
  let system = new ShiftedSystem(n);
  let machine: NewtonMachine | undefined;
  let pattern: Uint8Array | undefined;
  // One block, because arrays a multiple of 4096 bytes apart slow each other down.
  let block = new Float64Array(VECTORS * n);
  const vectorsOf = (from: Float64Array) =>
    Array.from({ length: VECTORS }, (_, k) => from.subarray(k * n, (k + 1) * n));
  // Increments of the stages, the same transformed, what the systems are solved for, and 1/scale^2 (see newton.ts).
  let [z1, z2, z3, w1, w2, w3, g1, g2, g3, weight] = vectorsOf(block);
  let [f0, scale, trial, end, error] = vectorsOf(block).slice(10);
  // What the factors at hand were made of: a restored memory may ask for others.
  const factoredJ = new Float64Array(n * n);
  let factoredH = 0;
  let worst = 0;

  function differentiate(f: Rhs, t: number, x: Float64Array): void {
    memory[HAS_JACOBIAN] = 1;
    if (f.jacobian?.(t, x, J)) return;
    for (let i = 0; i < n; i++) trial[i] = x[i];
    for (let j = 0; j < n; j++) {
      const step = Math.sqrt(ROUNDING * Math.max(1e-5, Math.abs(x[j])));
      trial[j] = x[j] + step;
      f(t, trial, error);
      const made = trial[j] - x[j];
      for (let i = 0; i < n; i++) J[i * n + j] = (error[i] - f0[i]) / made;
      trial[j] = x[j];
    }
  }

  /** Factors of (REAL/h) I - J and (PAIR/h) I - J; false where there are none. A step that differs by rounding needs no new ones. */
  function prepare(h: number): boolean {
    if (!(Math.abs(h - memory[FACTORED_H]) <= 1e-9 * h)) memory[FACTORED_H] = h;
    const made = memory[FACTORED_H];
    let isAtHand = made === factoredH;
    for (let k = 0; isAtHand && k < J.length; k++) isAtHand = J[k] === factoredJ[k];
    if (isAtHand) return true;
    factoredJ.set(J);
    const isRegular = system.factor(J, REAL / made, PAIR_RE / made, PAIR_IM / made);
    factoredH = isRegular ? made : 0;
    machine?.take(system);
    return isRegular;
  }

  /** The equations' own pattern, and machine code for the iterations, where there are any. */
  function adopt(offered: ReturnType<NonNullable<Rhs["newton"]>>): void {
    if (offered?.pattern !== pattern) {
      pattern = offered?.pattern;
      system = new ShiftedSystem(n, pattern);
      factoredH = 0;
    }
    if (offered?.machine === machine) return;
    machine = offered?.machine;
    factoredH = 0;
    if (machine === undefined) return;
    machine.block.set(block);
    block = machine.block;
    [z1, z2, z3, w1, w2, w3, g1, g2, g3, weight] = vectorsOf(block);
    [f0, scale, trial, end, error] = vectorsOf(block).slice(10);
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

  /** The state whose own rate is the largest, or that has none. */
  const stiffest = () => {
    let most = 0;
    for (let i = 1; i < n; i++) {
      const rate = Math.abs(J[i * n + i]);
      if (Number.isNaN(rate) || rate > Math.abs(J[most * n + most])) most = i;
    }
    return most;
  };

  /** First guess of the stages: the last step's polynomial carried on. */
  function guess(h: number): void {
    if (memory[LAST] === 0) {
      for (const v of [z1, z2, z3, w1, w2, w3]) v.fill(0);
      return;
    }
    const q = h / memory[LAST];
    const s1 = C1 * q;
    const s2 = C2 * q;
    for (let i = 0; i < n; i++) {
      const a = cont0[i];
      const b = cont1[i];
      const c = cont2[i];
      z1[i] = s1 * (a + (s1 - (C2 - 1)) * (b + (s1 - (C1 - 1)) * c));
      z2[i] = s2 * (a + (s2 - (C2 - 1)) * (b + (s2 - (C1 - 1)) * c));
      z3[i] = q * (a + (q - (C2 - 1)) * (b + (q - (C1 - 1)) * c));
    }
    transform(block, n);
  }

  function stage(f: Rhs, t: number, x: Float64Array, z: Float64Array, out: Float64Array): void {
    for (let i = 0; i < n; i++) trial[i] = x[i] + z[i];
    f(t, trial, out);
  }

  function iteratePlainly(f: Rhs, t: number, h: number, x: Float64Array): number {
    stage(f, t + C1 * h, x, z1, g1);
    stage(f, t + C2 * h, x, z2, g2);
    stage(f, t + h, x, z3, g3);
    return iterate(system, block, n, h);
  }

  /** Iterations used, or 0 where Newton does not converge. */
  function newton(f: Rhs, t: number, h: number, x: Float64Array): number {
    let last = 0;
    let rate = KEEP_JACOBIAN;
    // What the last step told of the convergence counts for less each time that one iteration is enough.
    const root = Math.sqrt(Math.max(memory[ETA], ROUNDING));
    let eta = memory[LAST] === 0 ? 1 : root * Math.sqrt(root);
    for (let iteration = 1; iteration <= MOST_ITERATIONS; iteration++) {
      const change = machine === undefined ? iteratePlainly(f, t, h, x) : machine.iterate(t, h, x);
      if (!Number.isFinite(change)) return 0;
      if (iteration > 1) {
        const quotient = change / last;
        rate = iteration === 2 ? quotient : Math.sqrt(quotient * rate);
        if (!(rate < 0.99)) return 0;
        eta = rate / (1 - rate);
        let ahead = eta * change;
        for (let left = MOST_ITERATIONS - 1; left > iteration; left--) ahead *= rate;
        if (ahead >= newtonGoal && iteration < MOST_ITERATIONS) return 0;
      }
      last = Math.max(change, ROUNDING);
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
    const weigh = (i: number) => (E1 * z1[i] + E2 * z2[i] + E3 * z3[i]) / h;
    for (let i = 0; i < n; i++) error[i] = f0[i] + weigh(i);
    system.solve(error);
    const first = norm(error);
    if (first < 1 || !isSuspicious) return Math.max(first, 1e-10);
    for (let i = 0; i < n; i++) trial[i] = x[i] + error[i];
    f(t, trial, error);
    for (let i = 0; i < n; i++) error[i] += weigh(i);
    system.solve(error);
    return Math.max(norm(error), 1e-10);
  }

  /** The step is taken: its end, and its polynomial for dense output and the next guess. */
  function accept(x: Float64Array, h: number): void {
    for (let i = 0; i < n; i++) {
      end[i] = x[i] + z3[i];
      cont0[i] = (z2[i] - z3[i]) / (C2 - 1);
      const between = (z1[i] - z2[i]) / (C1 - C2);
      const ahead = (between - z1[i] / C1) / C2;
      cont1[i] = (between - cont0[i]) / (C1 - 1);
      cont2[i] = cont1[i] - ahead;
      x[i] = end[i];
    }
    memory[LAST] = h;
  }

  return {
    memory,
    /** What was learned of Newton's convergence does not hold any more: one iteration is not enough on trust. */
    jump() {
      memory[ETA] = 1;
    },
    step(f, t, limit, x) {
      adopt(f.newton?.());
      const mayKeepJacobian = memory[HAS_JACOBIAN] === 1 && memory[RATE] <= keepJacobian;
      // Fixed steps need the derivative at their start only for differences.
      if (!isFixed || !mayKeepJacobian) f(t, x, f0);
      for (let i = 0; i < n; i++) {
        scale[i] = absolute + relative * Math.abs(x[i]);
        weight[i] = 1 / (scale[i] * scale[i]);
      }
      if (memory[NEXT] === 0 && !isFixed) {
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
      let hasDiverged = false;
      let wasCut = false;
      if (!mayKeepJacobian) {
        differentiate(f, t, x);
        isFresh = true;
      }
      for (;;) {
        if (wasCut && !(h > 1e-14 * Math.max(1, Math.abs(t))))
          throw hasDiverged
            ? new StepSizeError(t, h, stiffest(), "stiffest")
            : new StepSizeError(t, h, worst, "least accurate");
        const isSolvable = prepare(h);
        if (isSolvable) guess(h);
        const iterations = isSolvable ? newton(f, t, h, x) : 0;
        hasDiverged = iterations === 0;
        if (hasDiverged) {
          wasCut = isFresh;
          if (isFresh) h *= 0.5;
          else {
            f(t, x, f0);
            differentiate(f, t, x);
            isFresh = true;
          }
          memory[NEXT] = h;
          memory[RATE] = 1;
          wasRejected = true;
          continue;
        }
        if (isFixed) {
          accept(x, h);
          return h;
        }
        const size = estimate(f, t, h, x, wasRejected);
        const safety = Math.min(0.9, (0.9 * (1 + 2 * MOST_ITERATIONS)) / (iterations + 2 * MOST_ITERATIONS));
        const quotient = Math.max(0.125, Math.min(5, Math.sqrt(Math.sqrt(size)) / safety));
        let next = h / quotient;
        if (!(size < 1)) {
          wasRejected = true;
          wasCut = true;
          h = memory[LAST] === 0 ? 0.1 * h : next;
          memory[NEXT] = h;
          if (!isFresh) {
            differentiate(f, t, x);
            isFresh = true;
          }
          continue;
        }
        // Gustafsson's control: the errors of two steps tell how they change.
        if (memory[LAST] > 0 && memory[OLD_ERROR] > 0) {
          const predicted = Math.sqrt(size / Math.sqrt(memory[OLD_ERROR])) * (memory[LAST] / h);
          next = Math.min(next, h / Math.max(0.125, Math.min(5, predicted / 0.9)));
        }
        accept(x, h);
        memory[OLD_ERROR] = Math.max(0.01, size);
        if (wasRejected) next = Math.min(next, h);
        // A step cut short by the limit says little of what the next may be; small changes are not worth new factors.
        const change = next / h;
        const kept =
          memory[RATE] <= keepJacobian && change >= LEAST_CHANGE && change <= LARGEST_UNMADE ? h : next;
        memory[NEXT] = h < memory[NEXT] ? Math.max(memory[NEXT], kept) : kept;
        return h;
      }
    },
    /** The collocation polynomial, order 3. */
    interpolate(theta, out) {
      const s = theta - 1;
      for (let i = 0; i < n; i++)
        out[i] = end[i] + s * (cont0[i] + (s - (C2 - 1)) * (cont1[i] + (s - (C1 - 1)) * cont2[i]));
    },
  };
}
