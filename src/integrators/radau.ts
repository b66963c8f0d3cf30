import { ShiftedSystem } from "../math/block-triangular.ts";
import { DEFAULT_TOLERANCE, type Tolerance } from "./dopri5.ts";
import { type Integrator, type NewtonMachine, type Rhs, StepSizeError } from "./integrator.ts";
import {
  ABSOLUTE,
  accept,
  applyChange,
  dense,
  ETA,
  FACTORED_H,
  G,
  GOAL,
  guess,
  H,
  HAS_JACOBIAN,
  ITERATION,
  judge,
  LAST,
  MARK,
  MOST_ITERATIONS,
  NEXT,
  OLD_ERROR,
  open,
  PAIR_IM,
  PAIR_RE,
  RATE,
  REAL,
  RELATIVE,
  ROUNDING,
  residuals,
  SCALARS,
  SCALE,
  STAGES,
  START,
  solveBlocks,
  UNKNOWN_RATE,
  VECTORS,
  VERDICT,
  Z,
} from "./newton.ts";

const SQRT6 = Math.sqrt(6);
/** Error estimate: weights of the stages. */
const E1 = -(13 + 7 * SQRT6) / 3;
const E2 = (-13 + 7 * SQRT6) / 3;
const E3 = -1 / 3;
/** Below this rate of convergence the Jacobian is kept; changes of the step that are not made. */
const KEEP_JACOBIAN = UNKNOWN_RATE;
/** With fixed steps the factors are kept too, so that a slower iteration costs less than a new Jacobian. */
const KEEP_JACOBIAN_FIXED = 0.05;
const LEAST_CHANGE = 1;
const LARGEST_UNMADE = 1.2;

/** A fixed step is cut that short where rates jump; where that goes on and on, the motion slides along the jump and gets nowhere. */
const SHORT = 1e-5;
const MOST_SHORT_STEPS = 100;

/** With fixed steps the stages are solved to a hundredth of this; nothing else is controlled. */
const FIXED: Tolerance = { relative: 1e-10, absolute: 1e-10 };

/**
 * Where radau's numbers lie among each other: scalars, Jacobian, then vectors. Each has room for a multiple of four numbers, which kernels
 * process at once; beyond the states they are zero.
 */
export function memoryLayout(n: number): {
  row: number;
  J: number;
  block: number;
  remembered: number;
  size: number;
} {
  const whole = (numbers: number) => 4 * Math.ceil(numbers / 4);
  const row = whole(n);
  const J = whole(SCALARS);
  const block = J + whole(n * n);
  return { row, J, block, remembered: block + 3 * row, size: block + VECTORS * row };
}

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
  const places = memoryLayout(n);
  const { row } = places;
  const viewsOf = (numbers: Float64Array) => {
    const block = numbers.subarray(places.block);
    const vectors = Array.from({ length: VECTORS }, (_, k) => block.subarray(k * row, k * row + n));
    return {
      memory: numbers.subarray(0, places.remembered),
      J: numbers.subarray(places.J, places.J + n * n),
      block,
      stages: vectors.slice(Z, Z + 3),
      slopes: vectors.slice(G, G + 3),
      scale: vectors[SCALE],
      start: vectors[START],
    };
  };
  // One block, because arrays a multiple of 4096 bytes apart slow each other down.
  let numbers = new Float64Array(places.size);
  let { memory, J, block, stages, slopes, scale, start } = viewsOf(numbers);
  let system = new ShiftedSystem(n);
  let machine: NewtonMachine | undefined;
  let pattern: Uint8Array | undefined;
  const [f0, trial, error] = [0, 1, 2].map(() => new Float64Array(n));
  // What the factors at hand were made of: a restored memory may ask for others.
  const factored = new Float64Array([0, Number.NaN]);
  let worst = 0;
  let shortSteps = 0;

  function differentiate(f: Rhs, t: number, x: Float64Array): void {
    memory[HAS_JACOBIAN] = 1;
    if (f.jacobian?.(t, x, J) !== true) takeDifferences(f, t, x);
    let mark = 0;
    for (let k = 0; k < J.length; k++) mark += (k + 1) * J[k];
    memory[MARK] = mark;
    factored[0] = 0;
  }

  function takeDifferences(f: Rhs, t: number, x: Float64Array): void {
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
    if (factored[0] === made && factored[1] === memory[MARK]) return true;
    const isRegular = system.factor(J, REAL / made, PAIR_RE / made, PAIR_IM / made);
    factored[0] = isRegular ? made : 0;
    factored[1] = memory[MARK];
    machine?.take(system);
    return isRegular;
  }

  /** The equations' own Jacobian pattern, and a kernel for the iterations, where there are any. */
  function adopt(offered: ReturnType<NonNullable<Rhs["newton"]>>): void {
    if (offered?.pattern !== pattern) {
      pattern = offered?.pattern;
      system = new ShiftedSystem(n, pattern);
      factored[0] = 0;
    }
    if (offered?.machine === machine) return;
    machine = offered?.machine;
    factored[0] = 0;
    const before = numbers;
    numbers = machine?.numbers ?? new Float64Array(places.size);
    numbers.set(before);
    ({ memory, J, block, stages, slopes, scale, start } = viewsOf(numbers));
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

  /** Stages of a step of h from `start`: whether they converge. */
  function solve(f: Rhs, t: number, h: number): boolean {
    memory[H] = h;
    memory[GOAL] = newtonGoal;
    memory[ABSOLUTE] = absolute;
    memory[RELATIVE] = relative;
    if (machine === undefined) solvePlainly(f, t, h);
    else machine.solve(t, h);
    return memory[VERDICT] > 0;
  }

  function solvePlainly(f: Rhs, t: number, h: number): void {
    open(memory);
    guess(memory, block, row);
    while (memory[VERDICT] === 0) {
      for (let k = 0; k < 3; k++) {
        const z = stages[k];
        for (let i = 0; i < n; i++) trial[i] = start[i] + z[i];
        f(t + STAGES[k] * h, trial, slopes[k]);
      }
      residuals(memory, block, row);
      solveBlocks(system, block, row);
      applyChange(block, row);
      judge(memory, block, row, n);
    }
  }

  function take(x: Float64Array, h: number): void {
    if (machine === undefined) accept(block, row);
    else machine.accept();
    for (let i = 0; i < n; i++) x[i] = start[i];
    memory[LAST] = h;
  }

  /** Size of the error over the tolerance: the embedded formula, filtered by the real system. */
  function estimate(f: Rhs, t: number, h: number, x: Float64Array, isSuspicious: boolean): number {
    const [z1, z2, z3] = stages;
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

  return {
    get memory() {
      return memory;
    },
    /** What was learned of Newton's convergence does not hold any more: one iteration is not enough on trust. */
    jump() {
      memory[ETA] = 1;
    },
    step(f, t, limit, x) {
      adopt(f.newton?.());
      const mayKeepJacobian = memory[HAS_JACOBIAN] === 1 && memory[RATE] <= keepJacobian;
      // Fixed steps need the derivative at their start only for differences.
      if (!isFixed || !mayKeepJacobian) f(t, x, f0);
      for (let i = 0; i < n; i++) start[i] = x[i];
      if (memory[NEXT] === 0 && !isFixed) {
        let [d0, d1] = [0, 0];
        for (let i = 0; i < n; i++) {
          const size = absolute + relative * Math.abs(x[i]);
          d0 = Math.max(d0, Math.abs(x[i] / size));
          d1 = Math.max(d1, Math.abs(f0[i] / size));
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
        hasDiverged = !(prepare(h) && solve(f, t, h));
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
          shortSteps = h < SHORT * limit ? shortSteps + 1 : 0;
          if (shortSteps > MOST_SHORT_STEPS) throw new StepSizeError(t, h, stiffest(), "stiffest");
          take(x, h);
          return h;
        }
        const size = estimate(f, t, h, x, wasRejected);
        const most = 2 * MOST_ITERATIONS;
        const safety = Math.min(0.9, (0.9 * (1 + most)) / (memory[ITERATION] + most));
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
        take(x, h);
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
    interpolate(theta, out) {
      for (let i = 0; i < n; i++) out[i] = dense(block, row, i, theta - 1);
    },
  };
}
