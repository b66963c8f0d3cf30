/**
 * Elementary functions in 320-bit fixed point by BigInt Taylor series: an arbiter that shares nothing with src/math.
 * A value v stands for v / 2^P.
 */
export const P = 320n;
const ONE = 1n << P;

/** The double as an exact fixed-point number (its bits must not reach below 2^-P). */
export function fixed(x: number): bigint {
  let e = 0n;
  while (!Number.isInteger(x)) {
    x *= 2;
    e++;
    if (e > P) throw new Error("double too small for the fixed-point format");
  }
  return BigInt(x) << (P - e);
}

const mul = (a: bigint, b: bigint) => (a * b) >> P;
const div = (a: bigint, b: bigint) => (a << P) / b;

function isqrt(n: bigint): bigint {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}
export const sqrtF = (a: bigint) => isqrt(a << P);

/** atan by argument halving and Taylor. */
export function atanF(a: bigint): bigint {
  if (a < 0n) return -atanF(-a);
  if (a > ONE) return PI_F / 2n - atanF(div(ONE, a));
  return atanSmall(a);
}
function atanSmall(a: bigint): bigint {
  let halvings = 0n;
  while (a > ONE >> 6n) {
    a = div(a, ONE + sqrtF(ONE + mul(a, a)));
    halvings++;
  }
  const z = mul(a, a);
  let term = a;
  let sum = a;
  for (let n = 3n; term !== 0n && term !== -1n; n += 2n) {
    term = -mul(term, z);
    sum += term / n;
  }
  return sum << halvings;
}
/** Machin: pi = 16 atan(1/5) - 4 atan(1/239). */
export const PI_F = 16n * atanSmall(ONE / 5n) - 4n * atanSmall(ONE / 239n);

function series(x: bigint, first: bigint, start: bigint, step: bigint, sign: bigint): bigint {
  let term = first;
  let sum = first;
  for (let n = start; term !== 0n && term !== -1n; n += step) {
    term = mul(term, step === 2n ? mul(x, x) : x) * sign;
    term /= step === 2n ? n * (n + 1n) : n;
    sum += term;
  }
  return sum;
}
export function sinF(a: bigint): bigint {
  const turn = 2n * PI_F;
  let r = a % turn;
  if (r > PI_F) r -= turn;
  if (r < -PI_F) r += turn;
  return series(r, r, 2n, 2n, -1n);
}
export const cosF = (a: bigint) => sinF(a + PI_F / 2n);

const LN2_F = 2n * atanhF(ONE / 3n);
function atanhF(a: bigint): bigint {
  const z = mul(a, a);
  let term = a;
  let sum = a;
  for (let n = 3n; term !== 0n && term !== -1n; n += 2n) {
    term = mul(term, z);
    sum += term / n;
  }
  return sum;
}
/** exp(a) = mantissa 2^exponent. */
export function expF(a: bigint): [bigint, number] {
  let k = a / LN2_F;
  if (a < 0n) k -= 1n;
  const r = a - k * LN2_F;
  return [series(r, ONE, 1n, 1n, 1n), Number(k)];
}
/** log of mantissa 2^exponent. */
export function logF(m: bigint, exponent = 0): bigint {
  let k = BigInt(exponent);
  while (m >= ONE << 1n) {
    m >>= 1n;
    k++;
  }
  while (m < ONE) {
    m <<= 1n;
    k--;
  }
  return 2n * atanhF(div(m - ONE, m + ONE)) + k * LN2_F;
}
export { div as divF, mul as mulF, ONE };

/** Distance of the double from the exact value mantissa 2^exponent, in units of the exact value's last place. */
export function ulpError(approximate: number, mantissa: bigint, exponent = 0): number {
  if (!Number.isFinite(approximate)) return Number.POSITIVE_INFINITY;
  const magnitude = mantissa < 0n ? -mantissa : mantissa;
  if (magnitude === 0n) return approximate === 0 ? 0 : Number.POSITIVE_INFINITY;
  let scaled = approximate;
  for (let e = exponent; e > 0; e--) scaled /= 2;
  for (let e = exponent; e < 0; e++) scaled *= 2;
  const difference = fixed(scaled) - mantissa;
  const bits = magnitude.toString(2).length;
  const ulpBits = BigInt(bits - 53);
  return Number(((difference < 0n ? -difference : difference) * 10000n) >> ulpBits) / 10000;
}
