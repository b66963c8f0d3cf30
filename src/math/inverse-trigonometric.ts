/**
 * atan, atan2, asin, acos. Argument reductions and minimax coefficients: fdlibm (Sun, 1993). Polynomials are summed in pairs
 * (Estrin), which halves their latency; the small arguments of flow angles go a short way that compilers can inline.
 */

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const PIO2 = 1.5707963267948966;
const PIO2_LOW = 6.123233995736766e-17;
const PIO4 = 0.7853981633974483;

/** 1 - atan(z)/z as a function of s = z^2, for |z| <= 7/16. */
function atanRest(s: number): number {
  const w = s * s;
  const v = w * w;
  const odd =
    0.3333333333333293 +
    w * 0.14285714272503466 +
    v *
      (0.09090887133436507 + w * 0.06661073137387531 + v * (0.049768779946159324 + w * 0.016285820115365782));
  const even =
    -0.19999999999876483 +
    w * -0.11111110405462356 +
    v * (-0.0769187620504483 + w * -0.058335701337905735 + v * -0.036531572744216916);
  return s * odd + w * even;
}

/** atan(x) for |x| >= 7/16: atan(c) + atan((a - c)/(1 + a c)) with a = |x| and c = 1/2, 1, 3/2 or infinity. */
function atanLarge(x: number): number {
  const a = Math.abs(x);
  let z = (2 * a - 1) / (2 + a);
  let high = 0.4636476090008061;
  let low = 2.2698777452961687e-17;
  if (a >= 2.4375) {
    z = -1 / a;
    high = PIO2;
    low = PIO2_LOW;
  } else if (a >= 1.1875) {
    z = (a - 1.5) / (1 + 1.5 * a);
    high = 0.982793723247329;
    low = 1.3903311031230998e-17;
  } else if (a >= 0.6875) {
    z = (a - 1) / (a + 1);
    high = PIO4;
    low = 3.061616997868383e-17;
  }
  const y = high - (z * atanRest(z * z) - low - z);
  return x < 0 ? -y : y;
}

export function atan(x: number): number {
  // 0 + keeps the sign of a zero.
  return Math.abs(x) < 0.4375 ? x - (0 + x * atanRest(x * x)) : atanLarge(x);
}

/** atan of each number, in place. */
export function atanEach(v: Float64Array): void {
  for (let i = 0; i < v.length; i++) v[i] = atan(v[i]);
}

/** atan2 in all four quadrants, with its zeros and infinities. */
function atan2Anywhere(y: number, x: number): number {
  const ay = Math.abs(y);
  const ax = Math.abs(x);
  // Both infinite: the diagonal. Otherwise the quotient, whose overflow and underflow give the right limits.
  const q = ax === Number.POSITIVE_INFINITY && ay === Number.POSITIVE_INFINITY ? 1 : ay / ax;
  const z = ax === 0 && ay === 0 ? 0 : atan(q);
  const leftwards = x < 0 || (x === 0 && 1 / x < 0);
  const a = leftwards ? PI - (z - PI_LOW) : z;
  const downwards = y < 0 || (y === 0 && 1 / y < 0);
  return x !== x || y !== y ? Number.NaN : downwards ? -a : a;
}

export function atan2(y: number, x: number): number {
  const q = y / x;
  return x > 0 && Math.abs(q) < 0.4375 && q !== 0 ? q - q * atanRest(q * q) : atan2Anywhere(y, x);
}

/** asin(s)/s - 1 as a function of z = s^2, for z <= 1/4. */
function asinRest(z: number): number {
  const w = z * z;
  const p =
    0.16666666666666666 +
    z * -0.3255658186224009 +
    w *
      (0.20121253213486293 +
        z * -0.04005553450067941 +
        w * (0.0007915349942898145 + z * 0.00003479331075960212));
  const q =
    1 + z * -2.403394911734414 + w * (2.0209457602335057 + z * -0.6882839716054533 + w * 0.07703815055590194);
  return (z * p) / q;
}

/** The upper half of the mantissa of s (Veltkamp), whose square is exact. */
function upperHalf(s: number): number {
  const c = 134217729 * s;
  return c - (c - s);
}

/** asin(a) = pi/2 - 2 asin(s), s = sqrt((1 - a)/2) = f + c, split so that the rounding of s does not show. */
function asinLarge(a: number): number {
  const z = 0.5 * (1 - a);
  const s = Math.sqrt(z);
  const f = upperHalf(s);
  const c = s + f > 0 ? (z - f * f) / (s + f) : 0;
  return PIO4 - (2 * s * asinRest(z) - (PIO2_LOW - 2 * c) - (PIO4 - 2 * f));
}

export function asin(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) return x + x * asinRest(x * x);
  const y = asinLarge(a);
  return x < 0 ? -y : y;
}

export function acos(x: number): number {
  const a = Math.abs(x);
  const z = a < 0.5 ? x * x : 0.5 * (1 - a);
  const s = Math.sqrt(z);
  const r = asinRest(z);
  const f = upperHalf(s);
  const c = s + f > 0 ? (z - f * f) / (s + f) : 0;
  const right = 2 * (f + (r * s + c));
  const left = 2 * (PIO2 - (s + (r * s - PIO2_LOW)));
  return a < 0.5 ? PIO2 - (x - (PIO2_LOW - x * r)) : x < 0 ? left : right;
}
