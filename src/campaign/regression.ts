/** How much a measure changes per unit of each varied field, all fields at once: ordinary least squares. */
import { factorise, solve } from "../math/lu.ts";
import { type Estimate, meanOf, NO_ESTIMATE, student } from "./statistics.ts";

export interface Regression {
  /** In the fields' order; NaN where a field does not vary, or not apart from the others. */
  readonly slopes: readonly Estimate[];
  /** Part of the measure's variance that straight lines explain (R squared). */
  readonly explained: number;
}

/** A field's variance inflates so much where others give it away to nine digits. */
const DEPENDENT = 1e9;

/** Of runs that have the measure; a field's number must not be missing where the measure is not. */
export function regression(fields: readonly ArrayLike<number>[], measure: ArrayLike<number>): Regression {
  const rows = Array.from(measure, (_, i) => i).filter((i) => !Number.isNaN(measure[i]));
  const y = standardised(measure, rows);
  const columns = fields.map((field) => standardised(field, rows));
  const varying = columns.flatMap(({ size }, j) => (size > 0 ? [j] : []));
  const n = varying.length;
  const freedom = rows.length - n - 1;
  const none = { slopes: fields.map(() => NO_ESTIMATE), explained: Number.NaN };
  if (n === 0 || freedom < 1 || !(y.size > 0)) return none;

  const correlations = new Float64Array(n * n);
  const slopes = new Float64Array(n);
  varying.forEach((j, a) => {
    slopes[a] = product(columns[j].values, y.values);
    for (let b = 0; b < n; b++)
      correlations[a * n + b] = a === b ? 1 : product(columns[j].values, columns[varying[b]].values);
  });
  const pivot = new Int32Array(n);
  if (!factorise(correlations, n, pivot)) return none;
  const against = slopes.slice();
  solve(correlations, n, pivot, slopes);
  const explained = Math.min(1, product(slopes, against));
  const estimates = fields.map(() => NO_ESTIMATE);
  varying.forEach((j, a) => {
    const unit = new Float64Array(n);
    unit[a] = 1;
    solve(correlations, n, pivot, unit);
    const inflation = unit[a];
    if (!(inflation > 0 && inflation < DEPENDENT)) return;
    const scale = y.size / columns[j].size;
    const half = student(freedom) * Math.sqrt((inflation * (1 - explained)) / freedom);
    const of = (slope: number) => scale * slope;
    estimates[j] = { value: of(slopes[a]), low: of(slopes[a] - half), high: of(slopes[a] + half) };
  });
  return { slopes: estimates, explained };
}

/** Deviations from the mean over the root of their sum of squares, which is `size`; nothing where all are one number. */
function standardised(list: ArrayLike<number>, rows: readonly number[]) {
  const values = Float64Array.from(rows, (row) => list[row]);
  const mean = meanOf(values).value;
  for (let i = 0; i < values.length; i++) values[i] -= mean;
  const size = Math.sqrt(product(values, values));
  // Rounding of the mean is no variation.
  if (!(size > 1e-13 * Math.abs(mean) * Math.sqrt(values.length))) return { values, size: 0 };
  for (let i = 0; i < values.length; i++) values[i] /= size;
  return { values, size };
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
