/**
 * sin, cos, tan for |x| <= 2^20 pi/2 (1.6e6 rad); larger arguments give NaN, because an angle that large means the
 * simulation has diverged and a wrong digit must not pass silently. Minimax coefficients: fdlibm (Sun, 1993).
 */
import { productError, sumError } from "./bits.ts";

const LIMIT = 1647099;
/** Just below pi/4: no quarter turn to take off. */
const UNREDUCED = 0.785;
const TWO_OVER_PI = 0.6366197723675814;
// pi/2 in three parts of 33 bits, so that n times each is exact for |n| < 2^20, and a rest.
const PIO2_1 = 1.5707963267341256;
const PIO2_2 = 6.077100506303966e-11;
const PIO2_3 = 2.0222662487111665e-21;
const PIO2_REST = 8.4784276603689e-32;

function quarterTurns(x: number): number {
  return Math.floor(x * TWO_OVER_PI + 0.5);
}

/** Which quarter so many quarter turns end in: 0 to 3. */
function quadrantOf(n: number): number {
  return n - 4 * Math.floor(0.25 * n);
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
    0.00833333333332249 +
    z *
      (-0.0001984126982985795 +
        z * (0.0000027557313707070068 + z * (-2.5050760253406863e-8 + z * 1.58969099521155e-10)));
  return y - (z * (0.5 * t - v * r) - t + v * 0.16666666666666632);
}

/** cos(y + t), likewise. */
function cosNearZero(y: number, t: number): number {
  const z = y * y;
  const r =
    z *
    (0.0416666666666666 +
      z *
        (-0.001388888888887411 +
          z *
            (0.00002480158728947673 +
              z * (-2.7557314351390663e-7 + z * (2.087572321298175e-9 + z * -1.1359647557788195e-11)))));
  const h = 0.5 * z;
  const w = 1 - h;
  return w + (1 - w - h + (z * r - y * t));
}

function sinAnywhere(x: number): number {
  const n = quarterTurns(x);
  const y = reduced(x, n);
  const t = reducedTail(x, n, y);
  const quadrant = quadrantOf(n);
  const s = quadrant === 1 || quadrant === 3 ? cosNearZero(y, t) : sinNearZero(y, t);
  const signed = quadrant > 1 ? -s : s;
  return Math.abs(x) <= LIMIT ? signed : Number.NaN;
}

export function sin(x: number): number {
  return Math.abs(x) < UNREDUCED ? sinNearZero(x, 0) : sinAnywhere(x);
}

function cosAnywhere(x: number): number {
  const n = quarterTurns(x);
  const y = reduced(x, n);
  const t = reducedTail(x, n, y);
  const quadrant = quadrantOf(n);
  const c = quadrant === 1 || quadrant === 3 ? sinNearZero(y, t) : cosNearZero(y, t);
  const signed = quadrant === 1 || quadrant === 2 ? -c : c;
  return Math.abs(x) <= LIMIT ? signed : Number.NaN;
}

export function cos(x: number): number {
  return Math.abs(x) < UNREDUCED ? cosNearZero(x, 0) : cosAnywhere(x);
}

/** sin of each number, in place. */
export function sinEach(v: Float64Array): void {
  for (let i = 0; i < v.length; i++) v[i] = sin(v[i]);
}

/** cos(x) and sin(x) into out[k] and out[k + 1], bit for bit, for little more than one of them. */
export function cosSin(x: number, out: Float64Array, k: number): void {
  if (Math.abs(x) < UNREDUCED) {
    out[k] = cosNearZero(x, 0);
    out[k + 1] = sinNearZero(x, 0);
  } else cosSinAnywhere(x, out, k);
}

function cosSinAnywhere(x: number, out: Float64Array, k: number): void {
  const n = quarterTurns(x);
  const y = reduced(x, n);
  const t = reducedTail(x, n, y);
  const quadrant = quadrantOf(n);
  const c = cosNearZero(y, t);
  const s = sinNearZero(y, t);
  const isOdd = quadrant === 1 || quadrant === 3;
  const isKnown = Math.abs(x) <= LIMIT;
  const cosine = isOdd ? s : c;
  const sine = isOdd ? c : s;
  out[k] = isKnown ? (quadrant === 1 || quadrant === 2 ? -cosine : cosine) : Number.NaN;
  out[k + 1] = isKnown ? (quadrant > 1 ? -sine : sine) : Number.NaN;
}

/** tan(y + t) - y for |y| <= 0.67434, as a correction to y. */
function tanCorrection(y: number, t: number): number {
  const z = y * y;
  const w = z * z;
  const odd =
    0.13333333333320124 +
    w *
      (0.021869488294859542 +
        w *
          (0.0035920791075913124 +
            w * (0.0005880412408202641 + w * (0.00007817944429395571 + w * -0.000018558637485527546))));
  const even =
    z *
    (0.05396825397622605 +
      w *
        (0.0088632398235993 +
          w *
            (0.0014562094543252903 +
              w * (0.0002464631348184699 + w * (0.00007140724913826082 + w * 0.00002590730518636337)))));
  const s = z * y;
  return t + z * (s * (odd + even) + t) + 0.3333333333333341 * s;
}

export function tan(x: number): number {
  const n = quarterTurns(x);
  let y = reduced(x, n);
  let t = reducedTail(x, n, y);
  // Near pi/4 the series is slow: tan(y) = (1 - u)/(1 + u) with u = tan(pi/4 - |y|) = 1 - 2u/(1 + u).
  const near = Math.abs(y) >= 0.67434;
  const sign = y < 0 ? -1 : 1;
  if (near) {
    y = 0.7853981633974483 - sign * y + (3.061616997868383e-17 - sign * t);
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
  const f = n - 2 * Math.floor(0.5 * n) === 1 ? cotangent : high + low;
  const signed = near ? sign * f : f;
  return x === 0 ? x : Math.abs(x) <= LIMIT ? signed : Number.NaN;
}
