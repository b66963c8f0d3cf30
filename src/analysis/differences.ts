/** Derivatives of a vector function by one variable: extrapolated differences, with an estimate of the error. */

export interface Slope {
  readonly value: Float64Array;
  readonly error: Float64Array;
  /** Whether the slopes of the two sides differ: among the first entries, and among the others. */
  readonly isKinked: boolean;
  readonly isKinkedBeyond: boolean;
}

const EPSILON = 2.220446049250313e-16;
/** Steps that are tried, as parts of the largest: small ones where the function bends sharply. */
const REFINED = [1, 1 / 8, 1 / 64, 1 / 4096];

const SMALLEST = REFINED[REFINED.length - 1];

/**
 * `f(d, out)` evaluates at distance d from the point; `h` is a step that is small beside the function's usual curvature. `side`: 0 both
 * ways, 1 or -1 where only one way is allowed. Differences with a step, its half and its quarter leave an error of its sixth power
 * (of its third on one side); of several steps each entry takes the one with the least error. So many entries are the `first`.
 */
export function slopeOf(
  f: (d: number, out: Float64Array) => void,
  count: number,
  h: number,
  side: -1 | 0 | 1,
  first = count,
): Slope {
  const at = (d: number) => {
    const out = new Float64Array(count);
    f(d, out);
    return out;
  };
  const middle = at(0);
  const value = new Float64Array(count);
  const error = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const bends: Float64Array[] = [];
  for (const part of REFINED) {
    const steps = [h * part, (h * part) / 2, (h * part) / 4];
    const up = steps.map((d) => at(side === -1 ? -d : d));
    const down = side === 0 ? steps.map((d) => at(-d)) : up;
    for (let i = 0; i < count; i++) {
      const d = steps.map((s, k) =>
        side === 0 ? (up[k][i] - down[k][i]) / (2 * s) : (up[k][i] - middle[i]) / (side * s),
      );
      const a = side === 0 ? (4 * d[1] - d[0]) / 3 : 2 * d[1] - d[0];
      const b = side === 0 ? (4 * d[2] - d[1]) / 3 : 2 * d[2] - d[1];
      const best = side === 0 ? (16 * b - a) / 15 : (4 * b - a) / 3;
      const rounding = (4 * EPSILON * Math.max(1, Math.abs(middle[i]))) / steps[0];
      const doubt = Math.abs(best - b) + rounding;
      if (!(doubt < error[i])) continue;
      value[i] = best;
      error[i] = doubt;
    }
    if (side === 0) bends.push(bendOf(middle, up[2], down[2], steps[2]));
  }
  const bendsIn = (from: number, to: number) => {
    const [m, large, small, slope] = [middle, bends[0], bends[REFINED.length - 1], value].map((list) =>
      list.subarray(from, to),
    );
    return bendsSharply(m, large, small, h, slope);
  };
  return {
    value,
    error,
    isKinked: side === 0 && bendsIn(0, first),
    isKinkedBeyond: side === 0 && bendsIn(first, count),
  };
}

/** How much the slopes of both sides differ. */
const bendOf = (middle: Float64Array, up: Float64Array, down: Float64Array, step: number) =>
  middle.map((m, i) => Math.abs(up[i] + down[i] - 2 * m) / step);

/** A smooth function's bends with the smallest step are less than those with the largest. */
function bendsSharply(
  middle: Float64Array,
  large: Float64Array,
  small: Float64Array,
  h: number,
  slope: Float64Array,
): boolean {
  const largest = slope.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const noise = (64 * EPSILON * Math.max(1, ...middle.map(Math.abs))) / ((h * SMALLEST) / 4);
  return small.some((bend, i) => bend > 0.5 * large[i] && bend > noise + 1e-6 * largest);
}

/** Whether a function whose slope is known has a kink here: as `slopeOf` sees it, without the steps between. */
export function hasKink(
  f: (d: number, out: Float64Array) => void,
  middle: Float64Array,
  h: number,
  slope: Float64Array,
): boolean {
  const [up, down] = [new Float64Array(middle.length), new Float64Array(middle.length)];
  const [large, small] = [h / 4, (h * SMALLEST) / 4].map((step) => {
    f(step, up);
    f(-step, down);
    return bendOf(middle, up, down, step);
  });
  return bendsSharply(middle, large, small, h, slope);
}
