/**
 * The bit-level primitives below the elementary functions. Everything else there is + - * / sqrt, floor,
 * abs and selects, which IEEE 754 and ECMAScript define exactly, so results have the same bits in every engine.
 */

const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
// Typed arrays use the machine's byte order: find where it keeps the sign and exponent.
double[0] = -1;
const HIGH = words[1] < 0 ? 1 : 0;

/** Exponent k of x = 2^k m with m in [sqrt(1/2), sqrt(2)), for normal positive x. */
export function binaryExponent(x: number): number {
  double[0] = x;
  return ((words[HIGH] + 0x95f62) >> 20) - 1023;
}

const LARGEST = 600;
const powers = new Float64Array(2 * LARGEST + 1);
powers[LARGEST] = 1;
for (let k = 1; k <= LARGEST; k++) {
  powers[LARGEST + k] = powers[LARGEST + k - 1] * 2;
  powers[LARGEST - k] = powers[LARGEST - k + 1] / 2;
}

/** 2^k for integer |k| <= 600. */
export function powerOf2(k: number): number {
  return powers[LARGEST + k];
}

/** x * 2^k for integer |k| <= 1200. Two factors, so that neither overflows before the product does. */
export function scaleByPowerOf2(x: number, k: number): number {
  const half = Math.floor(0.5 * k);
  return x * powerOf2(half) * powerOf2(k - half);
}

/** Rounding error of the product: a * b = product + productError(a, b, product) exactly (Dekker 1971). */
export function productError(a: number, b: number, product: number): number {
  const ca = 134217729 * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = 134217729 * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  return ah * bh - product + ah * bl + al * bh + al * bl;
}

/** Rounding error of the sum: a + b = sum + sumError(a, b, sum) exactly (Knuth). */
export function sumError(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}
