/**
 * Steady motion: what describes it, and which rates must vanish. In flight the velocity turns with the heading and the body rates
 * are those of the turn; on the road the velocity stands still in the car's axes.
 */
import { fromEuler, toBody } from "../math/quaternion.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

export interface Unknown {
  readonly name: string;
  readonly unit: string;
  readonly lower: number;
  readonly upper: number;
  /** Typical size. */
  readonly scale: number;
}

export interface Rate {
  readonly name: string;
  readonly unit: string;
}

export interface Motion {
  readonly unknowns: readonly Unknown[];
  readonly rates: readonly Rate[];
  /** The states whose rates these are. */
  readonly places: readonly number[];
  /** Writes the motion z into the state. */
  place(z: Float64Array, x: Float64Array): void;
  /** Derivatives of the state x that z was written into, by one of the unknowns; all others are zero. */
  tangent(x: Float64Array, z: Float64Array, unknown: number, out: Float64Array): void;
  /** What should vanish at x, from its derivative. */
  measure(z: Float64Array, dx: Float64Array, r: Float64Array): void;
  /** Derivatives of that by one of the unknowns of z, or by something else (-1), along which the rates change so. */
  slopes(z: Float64Array, unknown: number, rates: Float64Array, r: Float64Array): void;
}

const speed = (name: string): Unknown => ({ name, unit: "m/s", lower: -400, upper: 400, scale: 1 });
const angle = (name: string): Unknown => ({ name, unit: "rad", lower: -1.4, upper: 1.4, scale: 0.1 });
const turning = (name: string): Unknown => ({ name, unit: "rad/s", lower: -10, upper: 10, scale: 0.1 });
const rate = (name: string, unit: string): Rate => ({ name, unit });

/** A rigid body heading north, far above the ground: velocity forward, right and down over ground, bank, pitch, turn. */
const FLIGHT: Motion = {
  unknowns: [
    speed("v_forward"),
    speed("v_right"),
    speed("v_down"),
    angle("roll"),
    angle("pitch"),
    turning("turn"),
  ],
  rates: [
    rate("acceleration forward", "m/s^2"),
    rate("acceleration to the right", "m/s^2"),
    rate("acceleration downward", "m/s^2"),
    rate("roll acceleration", "rad/s^2"),
    rate("pitch acceleration", "rad/s^2"),
    rate("yaw acceleration", "rad/s^2"),
  ],
  places: [3, 4, 5, 10, 11, 12],
  place(z, x) {
    x[2] = -10_000;
    x.set(z.subarray(0, 3), 3);
    fromEuler(z[3], z[4], 0, x, 6);
    vertical[2] = z[5];
    toBody(x, 6, vertical, 0, x, 10);
  },
  // Attitude (a, b, c, d) of bank and pitch without heading; rates turn m, m = (-sin pitch, sin roll cos pitch, cos roll cos pitch).
  tangent(x, z, unknown, out) {
    const [a, b, c, d] = [x[6], x[7], x[8], x[9]];
    if (unknown < 3) out[3 + unknown] = 1;
    else if (unknown === 3) {
      out.set([-0.5 * b, 0.5 * a, 0.5 * d, -0.5 * c], 6);
      out.set([x[12], -x[11]], 11);
    } else {
      vertical[2] = 1;
      toBody(x, 6, vertical, 0, body, 0);
      if (unknown === 5) {
        out.set(body, 10);
        return;
      }
      const cosPitch = Math.sqrt(1 - body[0] * body[0]);
      const tanPitch = -body[0] / cosPitch;
      out.set([-0.5 * c, 0.5 * d, 0.5 * a, -0.5 * b], 6);
      out.set([-z[5] * cosPitch, -z[5] * body[1] * tanPitch, -z[5] * body[2] * tanPitch], 10);
    }
  },
  measure(z, dx, r) {
    r[0] = dx[3] + z[5] * z[1];
    r[1] = dx[4] - z[5] * z[0];
    r[2] = dx[5];
    r.set(dx.subarray(10, 13), 3);
  },
  slopes(z, unknown, rates, r) {
    r[0] = rates[3] + (unknown === 5 ? z[1] : unknown === 1 ? z[5] : 0);
    r[1] = rates[4] - (unknown === 5 ? z[0] : unknown === 0 ? z[5] : 0);
    r[2] = rates[5];
    r.set(rates.subarray(10, 13), 3);
  },
};
const vertical = new Float64Array(3);
const body = new Float64Array(3);

/** Motion in the plane: velocity forward and to the left, yaw rate. */
const PLANE: Motion = {
  unknowns: [speed("v_x"), speed("v_y"), turning("turn")],
  rates: [
    rate("longitudinal acceleration", "m/s^2"),
    rate("lateral acceleration", "m/s^2"),
    rate("yaw acceleration", "rad/s^2"),
  ],
  places: [3, 4, 5],
  place(z, x) {
    x.set(z.subarray(0, 3), 3);
  },
  tangent(_x, _z, unknown, out) {
    out[3 + unknown] = 1;
  },
  measure(_z, dx, r) {
    r.set(dx.subarray(3, 6));
  },
  slopes(_z, _unknown, rates, r) {
    r.set(rates.subarray(3, 6));
  },
};

export const isRigidBody = (model: Pick<Model, "states">) => model.states[6]?.name === "q_w";

export function motionOf({ name, model }: Vehicle): Motion {
  if (isRigidBody(model)) return FLIGHT;
  if (model.states[5]?.name === "omega") return PLANE;
  throw new InputError(`${name} has no steady motion that trim knows`, {
    allowed:
      "a rigid body (north, east, down, ..., r), or a vehicle in the plane (X, Y, phi, v_x, v_y, omega)",
  });
}
