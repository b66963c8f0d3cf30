/** Interpolating cubic splines: twice continuously differentiable, natural or periodic ends. */

/** Second derivatives at the knots; a periodic one has its first value again as its last. */
export function splineCurvatures(
  t: ArrayLike<number>,
  v: ArrayLike<number>,
  isPeriodic: boolean,
): Float64Array {
  const n = t.length - 1;
  const second = new Float64Array(n + 1);
  const h = Float64Array.from({ length: n }, (_, i) => t[i + 1] - t[i]);
  const slope = Float64Array.from({ length: n }, (_, i) => (v[i + 1] - v[i]) / h[i]);
  if (!isPeriodic) {
    const diagonal = Float64Array.from({ length: n - 1 }, (_, i) => 2 * (h[i] + h[i + 1]));
    const rhs = Float64Array.from({ length: n - 1 }, (_, i) => 6 * (slope[i + 1] - slope[i]));
    tridiagonal(h.subarray(1, n - 1), diagonal, rhs);
    second.set(rhs, 1);
    return second;
  }
  // Unknowns at knots 0 .. n-1; the corners of the cyclic matrix by the formula of Sherman and Morrison.
  const before = (i: number) => (i + n - 1) % n;
  const diagonal = Float64Array.from({ length: n }, (_, i) => 2 * (h[before(i)] + h[i]));
  const rhs = Float64Array.from({ length: n }, (_, i) => 6 * (slope[i] - slope[before(i)]));
  const corner = h[n - 1];
  const gamma = -diagonal[0];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= (corner * corner) / gamma;
  const u = new Float64Array(n);
  u[0] = gamma;
  u[n - 1] = corner;
  const off = h.subarray(0, n - 1);
  tridiagonal(off, diagonal.slice(), rhs);
  tridiagonal(off, diagonal, u);
  const k = (rhs[0] + (corner * rhs[n - 1]) / gamma) / (1 + u[0] + (corner * u[n - 1]) / gamma);
  for (let i = 0; i < n; i++) second[i] = rhs[i] - k * u[i];
  second[n] = second[0];
  return second;
}

/** Solves the symmetric system in place: `diagonal` is spent, `x` becomes the solution. */
function tridiagonal(off: Float64Array, diagonal: Float64Array, x: Float64Array): void {
  for (let i = 1; i < x.length; i++) {
    const l = off[i - 1] / diagonal[i - 1];
    diagonal[i] -= l * off[i - 1];
    x[i] -= l * x[i - 1];
  }
  for (let i = x.length - 1; i >= 0; i--)
    x[i] = (x[i] - (i + 1 < x.length ? off[i] * x[i + 1] : 0)) / diagonal[i];
}

/** Value, slope and second derivative at u in [0, h] of the piece from v0 to v1. */
export function splinePiece(
  u: number,
  h: number,
  v0: number,
  v1: number,
  m0: number,
  m1: number,
): readonly [number, number, number] {
  const a = (h - u) / h;
  const b = u / h;
  return [
    a * v0 + b * v1 + (((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h) / 6,
    (v1 - v0) / h + (((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h) / 6,
    a * m0 + b * m1,
  ];
}
