/**
 * Of all steady motions the one of least control effort: steps along the motions that stay steady to first order, each brought back to
 * exactly steady (a reduced gradient method with a quadratic objective; Nocedal & Wright, Numerical Optimization, 18.1 and 15.6).
 */
import { factorise, solve } from "../math/lu.ts";

const sq = (v: number) => v * v;

export interface EffortProblem {
  readonly rows: number;
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly scale: readonly number[];
  /** Weight of each unknown's distance from rest: 0 for what is no control. */
  readonly weights: readonly number[];
  readonly rests: readonly number[];
  /** Derivatives of the residuals by the unknowns over their scale, row by row. */
  slopes(v: Float64Array, J: Float64Array): void;
  /** The steady motion nearest to one that is nearly steady; undefined where the iteration does not converge. */
  restore(v: Float64Array): Float64Array | undefined;
}

const MOST_ROUNDS = 60;
/** A step is given up after so many halvings without a decrease of the effort. */
const MOST_HALVINGS = 8;
/** Convergence: a step of less than this part of each unknown's scale. */
const NOTHING = 1e-9;
/** What is no control costs almost nothing, and dependent residuals give a little: both make the equations regular. */
const FREE = 1e-9;
const GIVING = 1e-12;

export function leastEffort(problem: EffortProblem, start: Float64Array): Float64Array {
  const { rows: m, lower, upper, scale, weights, rests } = problem;
  const n = start.length;
  const J = new Float64Array(m * n);
  const effort = (v: Float64Array) => v.reduce((sum, x, i) => sum + sq(weights[i] * (x - rests[i])), 0);
  let at = start;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    problem.slopes(at, J);
    const step = tangent(problem, at, J);
    let part = 1;
    let size = 0;
    for (let i = 0; i < n; i++) {
      size = Math.max(size, weights[i] > 0 ? Math.abs(step[i]) / scale[i] : 0);
      const room = step[i] > 0 ? upper[i] - at[i] : at[i] - lower[i];
      if (step[i] !== 0 && Math.abs(step[i]) > room) part = Math.min(part, room / Math.abs(step[i]));
    }
    if (!(size > NOTHING)) break;
    const before = effort(at);
    let next: Float64Array | undefined;
    for (let halving = 0; halving < MOST_HALVINGS && next === undefined; halving++, part /= 2) {
      const tried = problem.restore(at.map((v, i) => v + part * step[i]));
      if (tried !== undefined && effort(tried) < before) next = tried;
    }
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** The step that leaves least effort while the residuals keep their value to first order; what would leave its range stays. */
function tangent(
  { rows: m, lower, upper, scale, weights, rests }: EffortProblem,
  at: Float64Array,
  J: Float64Array,
): Float64Array {
  const n = at.length;
  const size = n + m;
  const fixed = Array.from(at, (_, i) => !(lower[i] < upper[i]));
  const A = new Float64Array(size * size);
  const b = new Float64Array(size);
  const pivot = new Int32Array(size);
  for (let round = 0; round <= n; round++) {
    A.fill(0);
    b.fill(0);
    for (let i = 0; i < n; i++) {
      const w = weights[i] * scale[i];
      A[i * size + i] = fixed[i] ? 1 : w * w + FREE * FREE;
      b[i] = fixed[i] ? 0 : -w * weights[i] * (at[i] - rests[i]);
      for (let k = 0; k < m; k++) {
        if (fixed[i]) continue;
        A[i * size + n + k] = J[k * n + i];
        A[(n + k) * size + i] = J[k * n + i];
      }
    }
    for (let k = n; k < size; k++) A[k * size + k] = -GIVING;
    if (!factorise(A, size, pivot)) return new Float64Array(n);
    solve(A, size, pivot, b);
    const left = fixed.findIndex((isFixed, i) => {
      if (isFixed) return false;
      const reach = ROUNDING * scale[i];
      return (at[i] <= lower[i] + reach && b[i] < 0) || (at[i] >= upper[i] - reach && b[i] > 0);
    });
    if (left < 0) break;
    fixed[left] = true;
  }
  return Float64Array.from(at, (_, i) => b[i] * scale[i]);
}

/** So near to its limit, in parts of its scale, an unknown stands at it. */
const ROUNDING = 1e-9;
