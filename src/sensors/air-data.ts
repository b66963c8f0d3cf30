/** Sensors of the air: static pressure, and the pressure that a pitot tube adds to it. */
import { geopotential, pressureAltitude, STANDARD_RANGE, standardAtmosphere } from "../environment/air.ts";
import { clamp } from "../math/clamp.ts";
import { exp } from "../math/elementary.ts";
import { toBody } from "../math/quaternion.ts";
import { indexOf, type Model } from "../model/model.ts";
import { outputOf } from "./body.ts";
import { ATTITUDE, POSITION, RATES, VELOCITY } from "./motion.ts";
import type { Errors, SensorMaking } from "./sensor.ts";

export interface BarometerSpecification extends Errors {
  readonly rate?: number;
  /**
   * Near the ground the downwash is dammed up and raises the static pressure under a hovering vehicle, so it seems lower: by so
   * much at the ground while the rotors carry the weight, in proportion to their thrust, fading exponentially (assumed) by this height.
   */
  readonly groundEffect?: { readonly pressure: number; readonly height: number };
}

/** Pressure that is left to a broken one [Pa]. */
const LEAST = 1;

/** Pressure of the standard atmosphere where it is, home being so high above sea level [m]. */
export function barometer(
  model: Model,
  parameters: unknown,
  { rate, groundEffect, ...errors }: BarometerSpecification,
  homeAltitude: number,
): SensorMaking {
  const { m, g } = parameters as { m: number; g: number };
  const thrusts = model.outputs.flatMap((f, i) => (/^thrust_\d+$/.test(f.name) ? [i] : []));
  if (groundEffect && thrusts.length === 0) outputOf(model, "barometer", "thrust_1");
  let temperature = 0;
  return {
    name: "barometer",
    fields: [
      { name: "baro_pressure", unit: "Pa", meaning: "static pressure, measured" },
      { name: "baro_altitude", unit: "m", meaning: "altitude by that pressure in the standard atmosphere" },
      { name: "baro_temperature", unit: "K", meaning: "temperature of the standard atmosphere" },
    ],
    axes: ["baro_pressure"],
    errors,
    rate,
    faulty: { noise: [3], bias: 200 },
    sees: [POSITION, VELOCITY],
    measure({ motion, y }, out) {
      const height = -motion[POSITION + 2];
      const air = standardAtmosphere(clamp(geopotential(homeAltitude + height), ...STANDARD_RANGE));
      [out[0], temperature] = [air.pressure, air.temperature];
      if (groundEffect === undefined) return;
      let thrust = 0;
      for (const place of thrusts) thrust += y[place];
      const carried = thrust / (m * g);
      out[0] += groundEffect.pressure * carried * exp(-Math.max(0, height) / groundEffect.height);
    },
    express([pressure], z, offset) {
      // Whatever the error, a pressure is never negative.
      z[offset] = Math.max(LEAST, pressure);
      z[offset + 1] = pressureAltitude(z[offset]);
      z[offset + 2] = temperature;
    },
  };
}

/** A tube that points forward: it measures the flow along the body, and none from behind. */
export function pitot(model: Model, parameters: unknown, errors: Errors, rate?: number): SensorMaking {
  const { rho = 1.225 } = parameters as { rho?: number };
  const wind = indexOf(model.environment, "wind_north");
  const density = indexOf(model.environment, "density_ratio");
  const flow = new Float64Array(3);
  return {
    name: "pitot",
    fields: [{ name: "diff_pressure", unit: "Pa", meaning: "pitot pressure above static, measured" }],
    axes: ["diff_pressure"],
    errors,
    rate,
    faulty: { noise: [2], bias: 60 },
    sees: [VELOCITY, RATES],
    measure({ motion, e }, out) {
      for (let i = 0; i < 3; i++) flow[i] = motion[VELOCITY + i] - (wind < 0 ? 0 : e[wind + i]);
      toBody(motion, ATTITUDE, flow, 0, flow, 0);
      const forward = Math.max(0, flow[0]);
      out[0] = 0.5 * rho * (density < 0 ? 1 : e[density]) * forward * forward;
    },
  };
}
