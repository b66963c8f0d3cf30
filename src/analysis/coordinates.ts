/**
 * Minimal coordinates that are constant in steady motion: of a rigid body the velocity in body axes, the rates, bank and
 * pitch; of everything the other continuous states. Place, heading and what runs empty slowly are left out.
 */
import { cos, sin } from "../math/elementary.ts";
import { fromEuler, pitchOf, rollOf, toBody, toWorld, yawOf } from "../math/quaternion.ts";
import { cross } from "../math/vec3.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { P_B, Q_B, Q_W, Q_X, Q_Y, Q_Z, R_B, V_NORTH } from "../vehicles/rigid-body.ts";
import { isRigidBody } from "./motion.ts";

export interface Coordinates {
  readonly fields: readonly Field[];
  read(x: Float64Array): Float64Array;
  /** Writes coordinates into a state; place and heading stay. */
  place(c: Float64Array, x: Float64Array): void;
  /** Rates of the coordinates at a state with this derivative. */
  rates(x: Float64Array, dx: Float64Array, out: Float64Array): void;
  /** Derivatives of the state by a coordinate; all others are zero. */
  tangent(x: Float64Array, coordinate: number, out: Float64Array): void;
  /** Derivatives of the rates by a coordinate, or by something else (-1), along which those of the state change so. */
  slopes(x: Float64Array, dx: Float64Array, coordinate: number, ddx: Float64Array, out: Float64Array): void;
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
  const product = new Float64Array(3);
  return {
    fields,
    read(x) {
      const c = new Float64Array(fields.length);
      places.forEach((i, k) => {
        c[others + k] = x[i];
      });
      if (!isBody) return c;
      const [w, a, b, d] = x.subarray(Q_W, P_B);
      toBody(x, Q_W, x, V_NORTH, c, 0);
      c.set(x.subarray(P_B, P_B + 3), 3);
      c[6] = rollOf(w, a, b, d);
      c[7] = pitchOf(w, a, b, d);
      if (Math.abs(c[7]) > STEEPEST)
        throw new InputError(
          "points straight up or down, where bank angle and heading are not defined separately",
          {
            field: "pitch",
            value: c[7],
            allowed: `-${STEEPEST} to ${STEEPEST} rad`,
          },
        );
      return c;
    },
    place(c, x) {
      places.forEach((i, k) => {
        x[i] = c[others + k];
      });
      if (!isBody) return;
      fromEuler(c[6], c[7], yawOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]), x, Q_W);
      velocity.set(c.subarray(0, 3));
      toWorld(x, Q_W, velocity, 0, x, V_NORTH);
      x.set(c.subarray(3, 6), 10);
    },
    rates(x, dx, out) {
      places.forEach((i, k) => {
        out[others + k] = dx[i];
      });
      if (!isBody) return;
      const [w, a, b, d] = x.subarray(Q_W, P_B);
      const [p, q, r] = x.subarray(P_B, P_B + 3);
      const [roll, pitch] = [rollOf(w, a, b, d), pitchOf(w, a, b, d)];
      toBody(x, Q_W, x, V_NORTH, velocity, 0);
      toBody(x, Q_W, dx, V_NORTH, out, 0);
      out[0] -= q * velocity[2] - r * velocity[1];
      out[1] -= r * velocity[0] - p * velocity[2];
      out[2] -= p * velocity[1] - q * velocity[0];
      out.set(dx.subarray(P_B, P_B + 3), 3);
      const turning = q * sin(roll) + r * cos(roll);
      out[6] = p + (sin(pitch) / cos(pitch)) * turning;
      out[7] = q * cos(roll) - r * sin(roll);
    },
    tangent(x, coordinate, out) {
      if (coordinate >= others) out[places[coordinate - others]] = 1;
      else if (coordinate >= 3 && coordinate < 6) out[7 + coordinate] = 1;
      else if (coordinate < 3) {
        velocity.fill(0);
        velocity[coordinate] = 1;
        toWorld(x, Q_W, velocity, 0, out, 3);
      } else {
        // The body turns about an axis m, and its velocity with it: q' = q m / 2, v' = R (m x v).
        const [w, a, b, d] = x.subarray(Q_W, P_B);
        const m = axisOf(x, coordinate);
        const [mx, my, mz] = m;
        out[6] = -0.5 * (a * mx + b * my + d * mz);
        out[7] = 0.5 * (w * mx + b * mz - d * my);
        out[8] = 0.5 * (w * my + d * mx - a * mz);
        out[9] = 0.5 * (w * mz + a * my - b * mx);
        toBody(x, Q_W, x, V_NORTH, velocity, 0);
        cross(m, 0, velocity, 0, product, 0);
        toWorld(x, Q_W, product, 0, out, 3);
      }
    },
    // Of v' = R^T a - omega x v in body axes: R^T turns against the body, so that it adds -m x (R^T a) when that turns about m.
    slopes(x, dx, coordinate, ddx, out) {
      places.forEach((i, k) => {
        out[others + k] = ddx[i];
      });
      if (!isBody) return;
      toBody(x, Q_W, ddx, V_NORTH, out, 0);
      out.set(ddx.subarray(P_B, P_B + 3), 3);
      out[6] = 0;
      out[7] = 0;
      if (coordinate < 0 || coordinate >= others) return;
      const subtractCross = (a: Float64Array, i: number, b: Float64Array) => {
        cross(a, i, b, 0, product, 0);
        for (let k = 0; k < 3; k++) out[k] -= product[k];
      };
      const unit = new Float64Array(3);
      unit[coordinate % 3] = 1;
      const roll = rollOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]);
      const pitch = pitchOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]);
      const [sr, cr, tan] = [sin(roll), cos(roll), sin(pitch) / cos(pitch)];
      const [q, r] = [x[Q_B], x[R_B]];
      if (coordinate < 3) subtractCross(x, 10, unit);
      else if (coordinate < 6) {
        toBody(x, Q_W, x, V_NORTH, velocity, 0);
        subtractCross(unit, 0, velocity);
        out[6] = unit[0] + tan * (unit[1] * sr + unit[2] * cr);
        out[7] = unit[1] * cr - unit[2] * sr;
      } else {
        toBody(x, Q_W, dx, V_NORTH, velocity, 0);
        subtractCross(axisOf(x, coordinate), 0, velocity);
        const turning = q * sr + r * cr;
        out[6] = coordinate === 6 ? tan * (q * cr - r * sr) : (1 + tan * tan) * turning;
        out[7] = coordinate === 6 ? -turning : 0;
      }
    },
  };
}

/** What the body turns about when bank (6) or pitch (7) changes, in its own axes. */
function axisOf(x: Float64Array, coordinate: number): Float64Array {
  const roll = rollOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]);
  return Float64Array.from(coordinate === 6 ? [1, 0, 0] : [0, cos(roll), -sin(roll)]);
}
