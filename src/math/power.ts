/** pow and hypot. */
import { binaryExponent, productError, scaleByPowerOf2, sumError } from "./bits.ts";
import { expOfSum, LN2_HIGH, LN2_LOW } from "./exponential.ts";

/**
 * x^y for finite x > 0 as exp(y log x), log x carried as an unevaluated sum of two doubles (about 2^-65 relative), because
 * an error in y log x becomes a relative error of the power.
 */
function positivePower(x: number, y: number): number {
  const tiny = x < 2.2250738585072014e-308;
  const normal = tiny ? x * 18014398509481984 : x;
  const e = binaryExponent(normal);
  const k = tiny ? e - 54 : e;
  const f = scaleByPowerOf2(normal, -e) - 1;
  // s = f/(2 + f) in two parts; log(1 + f) = 2 s + 2/3 s^3 + 2/5 s^5 + ...
  const d = 2 + f;
  const dLow = f - (d - 2);
  const s = f / d;
  const sd = s * d;
  const sLow = (f - sd - productError(s, d, sd) - s * dLow) / d;
  const z = s * s;
  const zLow = productError(s, s, z) + 2 * s * sLow;
  const cube = z * s;
  const cubeLow = productError(z, s, cube) + z * sLow + zLow * s;
  const third = 0.6666666666666666 * cube;
  const thirdLow =
    productError(0.6666666666666666, cube, third) +
    0.6666666666666666 * cubeLow +
    3.700743415417188e-17 * cube;
  const rest =
    cube *
    z *
    (2 / 5 +
      z *
        (2 / 7 +
          z *
            (2 / 9 +
              z *
                (2 / 11 +
                  z *
                    (2 / 13 +
                      z *
                        (2 / 15 +
                          z * (2 / 17 + z * (2 / 19 + z * (2 / 21 + z * (2 / 23 + z * (2 / 25)))))))))));
  const a = k * LN2_HIGH;
  const b = a + 2 * s;
  const c = b + third;
  const low = sumError(a, 2 * s, b) + sumError(b, third, c) + (k * LN2_LOW + 2 * sLow + thirdLow + rest);
  const log = c + low;
  const logLow = c - log + low;
  // Past 2^66 every power of an x other than 1 has overflowed or vanished.
  const yb =
    y > 7.378697629483821e19 ? 7.378697629483821e19 : y < -7.378697629483821e19 ? -7.378697629483821e19 : y;
  const exponent = yb * log;
  const tail = productError(yb, log, exponent) + yb * logLow;
  return expOfSum(exponent, Math.abs(exponent) < 1000 ? tail : 0);
}

export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (x !== x || y !== y) return Number.NaN;
  const a = Math.abs(x);
  // ECMAScript, unlike C, leaves 1^infinity undefined.
  if (a === 1 && Math.abs(y) === Number.POSITIVE_INFINITY) return Number.NaN;
  const integer = Math.floor(y) === y;
  const odd = integer && Math.abs(y) < 9007199254740992 && Math.floor(y / 2) * 2 !== y;
  const negative = x < 0 || (x === 0 && 1 / x < 0);
  let magnitude = 0;
  if (a === 0) magnitude = y > 0 ? 0 : Number.POSITIVE_INFINITY;
  else if (a === Number.POSITIVE_INFINITY) magnitude = y > 0 ? Number.POSITIVE_INFINITY : 0;
  else if (a === 1) magnitude = 1;
  else magnitude = positivePower(a, y);
  if (negative && !integer && a !== 0 && a !== Number.POSITIVE_INFINITY) return Number.NaN;
  return negative && odd ? -magnitude : magnitude;
}

/** sqrt(x^2 + y^2), scaled where the squares would overflow or vanish. */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const m = a > b ? a : b;
  const scale = m > 1e150 ? 2.409919865102884e-181 : m < 1e-150 ? 4.149515568880993e180 : 1;
  const u = a * scale;
  const v = b * scale;
  const h = Math.sqrt(u * u + v * v) / scale;
  return a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : h;
}
