/**
 * Coordinates that stand still in steady motion and hold nothing twice: of a rigid body the velocity in body axes, the rates, bank and
 * pitch; of everything the other continuous states. Place, heading and what runs empty slowly are left out.
 */
import { cos, sin } from "../math/elementary.ts";
import { fromEuler, pitchOf, rollOf, toBody, toWorld, yawOf } from "../math/quaternion.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { isRigidBody } from "./motion.ts";

export interface Coordinates {
  readonly fields: readonly Field[];
  read(x: Float64Array): Float64Array;
  /** Writes coordinates into a state; place and heading stay. */
  place(c: Float64Array, x: Float64Array): void;
  /** Rates of the coordinates at a state with this derivative. */
  rates(x: Float64Array, dx: Float64Array, out: Float64Array): void;
}

const BODY: readonly Field[] = [
  { name: "u", unit: "m/s", meaning: "velocity over ground, forward in body axes", kind: "velocity" },
  { name: "v", unit: "m/s", meaning: "velocity over ground, to the right in body axes", kind: "velocity" },
  { name: "w", unit: "m/s", meaning: "velocity over ground, downward in body axes", kind: "velocity" },
  { name: "p", unit: "rad/s", meaning: "roll rate", kind: "rate" },
  { name: "q", unit: "rad/s", meaning: "pitch rate", kind: "rate" },
  { name: "r", unit: "rad/s", meaning: "yaw rate", kind: "rate" },
  { name: "roll", unit: "rad", meaning: "bank angle" },
  { name: "pitch", unit: "rad", meaning: "pitch angle" },
];
/** Nearer than this to the vertical the bank angle means nothing [rad]. */
const STEEPEST = 1.5;

export function coordinatesOf(model: Model): Coordinates {
  const isBody = isRigidBody(model);
  const first = isBody ? 13 : 0;
  const places = model.states.flatMap((f, i) =>
    i < first || f.cyclic || f.kind === "discrete" || f.kind === "internal" || f.kind === "store" ? [] : [i],
  );
  const fields = [...(isBody ? BODY : []), ...places.map((i) => model.states[i])];
  const others = isBody ? BODY.length : 0;
  const velocity = new Float64Array(3);
  return {
    fields,
    read(x) {
      const c = new Float64Array(fields.length);
      places.forEach((i, k) => {
        c[others + k] = x[i];
      });
      if (!isBody) return c;
      const [w, a, b, d] = x.subarray(6, 10);
      toBody(x, 6, x, 3, c, 0);
      c.set(x.subarray(10, 13), 3);
      c[6] = rollOf(w, a, b, d);
      c[7] = pitchOf(w, a, b, d);
      if (Math.abs(c[7]) > STEEPEST)
        throw new InputError("points straight up or down, where bank and heading cannot be told apart", {
          field: "pitch",
          value: c[7],
          allowed: `-${STEEPEST} to ${STEEPEST} rad`,
        });
      return c;
    },
    place(c, x) {
      places.forEach((i, k) => {
        x[i] = c[others + k];
      });
      if (!isBody) return;
      fromEuler(c[6], c[7], yawOf(x[6], x[7], x[8], x[9]), x, 6);
      velocity.set(c.subarray(0, 3));
      toWorld(x, 6, velocity, 0, x, 3);
      x.set(c.subarray(3, 6), 10);
    },
    rates(x, dx, out) {
      places.forEach((i, k) => {
        out[others + k] = dx[i];
      });
      if (!isBody) return;
      const [w, a, b, d] = x.subarray(6, 10);
      const [p, q, r] = x.subarray(10, 13);
      const [roll, pitch] = [rollOf(w, a, b, d), pitchOf(w, a, b, d)];
      toBody(x, 6, x, 3, velocity, 0);
      toBody(x, 6, dx, 3, out, 0);
      out[0] -= q * velocity[2] - r * velocity[1];
      out[1] -= r * velocity[0] - p * velocity[2];
      out[2] -= p * velocity[1] - q * velocity[0];
      out.set(dx.subarray(10, 13), 3);
      const turning = q * sin(roll) + r * cos(roll);
      out[6] = p + (sin(pitch) / cos(pitch)) * turning;
      out[7] = q * cos(roll) - r * sin(roll);
    },
  };
}
