/**
 * The earth's magnetic field by the World Magnetic Model: the gradient of a potential in spherical harmonics (Chulliat et al.,
 * The US/UK World Magnetic Model for 2025-2030, NOAA).
 */
import { cos, sin } from "../math/elementary.ts";
import type { GeodeticPosition } from "./earth.ts";
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from "./geodesic.ts";
import { COEFFICIENTS, DEGREES, EPOCH } from "./wmm2025.ts";

/** Years that the coefficients are for. */
export const MAGNETIC_YEARS = [EPOCH, EPOCH + 5] as const;
/** Reference radius of the potential [m]. */
const RADIUS = 6371200;
const DEGREE = Math.PI / 180;

/** North, east, down [T], in a decimal year. */
export function magneticField(
  { latitude, longitude, altitude }: GeodeticPosition,
  year: number,
): readonly [number, number, number] {
  const phi = latitude * DEGREE;
  const lambda = longitude * DEGREE;
  // From the ellipsoid to the sphere: distance from the centre, sine and cosine of the geocentric latitude.
  const transverse = EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sin(phi) * sin(phi));
  const out = (transverse + altitude) * cos(phi);
  const up = (transverse * (1 - ECCENTRICITY_SQUARED) + altitude) * sin(phi);
  const r = Math.sqrt(out * out + up * up);
  const s = up / r;
  const c = Math.max(out / r, 1e-12);

  let [north, east, down] = [0, 0, 0];
  const years = year - EPOCH;
  const ratio = RADIUS / r;
  let power = ratio * ratio;
  // Legendre functions in Schmidt's semi-normalisation, of the degrees n-1 and n-2 for the recursion, and their slopes.
  let before: number[] = [1];
  let beforeThat: number[] = [];
  for (let n = 1; n <= DEGREES; n++) {
    power *= ratio;
    const P: number[] = [];
    for (let m = 0; m <= n; m++) {
      if (m === n) P[m] = (n === 1 ? 1 : Math.sqrt((2 * n - 1) / (2 * n))) * c * before[n - 1];
      else {
        const older = m <= n - 2 ? Math.sqrt((n - 1) * (n - 1) - m * m) * beforeThat[m] : 0;
        P[m] = ((2 * n - 1) * s * before[m] - older) / Math.sqrt(n * n - m * m);
      }
      // dP/d(latitude).
      const lower = m < n ? Math.sqrt(n * n - m * m) * before[m] : 0;
      const slope = (lower - n * s * P[m]) / c;
      const [g0, h0, dg, dh] = COEFFICIENTS[n - 1].slice(4 * m, 4 * m + 4);
      const g = g0 + years * dg;
      const h = h0 + years * dh;
      const [cm, sm] = [cos(m * lambda), sin(m * lambda)];
      north -= power * (g * cm + h * sm) * slope;
      east += (power * m * (g * sm - h * cm) * P[m]) / c;
      down -= power * (n + 1) * (g * cm + h * sm) * P[m];
    }
    beforeThat = before;
    before = P;
  }
  // From the sphere's vertical to the ellipsoid's.
  const tiltSine = s * cos(phi) - c * sin(phi);
  const tiltCosine = c * cos(phi) + s * sin(phi);
  return [
    1e-9 * (north * tiltCosine - down * tiltSine),
    1e-9 * east,
    1e-9 * (north * tiltSine + down * tiltCosine),
  ];
}
