/** The normal distribution. */
import { exp, log } from "../math/elementary.ts";

/** Ratio of two polynomials, coefficients from the constant term on; the denominator begins with 1. */
function ratio(a: readonly number[], b: readonly number[], x: number): number {
  let [above, below] = [0, 0];
  for (let i = a.length - 1; i >= 0; i--) above = above * x + a[i];
  for (let i = b.length - 1; i >= 0; i--) below = below * x + b[i];
  return above / (1 + below * x);
}

// Wichura, "The percentage points of the normal distribution", Applied Statistics 37 (1988), AS 241, PPND16: 16 digits.
const A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const B = [
  42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
];
const D = [
  2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
];
const F = [
  0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
  1.421511758316446e-7, 2.0442631033899397e-15,
];

/** The value below which a standard normal number lies with probability p. */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(A, B, 0.180625 - q * q);
  const tail = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const size = tail <= 5 ? ratio(C, D, tail - 1.6) : ratio(E, F, tail - 5);
  return q < 0 ? -size : size;
}

/** The probability of a standard normal number below x: where the quantile is x, found in the exponent to 1e-13 of it. */
export function normalProbability(x: number): number {
  if (x > 0) return 1 - normalProbability(-x);
  let [low, high] = [0.6931471805599453, 745];
  for (let i = 0; i < 64; i++) {
    const middle = 0.5 * (low + high);
    if (normalQuantile(exp(-middle)) > x) low = middle;
    else high = middle;
  }
  return exp(-0.5 * (low + high));
}
