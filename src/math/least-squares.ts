/** Nonlinear equations as least squares between bounds: Levenberg and Marquardt, with derivatives by central differences. */
import { factorise, solve } from "./lu.ts";

export interface LeastSquares {
  /** Writes the residuals at x. */
  readonly residuals: (x: Float64Array, r: Float64Array) => void;
  readonly count: number;
  readonly start: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  /** Typical size of each unknown. */
  readonly scale: ArrayLike<number>;
  /** How carefully to begin; little near a solution. */
  readonly damping?: number;
}

export interface LeastSquaresResult {
  readonly x: Float64Array;
  readonly residuals: Float64Array;
  /** Largest magnitude among them. */
  readonly size: number;
  /** -1 at the lower bound, 1 at the upper one, where the residuals push against it. */
  readonly blocked: Int8Array;
  readonly rounds: number;
}

const MOST_ROUNDS = 200;
/** Below this the residuals are rounding. */
const EXACT = 1e-13;
/** Part of the sum of squares that is not worth another round, and that is not worth so many rounds. */
const NOTHING = 1e-14;
const LITTLE = 0.01;
const PATIENCE = 12;

export function leastSquares(problem: LeastSquares): LeastSquaresResult {
  const { count: m, start, lower, upper, scale } = problem;
  const n = start.length;
  const within = (v: number, i: number) => Math.max(lower[i], Math.min(upper[i], v));
  let x = Float64Array.from({ length: n }, (_, i) => within(start[i], i));
  let r = new Float64Array(m);
  problem.residuals(x, r);
  const blocked = new Int8Array(n);
  let damping = problem.damping ?? 1e-3;
  let rounds = 0;
  let before = Number.POSITIVE_INFINITY;
  for (; rounds < MOST_ROUNDS && largest(r) > EXACT; rounds++) {
    const J = jacobian(problem, x, m, within);
    const gradient = Float64Array.from({ length: n }, (_, j) => {
      let sum = 0;
      for (let i = 0; i < m; i++) sum += J[i * n + j] * r[i];
      return sum;
    });
    // An unknown at its bound that wants to go on stays there.
    for (let j = 0; j < n; j++)
      blocked[j] = x[j] <= lower[j] && gradient[j] > 0 ? -1 : x[j] >= upper[j] && gradient[j] < 0 ? 1 : 0;
    let isBetter = false;
    let isDone = false;
    while (!isBetter && damping < 1e12) {
      const step = dampedStep(J, gradient, blocked, m, n, damping);
      const next = x.map((v, j) => within(v + step[j] * scale[j], j));
      const after = new Float64Array(m);
      problem.residuals(next, after);
      isBetter = square(after) < square(r);
      damping = isBetter ? Math.max(damping / 10, 1e-15) : damping * 10;
      isDone = isBetter && square(r) - square(after) < NOTHING * square(r);
      if (isBetter) [x, r] = [next, after];
    }
    if (!isBetter || isDone) break;
    if (rounds % PATIENCE === 0) {
      if (before - square(r) < LITTLE * before) break;
      before = square(r);
    }
  }
  return { x, residuals: r, size: largest(r), blocked, rounds };
}

const largest = (r: Float64Array) => {
  let most = 0;
  for (const v of r) if (!(Math.abs(v) <= most)) most = Math.abs(v);
  return most;
};
const square = (r: Float64Array) => {
  let sum = 0;
  for (const v of r) sum += v * v;
  return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum;
};

/** Derivatives of the residuals by the unknowns over their scale. */
function jacobian(
  { residuals, scale }: LeastSquares,
  x: Float64Array,
  m: number,
  within: (v: number, i: number) => number,
): Float64Array {
  const n = x.length;
  const J = new Float64Array(m * n);
  const [up, down] = [new Float64Array(m), new Float64Array(m)];
  const at = x.slice();
  for (let j = 0; j < n; j++) {
    const high = within(x[j] + 1e-6 * scale[j], j);
    const low = within(x[j] - 1e-6 * scale[j], j);
    at[j] = high;
    residuals(at, up);
    at[j] = low;
    residuals(at, down);
    at[j] = x[j];
    const width = (high - low) / scale[j];
    for (let i = 0; i < m; i++) J[i * n + j] = width > 0 ? (up[i] - down[i]) / width : 0;
  }
  return J;
}

/** Solves (J'J + damping D) step = -gradient for the unknowns that are free; D is the diagonal of J'J, or 1 where that vanishes. */
function dampedStep(
  J: Float64Array,
  gradient: Float64Array,
  blocked: Int8Array,
  m: number,
  n: number,
  damping: number,
): Float64Array {
  const A = new Float64Array(n * n);
  const step = new Float64Array(n);
  for (let a = 0; a < n; a++) {
    if (blocked[a] !== 0) {
      A[a * n + a] = 1;
      continue;
    }
    step[a] = -gradient[a];
    for (let b = 0; b < n; b++) {
      if (blocked[b] !== 0) continue;
      let sum = 0;
      for (let i = 0; i < m; i++) sum += J[i * n + a] * J[i * n + b];
      A[a * n + b] = sum;
    }
    A[a * n + a] += damping * (A[a * n + a] > 0 ? A[a * n + a] : 1);
  }
  const pivot = new Int32Array(n);
  if (!factorise(A, n, pivot)) return new Float64Array(n);
  solve(A, n, pivot, step);
  return step;
}
