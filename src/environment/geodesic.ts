/**
 * Shortest lines on the WGS 84 ellipsoid: where one leads to, and which one leads there. Vincenty, Survey Review 23 (1975):
 * right to less than a millimetre for every distance that is not half around the earth.
 */
import { atan2, cos, sin } from "../math/elementary.ts";

/** WGS 84: equatorial radius [m], flattening, and what follows from them. */
export const EQUATORIAL_RADIUS = 6378137;
export const FLATTENING = 1 / 298.257223563;
export const ECCENTRICITY_SQUARED = FLATTENING * (2 - FLATTENING);
const POLAR_RADIUS = EQUATORIAL_RADIUS * (1 - FLATTENING);
const SECOND_ECCENTRICITY_SQUARED = ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED);

/** Latitude and longitude, or azimuth and distance [rad, m]. */
type Pair = readonly [number, number];
const MOST_ROUNDS = 100;

/** Sine and cosine of the reduced latitude, on the sphere that the ellipsoid is stretched to. */
function reduced(latitude: number): Pair {
  const s = (1 - FLATTENING) * sin(latitude);
  const c = cos(latitude);
  const n = Math.sqrt(s * s + c * c);
  return [s / n, c / n];
}

/** The series of a line that crosses the equator with an azimuth of this squared cosine. */
function series(cosSquared: number) {
  const u = cosSquared * SECOND_ECCENTRICITY_SQUARED;
  return {
    A: 1 + (u / 16384) * (4096 + u * (-768 + u * (320 - 175 * u))),
    B: (u / 1024) * (256 + u * (-128 + u * (74 - 47 * u))),
    C: (FLATTENING / 16) * cosSquared * (4 + FLATTENING * (4 - 3 * cosSquared)),
  };
}

function arcCorrection(B: number, s: number, c: number, middle: number): number {
  const twice = 2 * middle * middle - 1;
  const cubic = (B / 6) * middle * (4 * s * s - 3) * (4 * middle * middle - 3);
  return B * s * (middle + (B / 4) * (c * twice - cubic));
}

function longitudeCorrection(
  C: number,
  sinAzimuth: number,
  arc: number,
  s: number,
  c: number,
  middle: number,
) {
  const more = C * s * (middle + C * c * (2 * middle * middle - 1));
  return (1 - C) * FLATTENING * sinAzimuth * (arc + more);
}

/** Where a line of that length ends that leaves at this azimuth, clockwise from north. */
export function destination(latitude: number, longitude: number, azimuth: number, distance: number): Pair {
  const [su, cu] = reduced(latitude);
  const [sa, ca] = [sin(azimuth), cos(azimuth)];
  const toEquator = atan2(su, cu * ca);
  const sinAzimuth = cu * sa;
  const { A, B, C } = series(1 - sinAzimuth * sinAzimuth);
  const first = distance / (POLAR_RADIUS * A);
  let arc = first;
  let [s, c, middle] = [0, 0, 0];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    [s, c, middle] = [sin(arc), cos(arc), cos(2 * toEquator + arc)];
    const next = first + arcCorrection(B, s, c, middle);
    const change = Math.abs(next - arc);
    arc = next;
    if (change < 1e-15) break;
  }
  [s, c, middle] = [sin(arc), cos(arc), cos(2 * toEquator + arc)];
  const x = su * s - cu * c * ca;
  const reach = Math.sqrt(sinAzimuth * sinAzimuth + x * x);
  const onSphere = atan2(s * sa, cu * c - su * s * ca);
  return [
    atan2(su * c + cu * s * ca, (1 - FLATTENING) * reach),
    longitude + onSphere - longitudeCorrection(C, sinAzimuth, arc, s, c, middle),
  ];
}

/** Azimuth and length of the line from one place to another. */
export function lineTo(latitude: number, longitude: number, latitude2: number, longitude2: number): Pair {
  const [su1, cu1] = reduced(latitude);
  const [su2, cu2] = reduced(latitude2);
  let apart = longitude2 - longitude;
  if (apart > Math.PI) apart -= 2 * Math.PI;
  if (apart < -Math.PI) apart += 2 * Math.PI;
  let onSphere = apart;
  for (let round = 0; ; round++) {
    const [sl, cl] = [sin(onSphere), cos(onSphere)];
    const across = cu2 * sl;
    const along = cu1 * su2 - su1 * cu2 * cl;
    const s = Math.sqrt(across * across + along * along);
    if (s === 0) return [0, 0];
    const c = su1 * su2 + cu1 * cu2 * cl;
    const arc = atan2(s, c);
    const sinAzimuth = (cu1 * cu2 * sl) / s;
    const cosSquared = 1 - sinAzimuth * sinAzimuth;
    // A line along the equator has no middle.
    const middle = cosSquared < 1e-18 ? 0 : c - (2 * su1 * su2) / cosSquared;
    const { A, B, C } = series(cosSquared);
    const next = apart + longitudeCorrection(C, sinAzimuth, arc, s, c, middle);
    const isDone = Math.abs(next - onSphere) < 1e-15 || round >= MOST_ROUNDS;
    onSphere = next;
    if (isDone) return [atan2(across, along), POLAR_RADIUS * A * (arc - arcCorrection(B, s, c, middle))];
  }
}
