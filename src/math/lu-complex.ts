/** LU decomposition with partial pivoting for small complex matrices, real and imaginary parts row-major, in place. */

/** Factorises the n x n matrix re + i im; `pivot` takes the row order. False where it is singular to working precision. */
export function factoriseComplex(re: Float64Array, im: Float64Array, n: number, pivot: Int32Array): boolean {
  const size = (i: number) => Math.abs(re[i]) + Math.abs(im[i]);
  for (let k = 0; k < n; k++) {
    let p = k;
    for (let i = k + 1; i < n; i++) if (size(i * n + k) > size(p * n + k)) p = i;
    pivot[k] = p;
    if (!(size(p * n + k) > 0)) return false;
    if (p !== k)
      for (let j = 0; j < n; j++) {
        const a = re[k * n + j];
        const b = im[k * n + j];
        re[k * n + j] = re[p * n + j];
        im[k * n + j] = im[p * n + j];
        re[p * n + j] = a;
        im[p * n + j] = b;
      }
    const kr = re[k * n + k];
    const ki = im[k * n + k];
    const d = kr * kr + ki * ki;
    for (let i = k + 1; i < n; i++) {
      const a = re[i * n + k];
      const b = im[i * n + k];
      if (a === 0 && b === 0) continue;
      const lr = (a * kr + b * ki) / d;
      const li = (b * kr - a * ki) / d;
      re[i * n + k] = lr;
      im[i * n + k] = li;
      for (let j = k + 1; j < n; j++) {
        const ur = re[k * n + j];
        const ui = im[k * n + j];
        re[i * n + j] -= lr * ur - li * ui;
        im[i * n + j] -= lr * ui + li * ur;
      }
    }
  }
  return true;
}

/** Solves A x = b with A's factors; b (real and imaginary parts) becomes x. */
export function solveComplex(
  re: Float64Array,
  im: Float64Array,
  n: number,
  pivot: Int32Array,
  br: Float64Array,
  bi: Float64Array,
): void {
  for (let k = 0; k < n; k++) {
    const p = pivot[k];
    const a = br[k];
    const b = bi[k];
    br[k] = br[p];
    bi[k] = bi[p];
    br[p] = a;
    bi[p] = b;
  }
  for (let i = 1; i < n; i++)
    for (let j = 0; j < i; j++) {
      const l = re[i * n + j];
      const m = im[i * n + j];
      br[i] -= l * br[j] - m * bi[j];
      bi[i] -= l * bi[j] + m * br[j];
    }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) {
      const l = re[i * n + j];
      const m = im[i * n + j];
      br[i] -= l * br[j] - m * bi[j];
      bi[i] -= l * bi[j] + m * br[j];
    }
    const kr = re[i * n + i];
    const ki = im[i * n + i];
    const d = kr * kr + ki * ki;
    const a = br[i];
    const b = bi[i];
    br[i] = (a * kr + b * ki) / d;
    bi[i] = (b * kr - a * ki) / d;
  }
}
