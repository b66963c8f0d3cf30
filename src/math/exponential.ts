/** exp, expm1, log, tanh. Reductions to |r| <= ln2/2 and rational minimax kernels; coefficients: fdlibm (Sun, 1993). */
import { binaryExponent, scaleByPowerOf2 } from "./bits.ts";

const INV_LN2 = 1.4426950408889634;
// ln 2 in two parts; k times the first is exact for |k| < 2^20.
export const LN2_HIGH = 0.6931471803691238;
export const LN2_LOW = 1.9082149292705877e-10;

/** exp(x + t) for a tail t much smaller than x. */
export function expOfSum(x: number, t: number): number {
  const bounded = x > 710 ? 710 : x < -746 ? -746 : x;
  const k = Math.floor(bounded * INV_LN2 + 0.5);
  const high = bounded - k * LN2_HIGH;
  const low = k * LN2_LOW - t;
  const r = high - low;
  const z = r * r;
  const c =
    r -
    z *
      (0.16666666666666602 +
        z *
          (-0.0027777777777015593 +
            z * (0.00006613756321437934 + z * (-0.0000016533902205465252 + z * 4.1381367970572385e-8))));
  const y = 1 - (low - (r * c) / (2 - c) - high);
  return scaleByPowerOf2(y, k);
}

export function exp(x: number): number {
  return x !== x ? x : expOfSum(x, 0);
}

export function expm1(x: number): number {
  const bounded = x > 710 ? 710 : x < -60 ? -60 : x;
  const k = Math.floor(bounded * INV_LN2 + 0.5);
  const high = bounded - k * LN2_HIGH;
  const low = k * LN2_LOW;
  const r = high - low;
  const c = high - r - low;
  const h = 0.5 * r;
  const hr = r * h;
  const p =
    1 +
    hr *
      (-0.03333333333333313 +
        hr *
          (0.0015873015872548146 +
            hr * (-0.0000793650757867488 + hr * (0.000004008217827329362 + hr * -2.0109921818362437e-7))));
  const d = 3 - p * h;
  const e = hr * ((p - d) / (6 - r * d));
  // expm1(r + c) = r - g with g carrying everything beyond the leading term.
  const g = r * (e - c) - c - hr;
  // 2^k (1 + r - g) - 1, summed in the order that loses least for each k.
  let y = 0;
  if (k === 0) y = r - (r * e - hr);
  else if (k === -1) y = 0.5 * (r - g) - 0.5;
  else if (k === 1) y = r < -0.25 ? -2 * (g - (r + 0.5)) : 1 + 2 * (r - g);
  else if (k < 0 || k > 56) y = scaleByPowerOf2(1 - (g - r), k) - 1;
  else if (k < 20) y = scaleByPowerOf2(1 - scaleByPowerOf2(1, -k) - (g - r), k);
  else y = scaleByPowerOf2(r - (g + scaleByPowerOf2(1, -k)) + 1, k);
  return x === 0 || x !== x ? x : x > 709.782712893384 ? Number.POSITIVE_INFINITY : y;
}

export function log(x: number): number {
  const tiny = x < 2.2250738585072014e-308;
  const normal = tiny ? x * 18014398509481984 : x;
  const e = binaryExponent(normal);
  const f = scaleByPowerOf2(normal, -e) - 1;
  const k = tiny ? e - 54 : e;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const r =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586))) +
    w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const h = 0.5 * f * f;
  const y = s * (h + r) + k * LN2_LOW - h + f + k * LN2_HIGH;
  return x > 0 ? (x === Number.POSITIVE_INFINITY ? x : y) : x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
}

export function tanh(x: number): number {
  const a = Math.abs(x);
  if (a > 22) return x < 0 ? -1 : 1;
  // Below 5/8 a rational correction to x (Cody and Waite 1980; coefficients: Cephes, Moshier), above it 1 - 2/(e^2a + 1).
  const z = x * x;
  const p = -1614.6876844170845 + z * (-99.28772310019185 + z * -0.9643991794250523);
  const q = 4844.063053251255 + z * (2235.4883906010045 + z * (112.81167849163293 + z));
  const near = x + x * ((z * p) / q);
  const far = 1 - 2 / (exp(2 * a) + 1);
  return x === 0 || x !== x ? x : a < 0.625 ? near : x < 0 ? -far : far;
}
