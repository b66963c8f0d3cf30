/** Nonlinear equations as least squares between bounds: Levenberg and Marquardt, with derivatives as given or by differences. */
import { factorise, solve } from "./lu.ts";

export interface LeastSquares {
  /** Writes the residuals at x. */
  readonly residuals: (x: Float64Array, r: Float64Array) => void;
  readonly count: number;
  /** Writes the derivatives of the residuals by the unknowns at x, row by row; false where it cannot. */
  readonly derivatives?: (x: Float64Array, J: Float64Array) => boolean;
  readonly start: ArrayLike<number>;
  readonly lower: ArrayLike<number>;
  readonly upper: ArrayLike<number>;
  /** Typical size of each unknown. */
  readonly scale: ArrayLike<number>;
  /** How carefully to begin; little near a solution. */
  readonly damping?: number;
  /** Part of the sum of squares that is not worth another round. */
  readonly enough?: number;
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
/** Parts of the sum of squares that are not worth another round, and not worth so many rounds. */
const NOTHING = 1e-14;
const LITTLE = 0.01;
const PATIENCE = 12;
/** Of an unknown's size, for differences. */
const STEP = 1e-7;

export function leastSquares(problem: LeastSquares): LeastSquaresResult {
  const { count: m, start, lower, upper, scale, enough = NOTHING } = problem;
  const n = start.length;
  const within = (v: number, i: number) => (v < lower[i] ? lower[i] : v > upper[i] ? upper[i] : v);
  let x = Float64Array.from({ length: n }, (_, i) => within(start[i], i));
  let next = new Float64Array(n);
  let r = new Float64Array(m);
  let after = new Float64Array(m);
  const J = new Float64Array(m * n);
  const normal = new Normal(n);
  problem.residuals(x, r);
  let sum = square(r);
  const blocked = new Int8Array(n);
  let damping = problem.damping ?? 1e-3;
  let rounds = 0;
  let before = Number.POSITIVE_INFINITY;
  for (; rounds < MOST_ROUNDS && largest(r) > EXACT; rounds++) {
    jacobian(problem, x, r, after, J);
    normal.form(J, r, m);
    // An unknown at its bound that wants to go on stays there.
    for (let j = 0; j < n; j++) {
      const g = normal.gradient[j];
      blocked[j] = x[j] <= lower[j] && g > 0 ? -1 : x[j] >= upper[j] && g < 0 ? 1 : 0;
    }
    let isBetter = false;
    let isDone = false;
    while (!isBetter && damping < 1e12) {
      normal.step(blocked, damping);
      for (let j = 0; j < n; j++) next[j] = within(x[j] + normal.change[j] * scale[j], j);
      problem.residuals(next, after);
      const reached = square(after);
      isBetter = reached < sum;
      damping = isBetter ? Math.max(damping / 10, 1e-15) : damping * 10;
      if (!isBetter) continue;
      isDone = sum - reached < enough * sum;
      sum = reached;
      [x, next, r, after] = [next, x, after, r];
    }
    if (!isBetter || isDone) break;
    if (rounds % PATIENCE === 0) {
      if (before - sum < LITTLE * before) break;
      before = sum;
    }
  }
  return { x, residuals: r, size: largest(r), blocked, rounds };
}

export function largest(r: Float64Array): number {
  let most = 0;
  for (let i = 0; i < r.length; i++) {
    const v = Math.abs(r[i]);
    if (Number.isNaN(v)) return Number.POSITIVE_INFINITY;
    if (v > most) most = v;
  }
  return most;
}

function square(r: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < r.length; i++) sum += r[i] * r[i];
  return Number.isNaN(sum) ? Number.POSITIVE_INFINITY : sum;
}

/** Derivatives of the residuals, which are r at x, by the unknowns over their scale; `moved` is work space. */
export function jacobian(
  { residuals, derivatives, scale, lower, upper }: LeastSquares,
  x: Float64Array,
  r: Float64Array,
  moved: Float64Array,
  J: Float64Array,
): void {
  const n = x.length;
  if (derivatives?.(x, J)) {
    for (let j = 0; j < n; j++) {
      const factor = lower[j] < upper[j] ? scale[j] : 0;
      for (let k = j; k < J.length; k += n) J[k] = factor === 0 ? 0 : J[k] * factor;
    }
    return;
  }
  for (let j = 0; j < n; j++) {
    // Away from the upper bound; where both are one, nothing can change.
    const at = x[j];
    const h = STEP * scale[j];
    const to = at + h <= upper[j] ? at + h : Math.max(lower[j], at - h);
    const width = (to - at) / scale[j];
    if (width !== 0) {
      x[j] = to;
      residuals(x, moved);
      x[j] = at;
    }
    for (let i = 0; i < r.length; i++) J[i * n + j] = width === 0 ? 0 : (moved[i] - r[i]) / width;
  }
}

/** The normal equations (J'J + damping D) change = -gradient, D being the diagonal of J'J, or 1 where that vanishes. */
class Normal {
  readonly gradient: Float64Array;
  readonly change: Float64Array;
  private readonly n: number;
  private readonly product: Float64Array;
  private readonly damped: Float64Array;
  private readonly pivot: Int32Array;

  constructor(n: number) {
    this.n = n;
    this.gradient = new Float64Array(n);
    this.change = new Float64Array(n);
    this.product = new Float64Array(n * n);
    this.damped = new Float64Array(n * n);
    this.pivot = new Int32Array(n);
  }

  form(J: Float64Array, r: Float64Array, m: number): void {
    const { n, product, gradient } = this;
    product.fill(0);
    gradient.fill(0);
    for (let i = 0; i < m; i++)
      for (let a = 0; a < n; a++) {
        const v = J[i * n + a];
        if (v === 0) continue;
        gradient[a] += v * r[i];
        for (let b = a; b < n; b++) product[a * n + b] += v * J[i * n + b];
      }
    for (let a = 0; a < n; a++) for (let b = 0; b < a; b++) product[a * n + b] = product[b * n + a];
  }

  /** For the unknowns that are free; the others stay. */
  step(blocked: Int8Array, damping: number): void {
    const { n, product, gradient, damped, change, pivot } = this;
    damped.set(product);
    for (let a = 0; a < n; a++) {
      const d = product[a * n + a];
      change[a] = -gradient[a];
      damped[a * n + a] = d + damping * (d > 0 ? d : 1);
      if (blocked[a] === 0) continue;
      for (let b = 0; b < n; b++) {
        damped[a * n + b] = 0;
        damped[b * n + a] = 0;
      }
      damped[a * n + a] = 1;
      change[a] = 0;
    }
    if (factorise(damped, n, pivot)) solve(damped, n, pivot, change);
    else change.fill(0);
  }
}
