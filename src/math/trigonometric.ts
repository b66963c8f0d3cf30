/**
 * sin, cos, tan for |x| <= 2^20 pi/2 (1.6e6 rad); larger arguments give NaN, because an angle that large means the
 * simulation has diverged and a wrong digit must not pass silently. Minimax coefficients: fdlibm (Sun, 1993).
 */
import { productError, sumError } from "./bits.ts";

const LIMIT = 1647099;
const TWO_OVER_PI = 0.6366197723675814;
// pi/2 in three parts of 33 bits, so that n times each is exact for |n| < 2^20, and a rest.
const PIO2_1 = 1.5707963267341256;
const PIO2_2 = 6.077100506303966e-11;
const PIO2_3 = 2.0222662487111665e-21;
const PIO2_REST = 8.4784276603689e-32;

function quarterTurns(x: number): number {
  return Math.floor(x * TWO_OVER_PI + 0.5);
}

/** x - n pi/2 rounded to a double (Cody and Waite, with the rounding errors of both subtractions carried along). */
function reduced(x: number, n: number): number {
  const a = x - n * PIO2_1;
  const w = n * PIO2_2;
  const b = a - w;
  const v = n * PIO2_3;
  const c = b - v;
  return c + (sumError(a, -w, b) + sumError(b, -v, c) - n * PIO2_REST);
}

/** What `reduced` rounded away: x - n pi/2 - y. */
function reducedTail(x: number, n: number, y: number): number {
  const a = x - n * PIO2_1;
  const w = n * PIO2_2;
  const b = a - w;
  const v = n * PIO2_3;
  const c = b - v;
  return c - y + (sumError(a, -w, b) + sumError(b, -v, c) - n * PIO2_REST);
}

/** sin(y + t) for |y| <= pi/4 and a tail t below half an ulp of y. */
function sinNearZero(y: number, t: number): number {
  const z = y * y;
  const v = z * y;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return y - (z * (0.5 * t - v * r) - t + v * 1.66666666666666324348e-1);
}

/** cos(y + t), likewise. */
function cosNearZero(y: number, t: number): number {
  const z = y * y;
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z *
                (-2.75573143513906633035e-7 +
                  z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))));
  const h = 0.5 * z;
  const w = 1 - h;
  return w + (1 - w - h + (z * r - y * t));
}

export function sin(x: number): number {
  const n = quarterTurns(x);
  const y = reduced(x, n);
  const t = reducedTail(x, n, y);
  const quadrant = n & 3;
  const s = (quadrant & 1) === 1 ? cosNearZero(y, t) : sinNearZero(y, t);
  const signed = quadrant > 1 ? -s : s;
  // The reduction adds +0 terms: give back the zero's own sign.
  return x === 0 ? x : Math.abs(x) <= LIMIT ? signed : Number.NaN;
}

export function cos(x: number): number {
  const n = quarterTurns(x);
  const y = reduced(x, n);
  const t = reducedTail(x, n, y);
  const quadrant = n & 3;
  const c = (quadrant & 1) === 1 ? sinNearZero(y, t) : cosNearZero(y, t);
  const signed = quadrant === 1 || quadrant === 2 ? -c : c;
  return Math.abs(x) <= LIMIT ? signed : Number.NaN;
}

/** tan(y + t) - y for |y| <= 0.67434, as a correction to y. */
function tanCorrection(y: number, t: number): number {
  const z = y * y;
  const w = z * z;
  const odd =
    1.33333333333201242699e-1 +
    w *
      (2.18694882948595424599e-2 +
        w *
          (3.59207910759131235356e-3 +
            w *
              (5.88041240820264096874e-4 + w * (7.817944429395570923e-5 + w * -1.85586374855275456654e-5))));
  const even =
    z *
    (5.39682539762260521377e-2 +
      w *
        (8.86323982359930005737e-3 +
          w *
            (1.45620945432529025516e-3 +
              w *
                (2.46463134818469906812e-4 +
                  w * (7.14072491382608190305e-5 + w * 2.59073051863633712884e-5)))));
  const s = z * y;
  return t + z * (s * (odd + even) + t) + 3.33333333333334091986e-1 * s;
}

export function tan(x: number): number {
  const n = quarterTurns(x);
  let y = reduced(x, n);
  let t = reducedTail(x, n, y);
  // Near pi/4 the series is slow: tan(y) = (1 - u)/(1 + u) with u = tan(pi/4 - |y|) = 1 - 2u/(1 + u).
  const near = Math.abs(y) >= 0.67434;
  const sign = y < 0 ? -1 : 1;
  if (near) {
    y = 7.85398163397448278999e-1 - sign * y + (3.06161699786838301793e-17 - sign * t);
    t = 0;
  }
  const r = tanCorrection(y, t);
  // The tangent as an unevaluated sum high + low, so that its reciprocal loses nothing.
  const u = y + r;
  const high = near ? 1 - (2 * u) / (1 + u) : u;
  const low = near ? 0 : y - u + r;
  const q = -1 / high;
  const p = q * high;
  const cotangent = q + q * (1 + p + productError(q, high, p) + q * low);
  const f = (n & 1) === 1 ? cotangent : high + low;
  const signed = near ? sign * f : f;
  return x === 0 ? x : Math.abs(x) <= LIMIT ? signed : Number.NaN;
}
