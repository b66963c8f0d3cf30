/** Eigenvalues and eigenvectors of small real matrices, row-major. */
import { factoriseComplex, solveComplex } from "./lu-complex.ts";

export interface Eigenvalue {
  readonly re: number;
  readonly im: number;
}

const EPSILON = 2.220446049250313e-16;
const MOST_SWEEPS = 60;

/**
 * Eigenvalues by reduction to Hessenberg form and the shifted QR iteration of Francis (Golub and Van Loan, Matrix Computations,
 * 7.5), after balancing by powers of two. Pairs stand together, the one above the real axis first.
 */
export function eigenvalues(matrix: ArrayLike<number>, n: number): Eigenvalue[] {
  const a = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => matrix[i * n + j]),
  );
  for (const row of a)
    for (const v of row)
      if (!Number.isFinite(v)) throw new Error("a matrix with undefined entries has no eigenvalues");
  balance(a, n);
  hessenberg(a, n);
  return francis(a, n);
}

/** Rows and columns brought to similar size, exactly. */
function balance(a: Float64Array[], n: number): void {
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (let i = 0; i < n; i++) {
      let [row, column] = [0, 0];
      for (let j = 0; j < n; j++)
        if (j !== i) {
          row += Math.abs(a[i][j]);
          column += Math.abs(a[j][i]);
        }
      if (row === 0 || column === 0) continue;
      let f = 1;
      const sum = row + column;
      while (column < row / 2) {
        f *= 2;
        column *= 4;
      }
      while (column > row * 2) {
        f /= 2;
        column /= 4;
      }
      if ((row + column) / f < 0.95 * sum && f !== 1) {
        isDone = false;
        for (let j = 0; j < n; j++) a[i][j] /= f;
        for (let j = 0; j < n; j++) a[j][i] *= f;
      }
    }
  }
}

/** Zeros below the first subdiagonal, by elimination with pivots. */
function hessenberg(a: Float64Array[], n: number): void {
  for (let m = 1; m < n - 1; m++) {
    let p = m;
    for (let j = m + 1; j < n; j++) if (Math.abs(a[j][m - 1]) > Math.abs(a[p][m - 1])) p = j;
    const x = a[p][m - 1];
    if (x === 0) continue;
    if (p !== m) {
      for (let j = m - 1; j < n; j++) [a[p][j], a[m][j]] = [a[m][j], a[p][j]];
      for (let j = 0; j < n; j++) [a[j][p], a[j][m]] = [a[j][m], a[j][p]];
    }
    for (let i = m + 1; i < n; i++) {
      const y = a[i][m - 1] / x;
      if (y === 0) continue;
      a[i][m - 1] = 0;
      for (let j = m; j < n; j++) a[i][j] -= y * a[m][j];
      for (let j = 0; j < n; j++) a[j][m] += y * a[j][i];
    }
  }
}

/** Eigenvalues of the 2 x 2 matrix [[a, b], [c, d]]. */
function pair(a: number, b: number, c: number, d: number): [Eigenvalue, Eigenvalue] {
  const half = 0.5 * (a - d);
  const q = half * half + b * c;
  const root = Math.sqrt(Math.abs(q));
  const middle = 0.5 * (a + d);
  if (q < 0)
    return [
      { re: middle, im: root },
      { re: middle, im: -root },
    ];
  // The larger one first, the other by the product, without cancellation.
  const large = middle >= 0 ? middle + root : middle - root;
  const small = large === 0 ? 0 : (a * d - b * c) / large;
  return [
    { re: large, im: 0 },
    { re: small, im: 0 },
  ];
}

function francis(h: Float64Array[], n: number): Eigenvalue[] {
  const found: Eigenvalue[] = [];
  let size = 0;
  for (let i = 0; i < n; i++) for (let j = Math.max(0, i - 1); j < n; j++) size += Math.abs(h[i][j]);
  let hi = n - 1;
  let sweeps = 0;
  while (hi >= 0) {
    let lo = hi;
    while (lo > 0) {
      const near = Math.abs(h[lo - 1][lo - 1]) + Math.abs(h[lo][lo]);
      if (Math.abs(h[lo][lo - 1]) <= EPSILON * (near === 0 ? size : near)) break;
      lo--;
    }
    if (lo === hi) {
      found.push({ re: h[hi][hi], im: 0 });
      hi--;
      sweeps = 0;
    } else if (lo === hi - 1) {
      found.push(...pair(h[hi - 1][hi - 1], h[hi - 1][hi], h[hi][hi - 1], h[hi][hi]).reverse());
      hi -= 2;
      sweeps = 0;
    } else {
      if (++sweeps > MOST_SWEEPS) throw new Error("the eigenvalues do not converge");
      sweep(h, n, lo, hi, sweeps % 10 === 0);
    }
  }
  return found.reverse();
}

/** One double step with the shifts of the lower corner, or with others where those go in circles. */
function sweep(h: Float64Array[], n: number, lo: number, hi: number, isExceptional: boolean): void {
  let s = h[hi - 1][hi - 1] + h[hi][hi];
  let t = h[hi - 1][hi - 1] * h[hi][hi] - h[hi - 1][hi] * h[hi][hi - 1];
  if (isExceptional) {
    const size = Math.abs(h[hi][hi - 1]) + Math.abs(h[hi - 1][hi - 2]);
    s = 1.5 * size;
    t = size * size;
  }
  let x = h[lo][lo] * h[lo][lo] + h[lo][lo + 1] * h[lo + 1][lo] - s * h[lo][lo] + t;
  let y = h[lo + 1][lo] * (h[lo][lo] + h[lo + 1][lo + 1] - s);
  let z = h[lo + 1][lo] * h[lo + 2][lo + 1];
  for (let k = lo - 1; k <= hi - 2; k++) {
    const rows = k === hi - 2 ? 2 : 3;
    reflect(h, n, k, lo, hi, rows, x, y, rows === 3 ? z : 0);
    if (k + 1 > hi - 1) break;
    x = h[k + 2][k + 1];
    y = k + 3 <= hi ? h[k + 3][k + 1] : 0;
    z = k + 4 <= hi ? h[k + 4][k + 1] : 0;
  }
}

/** Householder reflection that takes (x, y, z) to its first component, applied from both sides to rows k+1, ... */
function reflect(
  h: Float64Array[],
  n: number,
  k: number,
  lo: number,
  hi: number,
  rows: number,
  x: number,
  y: number,
  z: number,
): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length === 0) return;
  const v = [x + (x >= 0 ? length : -length), y, z];
  const factor = 2 / (v[0] * v[0] + y * y + z * z);
  for (let j = Math.max(lo, k); j < n; j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += v[i] * h[k + 1 + i][j];
    for (let i = 0; i < rows; i++) h[k + 1 + i][j] -= factor * sum * v[i];
  }
  for (let j = 0; j <= Math.min(k + 4, hi); j++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += v[i] * h[j][k + 1 + i];
    for (let i = 0; i < rows; i++) h[j][k + 1 + i] -= factor * sum * v[i];
  }
}

/** The eigenvector of an eigenvalue, by inverse iteration from a start or from anywhere: real and imaginary parts, length 1. */
export function eigenvector(
  matrix: ArrayLike<number>,
  n: number,
  { re, im }: Eigenvalue,
  start?: { readonly re: Float64Array; readonly im: Float64Array },
): { re: Float64Array; im: Float64Array } {
  let size = 0;
  for (let k = 0; k < n * n; k++) size = Math.max(size, Math.abs(matrix[k]));
  // A little beside the eigenvalue, where the matrix can be inverted.
  const shift = 1e-10 * Math.max(size, 1e-300);
  const a = Float64Array.from({ length: n * n }, (_, k) => matrix[k] - (k % (n + 1) === 0 ? re + shift : 0));
  const b = Float64Array.from({ length: n * n }, (_, k) => (k % (n + 1) === 0 ? -im : 0));
  const pivot = new Int32Array(n);
  factoriseComplex(a, b, n, pivot);
  const x = start?.re.slice() ?? Float64Array.from({ length: n }, (_, i) => 1 + 0.1 * i);
  const y = start?.im.slice() ?? new Float64Array(n);
  for (let round = 0; round < 4; round++) {
    solveComplex(a, b, n, pivot, x, y);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += x[i] * x[i] + y[i] * y[i];
    const length = Math.sqrt(sum);
    for (let i = 0; i < n; i++) {
      x[i] /= length;
      y[i] /= length;
    }
  }
  return { re: x, im: y };
}
