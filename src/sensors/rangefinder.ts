/** A rangefinder: how far a beam goes until it meets ground, ceiling or a wall. */
import { type Boundary, clearance, isOver, slotOf } from "../environment/boundaries.ts";
import { toWorld } from "../math/quaternion.ts";
import { ATTITUDE, POSITION, RATES } from "./motion.ts";
import type { Errors, SensorMaking } from "./sensor.ts";

export interface RangefinderSpecification {
  /** Of the beam in body axes; any length. */
  readonly direction: readonly [number, number, number];
  /** Its range [m]; beyond it, it reads the maximum. */
  readonly min: number;
  readonly max: number;
  readonly rate?: number;
  readonly errors: Errors;
}

/** The number counts from 1. */
export function rangefinder(
  { direction, min, max, rate, errors }: RangefinderSpecification,
  number: number,
  boundaries: readonly Boundary[],
): SensorMaking {
  const name = `rangefinder_${number}`;
  const [x, y, z] = direction;
  const length = Math.sqrt(x * x + y * y + z * z);
  const beam_B = Float64Array.from(direction, (d) => d / length);
  const beam = new Float64Array(3);
  const walls = boundaries.filter((b) => b.normal.some((c) => c !== 0)).map(slotOf);
  return {
    name,
    fields: [{ name: `range_${number}`, unit: "m", meaning: `distance measured by rangefinder ${number}` }],
    axes: [`range_${number}`],
    errors,
    rate,
    faulty: { noise: [0.05], bias: 1 },
    sees: [POSITION, RATES],
    measure({ motion }, out) {
      toWorld(motion, ATTITUDE, beam_B, 0, beam, 0);
      const [n, e, d] = [motion[POSITION], motion[POSITION + 1], motion[POSITION + 2]];
      let nearest = max;
      for (const wall of walls) {
        const away = clearance(wall, 0, n, e, d);
        const approach = -(beam[0] * wall[3] + beam[1] * wall[4] + beam[2] * wall[5]);
        // A plane is solid behind, a rectangle is met from both sides.
        const isInside = away <= 0 && wall[9] === Number.POSITIVE_INFINITY;
        const range = isInside ? 0 : away / approach;
        if (!(range >= 0) || range >= nearest) continue;
        if (isOver(wall, 0, n + range * beam[0], e + range * beam[1], d + range * beam[2])) nearest = range;
      }
      out[0] = nearest;
    },
    express([range], z, offset) {
      z[offset] = Math.min(max, Math.max(min, range));
    },
  };
}
