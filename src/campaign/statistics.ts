/** Estimates from samples, with the intervals that hold them in 95 of 100 cases. */
import { atan2, exp, hypot, log, pow } from "../math/elementary.ts";
import { normalQuantile } from "./normal.ts";

export const CONFIDENCE = 0.95;
const Z = normalQuantile(0.5 + CONFIDENCE / 2);

const EXACT = [12.706204736174698, 4.302652729749464, 3.182446305283708, 2.7764451051977934];

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
export const NO_ESTIMATE: Estimate = { value: Number.NaN, low: Number.NaN, high: Number.NaN };

/** Of Student's distribution with so many degrees of freedom, beside the normal one (Cornish and Fisher's expansion). */
export function student(freedom: number): number {
  // The expansion is for many; these are exact.
  if (freedom <= EXACT.length) return EXACT[freedom - 1];
  const s = Z * Z;
  const g = (Z * (s + 1)) / 4;
  const h = (Z * ((5 * s + 16) * s + 3)) / 96;
  const k = (Z * (((3 * s + 19) * s + 17) * s - 15)) / 384;
  return Z + (g + (h + k / freedom) / freedom) / freedom;
}

export function meanOf(values: ArrayLike<number>): Estimate & { readonly sd: number } {
  const n = values.length;
  let mean = 0;
  let squares = 0;
  // Welford: no large sums are subtracted.
  for (let i = 0; i < n; i++) {
    const d = values[i] - mean;
    mean += d / (i + 1);
    squares += d * (values[i] - mean);
  }
  const sd = n > 1 ? Math.sqrt(squares / (n - 1)) : Number.NaN;
  const half = n > 1 ? (student(n - 1) * sd) / Math.sqrt(n) : Number.NaN;
  return { value: mean, low: mean - half, high: mean + half, sd };
}

/** Between its neighbours (type 7 of Hyndman and Fan). */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const at = p * (sorted.length - 1);
  const i = Math.min(sorted.length - 2, Math.floor(at));
  return sorted.length === 1 ? sorted[0] : sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]);
}

/** With an interval between order statistics, which holds for any distribution: how many values lie below is binomial. */
export function quantileOf(sorted: ArrayLike<number>, p: number): Estimate {
  const n = sorted.length;
  const [low, high] = binomialBounds(n, p);
  return {
    value: quantile(sorted, p),
    low: low < 0 ? Number.NaN : sorted[low],
    high: high >= n ? Number.NaN : sorted[high],
  };
}

/** Places of the order statistics, from 0; beyond the ends where there are too few values. */
function binomialBounds(n: number, p: number): [low: number, high: number] {
  const tail = (1 - CONFIDENCE) / 2;
  if (n * p * (1 - p) > 100) {
    const half = Z * Math.sqrt(n * p * (1 - p));
    return [Math.floor(n * p - half) - 1, Math.ceil(n * p + half)];
  }
  // From the other end, where the first term is not too small for a number.
  if (p > 0.5) {
    const [low, high] = binomialBounds(n, 1 - p);
    return [n - 1 - high, n - 1 - low];
  }
  // P(K <= k) term by term.
  let below = 0;
  let term = exp(n * log(1 - p));
  let low = -1;
  let high = n;
  for (let k = 0; k <= n; k++) {
    if (below + term <= tail) low = k;
    below += term;
    if (below >= 1 - tail) {
      high = k;
      break;
    }
    term *= ((n - k) / (k + 1)) * (p / (1 - p));
  }
  return [low, high];
}

/** So many of n (Wilson). */
export function proportionOf(count: number, n: number): Estimate {
  const p = count / n;
  const s = Z * Z;
  const scale = 1 + s / n;
  const middle = (p + s / (2 * n)) / scale;
  const half = (Z / scale) * Math.sqrt((p * (1 - p) + s / (4 * n)) / n);
  return { value: p, low: count === 0 ? 0 : middle - half, high: count === n ? 1 : middle + half };
}

/** Ranks from 1; equal values share the mean of theirs. */
export function ranks(values: ArrayLike<number>): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const out = new Float64Array(values.length);
  for (let i = 0; i < order.length; ) {
    let end = i;
    while (end + 1 < order.length && values[order[end + 1]] === values[order[i]]) end++;
    for (let k = i; k <= end; k++) out[order[k]] = 1 + (i + end) / 2;
    i = end + 1;
  }
  return out;
}

/** Correlation of two lists; NaN where one does not vary. */
export function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [ma, mb] = [meanOf(a).value, meanOf(b).value];
  let [aa, ab, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] - ma, b[i] - mb];
    aa += x * x;
    ab += x * y;
    bb += y * y;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : Number.NaN;
}

/** Spearman's rank correlation, and whether chance alone would seldom give as much. */
export function rankCorrelation(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): { rho: number; isSignificant: boolean } {
  const rho = correlation(ranks(a), ranks(b));
  return { rho, isSignificant: Math.abs(rho) * Math.sqrt(a.length - 1) > Z };
}

/** Scatter on a plane. */
export interface Scatter {
  readonly centre: readonly [north: number, east: number];
  /** Radius about the centre that holds half of the points. */
  readonly cep: Estimate;
  /** Radius about the origin that does. */
  readonly aboutOrigin: Estimate;
  /** Semi-axes of the ellipse that holds 95 % of a normal scatter, and where the longer points, from north to east [rad]. */
  readonly major: number;
  readonly minor: number;
  readonly direction: number;
}

export function scatterOf(north: ArrayLike<number>, east: ArrayLike<number>): Scatter {
  const none = north.length === 0;
  const centre = none
    ? ([Number.NaN, Number.NaN] as const)
    : ([meanOf(north).value, meanOf(east).value] as const);
  let [nn, ne, ee] = [0, 0, 0];
  for (let i = 0; i < north.length; i++) {
    const [x, y] = [north[i] - centre[0], east[i] - centre[1]];
    nn += x * x;
    ne += x * y;
    ee += y * y;
  }
  // One point has no spread.
  const per = north.length > 1 ? 1 / (north.length - 1) : Number.NaN;
  const [a, b, c] = [nn * per, ne * per, ee * per];
  const root = hypot((a - c) / 2, b);
  const scale = Math.sqrt(-2 * log(1 - CONFIDENCE));
  const radii = new Float64Array(north.length);
  const half = (n0: number, e0: number) => {
    for (let i = 0; i < radii.length; i++) radii[i] = hypot(north[i] - n0, east[i] - e0);
    return none ? NO_ESTIMATE : quantileOf(radii.sort(), 0.5);
  };
  return {
    centre,
    cep: half(...centre),
    aboutOrigin: half(0, 0),
    major: scale * Math.sqrt((a + c) / 2 + root),
    minor: scale * Math.sqrt(Math.max(0, (a + c) / 2 - root)),
    direction: 0.5 * atan2(2 * b, a - c),
  };
}

/** Counts between equal steps (Freedman and Diaconis, at most 60). */
export function histogram(sorted: ArrayLike<number>): { from: number; step: number; counts: number[] } {
  const n = sorted.length;
  const [from, to] = [sorted[0], sorted[n - 1]];
  if (!(to > from)) return { from: from - 0.5, step: 1, counts: [n] };
  const width = (2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25))) / pow(n, 1 / 3);
  const bins = Math.max(5, Math.min(60, width > 0 ? Math.ceil((to - from) / width) : 60));
  const step = (to - from) / bins;
  const counts = new Array<number>(bins).fill(0);
  for (let i = 0; i < n; i++) counts[Math.min(bins - 1, Math.floor((sorted[i] - from) / step))]++;
  return { from, step, counts };
}
