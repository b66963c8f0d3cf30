/** International Standard Atmosphere (ISO 2533): temperature, pressure, density up to 32 km geopotential altitude. */
import { exp, pow } from "../math/elementary.ts";

export const STANDARD_GRAVITY = 9.80665;
const GAS_CONSTANT = 287.05287;
const SEA_LEVEL_TEMPERATURE = 288.15;
const SEA_LEVEL_PRESSURE = 101325;
export const SEA_LEVEL_DENSITY = 1.225;

/** Base altitude [m], base temperature [K], lapse rate [K/m] of each layer. */
const LAYERS: readonly (readonly [number, number, number])[] = [
  [0, SEA_LEVEL_TEMPERATURE, -0.0065],
  [11000, 216.65, 0],
  [20000, 216.65, 0.001],
];
const TOP = 32000;
const BOTTOM = -5000;

/** Temperature [K] and pressure [Pa] at an altitude; NaN outside -5 to 32 km, where the table ends. */
export function standardAtmosphere(altitude: number): {
  temperature: number;
  pressure: number;
  density: number;
} {
  let pressure = altitude >= BOTTOM && altitude <= TOP ? SEA_LEVEL_PRESSURE : Number.NaN;
  let temperature = SEA_LEVEL_TEMPERATURE;
  LAYERS.forEach(([base, baseTemperature, lapse], i) => {
    if (i > 0 && altitude <= base) return;
    const top = Math.min(altitude, LAYERS[i + 1]?.[0] ?? TOP);
    temperature = baseTemperature + lapse * (top - base);
    // Hydrostatic balance dp = -rho g dh with the gas law, integrated over the layer.
    pressure *=
      lapse === 0
        ? exp((-STANDARD_GRAVITY * (top - base)) / (GAS_CONSTANT * baseTemperature))
        : pow(temperature / baseTemperature, -STANDARD_GRAVITY / (GAS_CONSTANT * lapse));
  });
  return { temperature, pressure, density: pressure / (GAS_CONSTANT * temperature) };
}

export type Air = { readonly model: "constant" } | { readonly model: "isa"; readonly originAltitude: number };

/** Density over the vehicle's own (sea-level) density, at a height above the origin. */
export function densityRatio(air: Air, height: number): number {
  return air.model === "constant"
    ? 1
    : standardAtmosphere(air.originAltitude + height).density / SEA_LEVEL_DENSITY;
}
