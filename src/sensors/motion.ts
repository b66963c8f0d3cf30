/** The motion of a vehicle as sensors measure it, independent of its model: NED motion, attitude, and specific force. */
import { cos, sin } from "../math/elementary.ts";
import { indexOf, type Model } from "../model/model.ts";
import { isInPlane } from "../vehicles/plane.ts";

/** Places in the array that a motion fills. */
export const POSITION = 0;
export const VELOCITY = 3;
export const ATTITUDE = 6; // q_NB
export const RATES = 10;
export const SPECIFIC_FORCE = 13;
export const MOTION_LENGTH = 16;

/** Writes the motion of a state and its outputs. */
export type MotionOf = (x: Float64Array, y: Float64Array, motion: Float64Array) => void;

/** States, and outputs from SPECIFIC_FORCE on, in the order of a motion. */
const NAMES = [
  ...["north", "east", "down", "v_north", "v_east", "v_down"],
  ...["q_w", "q_x", "q_y", "q_z", "p", "q", "r"],
  ...["specific_force_x", "specific_force_y", "specific_force_z"],
];

/** What the specific force of such a vehicle follows from. */
const ACCELERATIONS = ["a_x", "a_y"];
const placesOf = (model: Model) =>
  NAMES.map((name, i) => indexOf(i < SPECIFIC_FORCE ? model.states : model.outputs, name));

/** The first of these parts of a motion that a model does not have. */
export function missing(model: Model, from: number, to: number): string | undefined {
  if (isInPlane(model)) {
    if (to <= SPECIFIC_FORCE) return undefined;
    if (indexOf(model.parameters, "g") < 0) return "g";
    return ACCELERATIONS.find((name) => indexOf(model.outputs, name) < 0);
  }
  const places = placesOf(model);
  return NAMES.find((_, i) => i >= from && i < to && places[i] < 0);
}

/** What a model does not have stays zero. */
export function motionOf(model: Model, parameters: unknown): MotionOf {
  if (isInPlane(model)) return planeMotion(model, gravityOf(parameters));
  const places = placesOf(model);
  return (x, y, motion) => {
    for (let i = 0; i < SPECIFIC_FORCE; i++) motion[i] = places[i] < 0 ? 0 : x[places[i]];
    for (let i = SPECIFIC_FORCE; i < MOTION_LENGTH; i++) motion[i] = places[i] < 0 ? 0 : y[places[i]];
  };
}

/** Who has none gets no sensor that would need it (`missing`). */
const gravityOf = (parameters: unknown): number => (parameters as { g?: number }).g ?? 0;

/**
 * What moves in the plane is level, x forward and y to the left, X to the east and Y to the north (ISO 8855; docs/car.md); the body
 * axes of sensors are forward, right, down.
 */
function planeMotion(model: Model, g: number): MotionOf {
  const [X, Y, phi, v_x, v_y, omega] = ["X", "Y", "phi", "v_x", "v_y", "omega"].map((name) =>
    indexOf(model.states, name),
  );
  const [a_x, a_y] = ACCELERATIONS.map((name) => indexOf(model.outputs, name));
  return (x, y, motion) => {
    const [c, s] = [cos(x[phi]), sin(x[phi])];
    const half = 0.5 * (Math.PI / 2 - x[phi]);
    motion[0] = x[Y];
    motion[1] = x[X];
    motion[2] = 0;
    motion[3] = x[v_x] * s + x[v_y] * c;
    motion[4] = x[v_x] * c - x[v_y] * s;
    motion[5] = 0;
    motion[6] = cos(half);
    motion[7] = 0;
    motion[8] = 0;
    motion[9] = sin(half);
    motion[10] = 0;
    motion[11] = 0;
    motion[12] = -x[omega];
    motion[13] = a_x < 0 ? 0 : y[a_x];
    motion[14] = a_y < 0 ? 0 : -y[a_y];
    motion[15] = -g;
  };
}
