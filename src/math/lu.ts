/** LU decomposition with partial pivoting for small dense matrices, row-major in a Float64Array, in place. */

/** Factorises the n x n matrix a; `pivot` takes the row order. False where a is singular to working precision. */
export function factorise(a: Float64Array, n: number, pivot: Int32Array): boolean {
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[p * n + k])) p = i;
    pivot[k] = p;
    if (!(Math.abs(a[p * n + k]) > 0)) return false;
    if (p !== k)
      for (let j = 0; j < n; j++) {
        const t = a[k * n + j];
        a[k * n + j] = a[p * n + j];
        a[p * n + j] = t;
      }
    for (let i = k + 1; i < n; i++) {
      const l = a[i * n + k] / a[k * n + k];
      a[i * n + k] = l;
      if (l !== 0) for (let j = k + 1; j < n; j++) a[i * n + j] -= l * a[k * n + j];
    }
  }
  return true;
}

/** Solves A x = b with A's factors; b becomes x. */
export function solve(lu: Float64Array, n: number, pivot: Int32Array, b: Float64Array): void {
  for (let k = 0; k < n; k++) {
    const p = pivot[k];
    const t = b[k];
    b[k] = b[p];
    b[p] = t;
  }
  for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) b[i] -= lu[i * n + j] * b[j];
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) b[i] -= lu[i * n + j] * b[j];
    b[i] /= lu[i * n + i];
  }
}
