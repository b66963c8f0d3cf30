/** atan, atan2, asin, acos. Argument reductions and minimax coefficients: fdlibm (Sun, 1993). */

const PI = 3.1415926535897931;
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
    high = 9.82793723247329054082e-1;
    low = 1.39033110312309984516e-17;
  } else if (a >= 0.6875) {
    z = (a - 1) / (a + 1);
    high = 7.85398163397448278999e-1;
    low = 3.06161699786838301793e-17;
  } else if (a >= 0.4375) {
    z = (2 * a - 1) / (2 + a);
    high = 4.63647609000806093515e-1;
    low = 2.26987774529616870924e-17;
  }
  const s = z * z;
  const w = s * s;
  const odd =
    s *
    (3.33333333333329318027e-1 +
      w *
        (1.42857142725034663711e-1 +
          w *
            (9.09088713343650656196e-2 +
              w *
                (6.66107313738753120669e-2 +
                  w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))));
  const even =
    w *
    (-1.99999999998764832476e-1 +
      w *
        (-1.1111110405462355788e-1 +
          w *
            (-7.69187620504482999495e-2 + w * (-5.83357013379057348645e-2 + w * -3.6531572744216915527e-2))));
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
    (1.66666666666666657415e-1 +
      z *
        (-3.25565818622400915405e-1 +
          z *
            (2.01212532134862925881e-1 +
              z *
                (-4.00555345006794114027e-2 +
                  z * (7.91534994289814532176e-4 + z * 3.4793310759602116757e-5)))));
  const q =
    1 +
    z *
      (-2.40339491173441421878 +
        z * (2.02094576023350569471 + z * (-6.8828397160545329303e-1 + z * 7.70381505559019352791e-2)));
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
