/**
 * Navigation from sensors alone: attitude, velocity, position and gyro bias by a velocity-aided observer (Hua, Control
 * Engineering Practice 18, 2010): where the accelerometer, turned by the estimated attitude, does not explain the measured
 * velocity, the attitude is wrong; the magnetometer corrects the heading.
 */
import { atan2 } from "../math/elementary.ts";
import { fromEuler, normalise, toBody, toWorld } from "../math/quaternion.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";

// Places of the states of a rigid body.
// biome-ignore format: a table
const Q_W = 6, Q_X = 7, Q_Y = 8, Q_Z = 9, P_B = 10;

/** Corrections per second: of velocity and position, of attitude by velocity and by the magnetometer, of the biases. */
const K_VELOCITY = 3;
const K_POSITION = 1;
const K_TILT = 0.02;
const K_HEADING = 1;
const K_BIAS = 0.3;
const K_WEIGHT = 0.5;

const NEEDED = {
  position: "position_north",
  velocity: "velocity_north",
  accelerometer: "accel_x",
  gyro: "gyro_x",
  magnetometer: "mag_x",
} as const;

/** An observer of position, velocity, attitude and rates from sensors. */
export interface Estimator {
  readonly memory: Float64Array;
  /** Position, velocity, q_NB and rates, as a rigid body's state has them; valid until the next update. */
  update(z: Float64Array): Float64Array;
}

/** `field` is the earth's magnetic field in NED, any length; `interval` the time between updates [s]. */
export function estimator(
  fields: readonly Field[],
  gravity: number,
  field: readonly [number, number, number],
  interval: number,
): Estimator {
  const place = (name: string) => fields.findIndex((f) => f.name === name);
  const missing = Object.entries(NEEDED).filter(([, first]) => place(first) < 0);
  if (missing.length > 0)
    throw new InputError(`navigation by sensors needs ${missing.map(([name]) => name).join(", ")}`, {
      field: "sensors",
      allowed: `all of ${Object.keys(NEEDED).join(", ")}`,
    });
  const [P, V, A, G, M] = Object.values(NEEDED).map(place);
  const strength = Math.sqrt(field[0] * field[0] + field[1] * field[1] + field[2] * field[2]);
  if (!(Math.sqrt(field[0] * field[0] + field[1] * field[1]) > 0.05 * strength))
    throw new InputError("the magnetic field has no horizontal component, so the heading is not observable", {
      field: "sensors.magnetometer.field",
      allowed: "a field whose horizontal component is at least 5 % of its magnitude",
    });
  const reference = Float64Array.from(field, (c) => c / strength);
  // 0-12 navigation, 13-15 gyro bias, 16 begun, 17 what the accelerometer reads too little of the weight (a level error of it
  // is taken for tilt, which does no harm).
  const memory = new Float64Array(18);
  const s = memory.subarray(0, 13);
  const bias = memory.subarray(13, 16);
  const accel = new Float64Array(3);
  const pulled = new Float64Array(3);
  const gap = new Float64Array(3);
  const expected = new Float64Array(3);

  /** Initial attitude from gravity and the magnetic field; in free fall the vehicle is assumed level. */
  function begin(z: Float64Array): void {
    const across = Math.sqrt(z[A + 1] * z[A + 1] + z[A + 2] * z[A + 2]);
    const whole = Math.sqrt(across * across + z[A] * z[A]);
    const isAtRest = whole > 0.5 * gravity && whole < 1.5 * gravity;
    const roll = isAtRest ? atan2(-z[A + 1], -z[A + 2]) : 0;
    const pitch = isAtRest ? atan2(z[A], across) : 0;
    fromEuler(roll, pitch, 0, s, Q_W);
    toWorld(s, Q_W, z, M, expected, 0);
    const heading = atan2(reference[1], reference[0]) - atan2(expected[1], expected[0]);
    fromEuler(roll, pitch, heading, s, Q_W);
    for (let i = 0; i < 3; i++) {
      s[i] = z[P + i];
      s[3 + i] = z[V + i];
    }
    memory[16] = 1;
  }

  return {
    memory,
    update(z) {
      if (memory[16] === 0) begin(z);
      const h = interval;
      for (let i = 0; i < 3; i++) accel[i] = z[A + i];
      toWorld(s, Q_W, accel, 0, pulled, 0);
      for (let i = 0; i < 3; i++) gap[i] = z[V + i] - s[3 + i];
      toBody(s, Q_W, gap, 0, expected, 0);
      const tilt = cross(accel, expected);
      toBody(s, Q_W, reference, 0, expected, 0);
      const m = Math.sqrt(z[M] * z[M] + z[M + 1] * z[M + 1] + z[M + 2] * z[M + 2]);
      const turn = cross([z[M] / m, z[M + 1] / m, z[M + 2] / m], expected);
      for (let i = 0; i < 3; i++) {
        const correction = K_TILT * tilt[i] + K_HEADING * turn[i];
        bias[i] -= h * K_BIAS * correction;
        s[10 + i] = z[G + i] - bias[i];
        expected[i] = s[10 + i] + correction;
      }
      for (let i = 0; i < 3; i++) {
        s[i] += h * (s[3 + i] + K_POSITION * (z[P + i] - s[i]));
        s[3 + i] += h * (pulled[i] + (i === 2 ? gravity + memory[17] : 0) + K_VELOCITY * gap[i]);
      }
      memory[17] += h * K_WEIGHT * gap[2];
      const [w, x, y, c] = s.subarray(Q_W, P_B);
      const [p, q, r] = expected;
      s[Q_W] += 0.5 * h * -(x * p + y * q + c * r);
      s[Q_X] += 0.5 * h * (w * p + y * r - c * q);
      s[Q_Y] += 0.5 * h * (w * q + c * p - x * r);
      s[Q_Z] += 0.5 * h * (w * r + x * q - y * p);
      normalise(s, Q_W);
      return s;
    },
  };
}

function cross(a: ArrayLike<number>, b: ArrayLike<number>): [number, number, number] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
