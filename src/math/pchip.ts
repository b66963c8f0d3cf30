/**
 * Piecewise cubic interpolation that keeps the data's monotony (Fritsch and Carlson, SIAM J. Numer. Anal. 17, 1980; slopes by
 * the weighted harmonic mean, as PCHIP and SciPy have them).
 */

function endSlope(h0: number, h1: number, d0: number, d1: number): number {
  const m = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (m * d0 <= 0) return 0;
  return d0 * d1 <= 0 && Math.abs(m) > 3 * Math.abs(d0) ? 3 * d0 : m;
}

/** Slopes at the knots; x increases strictly. */
export function pchipSlopes(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  const n = x.length;
  const m = new Float64Array(n);
  if (n < 2) return m;
  const h = (i: number) => x[i + 1] - x[i];
  const d = (i: number) => (y[i + 1] - y[i]) / h(i);
  if (n === 2) return m.fill(d(0));
  for (let i = 1; i < n - 1; i++)
    if (d(i - 1) * d(i) > 0) {
      const w1 = 2 * h(i) + h(i - 1);
      const w2 = h(i) + 2 * h(i - 1);
      m[i] = (w1 + w2) / (w1 / d(i - 1) + w2 / d(i));
    }
  m[0] = endSlope(h(0), h(1), d(0), d(1));
  m[n - 1] = endSlope(h(n - 2), h(n - 3), d(n - 2), d(n - 3));
  return m;
}

/** Cubic on one interval of width h at the fraction s, from values and slopes at its ends. */
export function hermite(s: number, h: number, y0: number, y1: number, m0: number, m1: number): number {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * y0 + s * s * (3 - 2 * s) * y1 + s * r * h * (r * m0 - s * m1);
}

/** A monotone table on a uniform grid: value and slope at each knot, side by side. */
export function resample(x: ArrayLike<number>, y: ArrayLike<number>, knots: number): Float64Array {
  const n = x.length;
  const m = pchipSlopes(x, y);
  const table = new Float64Array(2 * knots);
  const width = (x[n - 1] - x[0]) / (knots - 1);
  let i = 0;
  for (let k = 0; k < knots; k++) {
    const at = k === knots - 1 ? x[n - 1] : x[0] + k * width;
    while (i < n - 2 && at >= x[i + 1]) i++;
    const h = x[i + 1] - x[i];
    const s = (at - x[i]) / h;
    table[2 * k] = hermite(s, h, y[i], y[i + 1], m[i], m[i + 1]);
    const r = 1 - s;
    table[2 * k + 1] =
      (6 * s * r * (y[i + 1] - y[i])) / h + r * (1 - 3 * s) * m[i] + s * (3 * s - 2) * m[i + 1];
  }
  // Between the new knots no slope may exceed three times its chord, or the cubic would overshoot.
  for (let k = 0; k < knots - 1; k++) {
    const chord = (table[2 * k + 2] - table[2 * k]) / width;
    for (const j of [2 * k + 1, 2 * k + 3])
      if (table[j] * chord <= 0) table[j] = 0;
      else if (Math.abs(table[j]) > 3 * Math.abs(chord)) table[j] = 3 * chord;
  }
  return table;
}
