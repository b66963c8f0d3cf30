/** International Standard Atmosphere (ISO 2533): temperature, pressure, density up to 32 km geopotential altitude. */
import { exp, log, pow } from "../math/elementary.ts";

const STANDARD_GRAVITY = 9.80665;
const GAS_CONSTANT = 287.05287;
const SEA_LEVEL_TEMPERATURE = 288.15;
const SEA_LEVEL_PRESSURE = 101325;
const SEA_LEVEL_DENSITY = 1.225;

/** Radius that relates geometric to geopotential altitude (ISO 2533) [m]. */
const EARTH_RADIUS = 6356766;

export function geopotential(geometric: number): number {
  return (EARTH_RADIUS * geometric) / (EARTH_RADIUS + geometric);
}

/** Geopotential altitudes that the table has [m]. */
export const STANDARD_RANGE = [-5000, 32000] as const;

/** Temperature [K] over geopotential altitude, -5 to 32 km; NaN elsewhere. */
function temperatureAt(h: number): number {
  if (!(h >= STANDARD_RANGE[0] && h <= STANDARD_RANGE[1])) return Number.NaN;
  return h < 11000 ? SEA_LEVEL_TEMPERATURE - 0.0065 * h : h < 20000 ? 216.65 : 216.65 + 0.001 * (h - 20000);
}

const G_OVER_R = STANDARD_GRAVITY / GAS_CONSTANT;
const PRESSURE_AT_11_KM = SEA_LEVEL_PRESSURE * pow(216.65 / SEA_LEVEL_TEMPERATURE, G_OVER_R / 0.0065);
const PRESSURE_AT_20_KM = PRESSURE_AT_11_KM * exp((-G_OVER_R * 9000) / 216.65);

/** Pressure [Pa]: hydrostatic balance dp = -rho g dh with the gas law, integrated over layers of constant lapse rate. */
function pressureAt(h: number): number {
  const T = temperatureAt(h);
  if (h < 11000) return SEA_LEVEL_PRESSURE * pow(T / SEA_LEVEL_TEMPERATURE, G_OVER_R / 0.0065);
  if (h < 20000) return PRESSURE_AT_11_KM * exp((-G_OVER_R * (h - 11000)) / T);
  return PRESSURE_AT_20_KM * pow(T / 216.65, -G_OVER_R / 0.001);
}

/** The standard atmosphere at a geopotential altitude; NaN outside -5 to 32 km, where the table ends. */
export function standardAtmosphere(altitude: number): {
  temperature: number;
  pressure: number;
  density: number;
} {
  const temperature = temperatureAt(altitude);
  const pressure = pressureAt(altitude);
  return { temperature, pressure, density: pressure / (GAS_CONSTANT * temperature) };
}

/** Geopotential altitude at which the standard atmosphere has this pressure [Pa]: what an altimeter shows. */
export function pressureAltitude(pressure: number): number {
  if (pressure > PRESSURE_AT_11_KM)
    return (SEA_LEVEL_TEMPERATURE / 0.0065) * (1 - pow(pressure / SEA_LEVEL_PRESSURE, 0.0065 / G_OVER_R));
  if (pressure > PRESSURE_AT_20_KM) return 11000 - (216.65 / G_OVER_R) * log(pressure / PRESSURE_AT_11_KM);
  return 20000 + (216.65 / 0.001) * (pow(pressure / PRESSURE_AT_20_KM, -0.001 / G_OVER_R) - 1);
}

/** Constant density, or the standard atmosphere from an altitude of the origin [m]. */
export type Air =
  | { readonly model: "constant" }
  | { readonly model: "isa"; readonly originAltitude?: number };

/** Density over the vehicle's own (sea-level) density, at a geometric height above the origin. */
export function densityRatio(air: Air, height: number): number {
  if (air.model === "constant") return 1;
  const h = geopotential((air.originAltitude ?? 0) + height);
  return pressureAt(h) / (GAS_CONSTANT * temperatureAt(h)) / SEA_LEVEL_DENSITY;
}
