/** A satellite receiver: delayed position and velocity, with slowly varying errors. */
import { type GeodeticPosition, toGeodetic } from "../environment/earth.ts";
import { ATTITUDE, POSITION, VELOCITY } from "./motion.ts";
import type { Errors, SensorMaking } from "./sensor.ts";

export interface GnssSpecification {
  readonly rate: number;
  /** Latency of its reading [s]. */
  readonly delay: number;
  /** Of position (north, east, down), then velocity. */
  readonly errors: Errors;
}

const SIX = 6;

export function gnss(
  { rate, delay, errors }: GnssSpecification,
  home: GeodeticPosition,
  interval: number,
): SensorMaking {
  // Motions of the ticks that the delay spans, in a ring.
  const length = Math.ceil(delay / interval + 1e-9) + 1;
  const ring = new Float64Array(SIX * length);
  // Ticks that it has seen.
  const seen = new Float64Array(1);
  const known = (back: number, i: number) => {
    const k = Math.max(0, seen[0] - 1 - Math.min(back, length - 1));
    return ring[SIX * (k % length) + i];
  };
  return {
    name: "gnss",
    fields: [
      { name: "gnss_latitude", unit: "1", meaning: "measured latitude in degrees" },
      { name: "gnss_longitude", unit: "1", meaning: "measured longitude in degrees" },
      { name: "gnss_altitude", unit: "m", meaning: "measured altitude" },
      { name: "gnss_v_north", unit: "m/s", meaning: "measured velocity over ground, northward" },
      { name: "gnss_v_east", unit: "m/s", meaning: "measured velocity over ground, eastward" },
      { name: "gnss_v_down", unit: "m/s", meaning: "measured velocity over ground, downward" },
    ],
    axes: ["gnss_north", "gnss_east", "gnss_down", "gnss_v_north", "gnss_v_east", "gnss_v_down"],
    errors,
    rate,
    faulty: { noise: [0.5, 0.5, 1, 0.05, 0.05, 0.1], bias: 20 },
    sees: [POSITION, ATTITUDE],
    memory: [ring, seen],
    reset: () => seen.fill(0),
    watch({ motion }) {
      const at = SIX * (seen[0] % length);
      for (let i = 0; i < 3; i++) {
        ring[at + i] = motion[POSITION + i];
        ring[at + 3 + i] = motion[VELOCITY + i];
      }
      seen[0]++;
    },
    measure(_, out) {
      const back = delay / interval;
      const whole = Math.floor(back + 1e-9);
      const rest = Math.max(0, back - whole);
      for (let i = 0; i < SIX; i++)
        out[i] = rest < 1e-9 ? known(whole, i) : (1 - rest) * known(whole, i) + rest * known(whole + 1, i);
    },
    express(measured, z, offset) {
      const { latitude, longitude, altitude } = toGeodetic(home, measured[0], measured[1], measured[2]);
      z[offset] = latitude;
      z[offset + 1] = longitude;
      z[offset + 2] = altitude;
      for (let i = 3; i < SIX; i++) z[offset + i] = measured[i];
    },
  };
}
