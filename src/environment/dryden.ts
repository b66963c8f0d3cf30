/**
 * Dryden turbulence, MIL-HDBK-1797 low-altitude model (10 to 1000 ft above ground), at a fixed reference height and airspeed
 * so that a realisation depends on time and seed alone.
 */
import { cos, exp, pow, sin } from "../math/elementary.ts";
import { stream } from "../math/random.ts";
import { ornsteinUhlenbeck } from "./colored-noise.ts";
import { GRID, type Turbulence } from "./turbulence.ts";

const FOOT = 0.3048;
const KNOT = 1852 / 3600;
/** Wind speed 20 ft above ground of the turbulence classes. */
const WIND_AT_20_FT = { light: 15 * KNOT, moderate: 30 * KNOT, severe: 45 * KNOT };
export type TurbulenceClass = keyof typeof WIND_AT_20_FT;

/** Intensities [m/s] and scale lengths [m]: sigma_w = 0.1 W20; L_u = 2 L_v, 2 L_w = h. */
export function drydenScales(turbulence: TurbulenceClass, height: number) {
  const h = height / FOOT;
  const base = 0.177 + 0.000823 * h;
  const sigma_w = 0.1 * WIND_AT_20_FT[turbulence];
  const sigma_u = sigma_w / pow(base, 0.4);
  const L_u = (h / pow(base, 1.2)) * FOOT;
  return { sigma_u, sigma_v: sigma_u, sigma_w, L_u, L_v: L_u / 2, L_w: height / 2 };
}

/**
 * Transverse component: white noise through sigma sqrt(2 L/V) (1 + 2 sqrt(3) T s)/(1 + 2 T s)^2 with T = L/V, written as two
 * first-order lags a = 1/(2T) in series, z1' = -a z1 + noise, z2' = a (z1 - z2), and discretised exactly: transition over a
 * step and covariance of what the noise adds, both in closed form.
 */
function transverse(sigma: number, T: number, seed: number, name: string) {
  const first = stream(seed, `${name}.1`);
  const second = stream(seed, `${name}.2`);
  const a = 1 / (2 * T);
  const E = exp(-a * GRID);
  const x = 2 * a * GRID;
  const E2 = E * E;
  // Integrals over one step of e^-2as, a s e^-2as and a^2 s^2 e^-2as.
  const q11 = (1 - E2) / (2 * a);
  const q12 = (1 - (1 + x) * E2) / (4 * a);
  const q22 = (2 - (2 + 2 * x + x * x) * E2) / (8 * a);
  const c11 = Math.sqrt(q11);
  const c21 = q12 / c11;
  const c22 = Math.sqrt(Math.max(0, q22 - c21 * c21));
  // Stationary covariance: the same integrals over all time.
  const s11 = Math.sqrt(1 / (2 * a));
  const s21 = 1 / (4 * a) / s11;
  const s22 = Math.sqrt(1 / (4 * a) - s21 * s21);
  // Output: (1 + 2 sqrt(3) T s)/(1 + 2 T s) of z1 = sqrt(3) z1 + (1 - sqrt(3)) z2, scaled to variance sigma^2.
  const g = sigma * Math.sqrt(a);
  const g1 = g * Math.sqrt(3);
  const g2 = g * (1 - Math.sqrt(3));
  return {
    next(k: number, z: Float64Array, i: number): number {
      const n1 = first.normal(k);
      const n2 = second.normal(k);
      if (k === 0) {
        z[i] = s11 * n1;
        z[i + 1] = s21 * n1 + s22 * n2;
      } else {
        const z1 = z[i];
        z[i] = E * z1 + c11 * n1;
        z[i + 1] = E * z[i + 1] + a * GRID * E * z1 + c21 * n1 + c22 * n2;
      }
      return g1 * z[i] + g2 * z[i + 1];
    },
  };
}

export function dryden(
  reference: { turbulence: TurbulenceClass; height: number; airspeed: number; heading: number },
  seed: number,
): Turbulence {
  const { sigma_u, sigma_v, sigma_w, L_u, L_v, L_w } = drydenScales(reference.turbulence, reference.height);
  const V = reference.airspeed;
  const along = ornsteinUhlenbeck(L_u / V, sigma_u, seed, "wind.dryden.u");
  const across = transverse(sigma_v, L_v / V, seed, "wind.dryden.v");
  const vertical = transverse(sigma_w, L_w / V, seed, "wind.dryden.w");
  const c = cos(reference.heading);
  const s = sin(reference.heading);
  const memory = new Float64Array(5);
  return {
    memory,
    next(first, count, out, offset) {
      for (let k = first, to = offset; k < first + count; k++, to += 3) {
        memory[0] = along(k, memory[0]);
        const v = across.next(k, memory, 1);
        out[to] += c * memory[0] - s * v;
        out[to + 1] += s * memory[0] + c * v;
        out[to + 2] += vertical.next(k, memory, 3);
      }
    },
  };
}
