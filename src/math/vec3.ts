/** Three-vectors stored in a Float64Array at an offset. Results go to `out`; nothing is allocated. */
type Vec = Float64Array;

export function dot(a: Vec, i: number, b: Vec, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}

export function norm(a: Vec, i = 0): number {
  return Math.sqrt(dot(a, i, a, i));
}

export function cross(a: Vec, i: number, b: Vec, j: number, out: Vec, k: number): void {
  const x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1];
  const y = a[i + 2] * b[j] - a[i] * b[j + 2];
  const z = a[i] * b[j + 1] - a[i + 1] * b[j];
  out[k] = x;
  out[k + 1] = y;
  out[k + 2] = z;
}
