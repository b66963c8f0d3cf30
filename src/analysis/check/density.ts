/**
 * Aerodynamic forces are proportional to the air density: rates are linear in the density ratio, and extrapolated to zero density
 * they do not depend on the wind. (Zero density itself is never evaluated: some laws divide by it.)
 */
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding } from "./finding.ts";
import { type Region, type Sample, Sampler } from "./sample.ts";

const TRIES = 24;
const RATIOS = [0.5, 1, 1.5] as const;
/** A second wind, to find the rates that depend on it [m/s]. */
const WIND = [1.7, -2.3, 0.9];
/** Of the largest rate of its unit. */
const ROUNDING = 1e-8;

export function checkDensity(
  vehicle: Vehicle,
  p: unknown,
  skips: (s: Sample) => boolean,
  places: readonly Region[],
): Finding[] {
  const { model } = vehicle;
  const density = model.environment.findIndex((f) => f.name === "density_ratio");
  if (density < 0) return [];
  const sampler = new Sampler(vehicle, 21);
  for (let k = 0; k < TRIES; k++) {
    const sample = sampler.sample(places[k % places.length]);
    if (skips(sample)) continue;
    const rates = (ratio: number, isWindy = false) => {
      const e = sample.e.slice();
      e[density] = ratio;
      if (isWindy) for (let i = 0; i < WIND.length; i++) e[i] += WIND[i];
      return evaluate(model, p, { ...sample, e }).dx;
    };
    const [thin, usual, thick] = RATIOS.map((ratio) => rates(ratio));
    const [thinWindy, usualWindy] = [rates(RATIOS[0], true), rates(RATIOS[1], true)];
    const sizeOf = (unit: string) =>
      model.states.reduce(
        (most, f, i) => (f.unit === unit ? Math.max(most, Math.abs(usual[i])) : most),
        1e-6,
      );
    for (const [i, { name, unit }] of model.states.entries()) {
      const most = ROUNDING * sizeOf(unit);
      if (Math.abs(thick[i] - 2 * usual[i] + thin[i]) > most)
        return [finding("density", "wrong", `the rate of ${name} is not linear in the air density`)];
      const [still, windy] = [2 * thin[i] - usual[i], 2 * thinWindy[i] - usualWindy[i]];
      if (Math.abs(still - windy) > most)
        return [
          finding(
            "density",
            "wrong",
            `at zero air density the rate of ${name} still depends on the wind: some force lacks the density as a factor`,
          ),
        ];
    }
  }
  return [finding("density", "ok", "aerodynamic forces are proportional to the air density")];
}
