/**
 * Steady motion: what describes it, and which rates must vanish. In flight the velocity turns with the heading and the body rates
 * are those of the turn; on the road the velocity stands still in the car's axes.
 */
import { fromEuler, toBody } from "../math/quaternion.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { isInPlane, OMEGA, V_X, V_Y } from "../vehicles/plane.ts";
import { DOWN, P_B, Q_B, Q_W, Q_X, Q_Y, Q_Z, R_B, V_DOWN, V_EAST, V_NORTH } from "../vehicles/rigid-body.ts";
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

// Unknowns of steady flight by their places in z.
// biome-ignore format: a table
const FORWARD = 0, RIGHT = 1, ROLL = 3, PITCH = 4, TURN = 5;

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
  places: [V_NORTH, V_EAST, V_DOWN, P_B, Q_B, R_B],
  place(z, x) {
    x[DOWN] = -10_000;
    x.set(z.subarray(0, 3), V_NORTH);
    fromEuler(z[ROLL], z[PITCH], 0, x, Q_W);
    vertical[2] = z[TURN];
    toBody(x, Q_W, vertical, 0, x, P_B);
  },
  // Attitude (a, b, c, d) of bank and pitch without heading; rates turn m, m = (-sin pitch, sin roll cos pitch, cos roll cos pitch).
  tangent(x, z, unknown, out) {
    const [a, b, c, d] = [x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]];
    if (unknown < ROLL) out[V_NORTH + unknown] = 1;
    else if (unknown === ROLL) {
      out.set([-0.5 * b, 0.5 * a, 0.5 * d, -0.5 * c], Q_W);
      out.set([x[R_B], -x[Q_B]], Q_B);
    } else {
      vertical[2] = 1;
      toBody(x, Q_W, vertical, 0, body, 0);
      if (unknown === TURN) {
        out.set(body, P_B);
        return;
      }
      const cosPitch = Math.sqrt(1 - body[0] * body[0]);
      const tanPitch = -body[0] / cosPitch;
      out.set([-0.5 * c, 0.5 * d, 0.5 * a, -0.5 * b], Q_W);
      out.set([-z[TURN] * cosPitch, -z[TURN] * body[1] * tanPitch, -z[TURN] * body[2] * tanPitch], P_B);
    }
  },
  measure(z, dx, r) {
    r[0] = dx[V_NORTH] + z[TURN] * z[RIGHT];
    r[1] = dx[V_EAST] - z[TURN] * z[FORWARD];
    r[2] = dx[V_DOWN];
    r.set(dx.subarray(P_B, P_B + 3), 3);
  },
  slopes(z, unknown, rates, r) {
    r[0] = rates[V_NORTH] + (unknown === TURN ? z[RIGHT] : unknown === RIGHT ? z[TURN] : 0);
    r[1] = rates[V_EAST] - (unknown === TURN ? z[FORWARD] : unknown === FORWARD ? z[TURN] : 0);
    r[2] = rates[V_DOWN];
    r.set(rates.subarray(P_B, P_B + 3), 3);
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
  places: [V_X, V_Y, OMEGA],
  place(z, x) {
    x.set(z.subarray(0, 3), V_X);
  },
  tangent(_x, _z, unknown, out) {
    out[V_X + unknown] = 1;
  },
  measure(_z, dx, r) {
    r.set(dx.subarray(V_X, OMEGA + 1));
  },
  slopes(_z, _unknown, rates, r) {
    r.set(rates.subarray(V_X, OMEGA + 1));
  },
};

export const isRigidBody = (model: Pick<Model, "states">) => model.states[Q_W]?.name === "q_w";

export function motionOf({ name, model }: Vehicle): Motion {
  if (isRigidBody(model)) return FLIGHT;
  if (isInPlane(model)) return PLANE;
  throw new InputError(`trim does not support the states of ${name}`, {
    allowed:
      "a rigid body (north, east, down, ..., r), or a vehicle in the plane (X, Y, phi, v_x, v_y, omega)",
  });
}
