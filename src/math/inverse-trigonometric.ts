/** atan, atan2, asin, acos. Argument reductions and minimax coefficients: fdlibm (Sun, 1993). */

const PI = 3.141592653589793;
const PI_LOW = 1.2246467991473532e-16;
const PIO2 = 1.5707963267948966;
const PIO2_LOW = 6.123233995736766e-17;

export function atan(x: number): number {
  const a = Math.abs(x);
  // atan(a) = atan(c) + atan((a - c)/(1 + a c)) with c = 0, 1/2, 1, 3/2 or infinity.
  let z = a;
  let high = 0;
  let low = 0;
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
    high = 0.7853981633974483;
    low = 3.061616997868383e-17;
  } else if (a >= 0.4375) {
    z = (2 * a - 1) / (2 + a);
    high = 0.4636476090008061;
    low = 2.2698777452961687e-17;
  }
  const s = z * z;
  const w = s * s;
  const odd =
    s *
    (0.3333333333333293 +
      w *
        (0.14285714272503466 +
          w *
            (0.09090887133436507 +
              w * (0.06661073137387531 + w * (0.049768779946159324 + w * 0.016285820115365782)))));
  const even =
    w *
    (-0.19999999999876483 +
      w *
        (-0.11111110405462356 +
          w * (-0.0769187620504483 + w * (-0.058335701337905735 + w * -0.036531572744216916))));
  const y = high - (z * (odd + even) - low - z);
  return x === 0 || x !== x ? x : x < 0 ? -y : y;
}

export function atan2(y: number, x: number): number {
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

/** (asin(s) - s)/s as a function of z = s^2, for z <= 1/4. */
function asinRest(z: number): number {
  const p =
    z *
    (0.16666666666666666 +
      z *
        (-0.3255658186224009 +
          z *
            (0.20121253213486293 +
              z * (-0.04005553450067941 + z * (0.0007915349942898145 + z * 0.00003479331075960212)))));
  const q =
    1 +
    z * (-2.403394911734414 + z * (2.0209457602335057 + z * (-0.6882839716054533 + z * 0.07703815055590194)));
  return p / q;
}

/** The upper half of the mantissa of s (Veltkamp), whose square is exact. */
function upperHalf(s: number): number {
  const c = 134217729 * s;
  return c - (c - s);
}

export function asin(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) return x === 0 ? x : x + x * asinRest(x * x);
  // asin(a) = pi/2 - 2 asin(s), s = sqrt((1 - a)/2), with s = f + c split so that s^2 - f^2 costs nothing.
  const z = 0.5 * (1 - a);
  const s = Math.sqrt(z);
  const r = asinRest(z);
  const f = upperHalf(s);
  const c = s + f > 0 ? (z - f * f) / (s + f) : 0;
  const y = 0.5 * PIO2 - (2 * s * r - (PIO2_LOW - 2 * c) - (0.5 * PIO2 - 2 * f));
  return x < 0 ? -y : y;
}

export function acos(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) return PIO2 - (x - (PIO2_LOW - x * asinRest(x * x)));
  const z = 0.5 * (1 - a);
  const s = Math.sqrt(z);
  const r = asinRest(z);
  if (x < 0) return 2 * (PIO2 - (s + (r * s - PIO2_LOW)));
  const f = upperHalf(s);
  const c = s + f > 0 ? (z - f * f) / (s + f) : 0;
  return 2 * (f + (r * s + c));
}
