/**
 * The flat world of a simulation laid on the earth: seen from home, distance and direction over ground are true on the WGS 84
 * ellipsoid, and height is height above it. (A plane that touches the earth at home would be 0.8 m too high 3 km away, and
 * 785 m at 100 km, while the ground below is flat.)
 */
import { atan2, cos, sin } from "../math/elementary.ts";
import { destination, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS, FLATTENING, lineTo } from "./geodesic.ts";

/** A place: deg, deg, m above the ellipsoid. */
export interface GeodeticPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
}
/** Where PX4's simulations begin. */
export const ZURICH: GeodeticPosition = { latitude: 47.397742, longitude: 8.545594, altitude: 488 };

const DEGREE = Math.PI / 180;

/** Radius of curvature at home in a direction (Euler), by which metres at its altitude are longer than on the ellipsoid. */
function lengthening(home: GeodeticPosition, azimuth: number): number {
  const s = sin(home.latitude * DEGREE);
  const w = Math.sqrt(1 - ECCENTRICITY_SQUARED * s * s);
  const meridian = (EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED)) / (w * w * w);
  const transverse = EQUATORIAL_RADIUS / w;
  const [ca, sa] = [cos(azimuth), sin(azimuth)];
  return 1 + home.altitude * ((ca * ca) / meridian + (sa * sa) / transverse);
}

/** -180 up to 180 deg. */
const around = (longitude: number) => longitude - 360 * Math.floor((longitude + 180) / 360);

/** Latitude [deg], longitude [deg] and altitude [m] of a place north, east and down of an origin [m], on the WGS 84 ellipsoid. */
export function toGeodetic(
  home: GeodeticPosition,
  north: number,
  east: number,
  down: number,
): GeodeticPosition {
  const azimuth = atan2(east, north);
  const distance = Math.sqrt(north * north + east * east) / lengthening(home, azimuth);
  const [latitude, longitude] = destination(
    home.latitude * DEGREE,
    home.longitude * DEGREE,
    azimuth,
    distance,
  );
  return {
    latitude: latitude / DEGREE,
    longitude: around(longitude / DEGREE),
    altitude: home.altitude - down,
  };
}

/** North, east, down of a place. */
export function fromGeodetic(
  home: GeodeticPosition,
  place: GeodeticPosition,
): readonly [number, number, number] {
  const [azimuth, length] = lineTo(
    home.latitude * DEGREE,
    home.longitude * DEGREE,
    place.latitude * DEGREE,
    place.longitude * DEGREE,
  );
  const distance = length * lengthening(home, azimuth);
  return [distance * cos(azimuth), distance * sin(azimuth), home.altitude - place.altitude];
}

/** Gravity of the WGS 84 ellipsoid at a height above it (Somigliana's formula; NIMA TR8350.2, 4-3) [m/s^2]. */
export function normalGravity({ latitude, altitude }: GeodeticPosition): number {
  const s = sin(latitude * DEGREE);
  const onEllipsoid =
    (9.7803253359 * (1 + 0.00193185265241 * s * s)) / Math.sqrt(1 - ECCENTRICITY_SQUARED * s * s);
  const h = altitude / EQUATORIAL_RADIUS;
  return onEllipsoid * (1 - 2 * (1 + FLATTENING + 0.00344978650684 - 2 * FLATTENING * s * s) * h + 3 * h * h);
}
