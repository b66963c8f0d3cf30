/**
 * hakoniwa's boundary disturbance: a rotor's downwash reflected by a plane (ground, ceiling, wall) pushes back on it, less and
 * less with distance. The published formula to the letter; what vehicles use by default is in src/parts/boundary-effect.ts.
 */
import { pow } from "../math/elementary.ts";
import { fromEuler, toBody, toWorld } from "../math/quaternion.ts";

type Triple = readonly [number, number, number];
/** Roll, pitch, yaw, or the quaternion q_NB (w, x, y, z). */
export type Attitude = Triple | readonly [number, number, number, number];

/** Exponent of the published formula where none is given. */
export const DEFAULT_EXPONENT = 1.5;

function quaternionOf(attitude: Attitude): Float64Array {
  const q = new Float64Array(4);
  if (attitude.length === 4) q.set(attitude);
  else fromEuler(attitude[0], attitude[1], attitude[2], q);
  return q;
}

/** 1/(1 + d/R)^k. */
export function boundaryRatio(distance: number, rotorRadius: number, exponent = DEFAULT_EXPONENT): number {
  return pow(1 + distance / rotorRadius, -exponent);
}

/** The normal at unit length; a zero normal is no boundary. */
function unitNormal([x, y, z]: Triple): Triple | undefined {
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 0 ? [x / length, y / length, z / length] : undefined;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Distance of a position from the plane through a point, without sign. */
function planeDistance(position: Triple, point: Triple, normal: Triple): number {
  return Math.abs(dot([position[0] - point[0], position[1] - point[1], position[2] - point[2]], normal));
}

/**
 * Force in the world frame. `T_e = R (0, 0, +T)` is the downwash (the document calls it thrust); reflected at the plane it is
 * `T_e - 2 (T_e . n) n`. The distance has no sign. A zero normal is no boundary; any other is made unit length.
 */
export function boundaryDisturbance(
  position: Triple,
  attitude: Attitude,
  boundaryPoint: Triple,
  boundaryNormal: Triple,
  thrust: number,
  rotorRadius: number,
  exponent = DEFAULT_EXPONENT,
): [number, number, number] {
  const n = unitNormal(boundaryNormal);
  if (n === undefined) return [0, 0, 0];
  const downwash = new Float64Array(3);
  toWorld(quaternionOf(attitude), 0, new Float64Array([0, 0, thrust]), 0, downwash, 0);
  const ratio = boundaryRatio(planeDistance(position, boundaryPoint, n), rotorRadius, exponent);
  const along = dot(downwash, n);
  const reflected = (i: number) => ratio * (downwash[i] - 2 * along * n[i]);
  return [reflected(0), reflected(1), reflected(2)];
}

/** The wind that would push as hard through the first-order drag: force over drag1.z, all components (an approximation). */
export function boundaryDisturbanceAsWind(
  position: Triple,
  attitude: Attitude,
  boundaryPoint: Triple,
  boundaryNormal: Triple,
  thrust: number,
  rotorRadius: number,
  drag1: Triple,
  exponent = DEFAULT_EXPONENT,
): [number, number, number] {
  const [x, y, z] = boundaryDisturbance(
    position,
    attitude,
    boundaryPoint,
    boundaryNormal,
    thrust,
    rotorRadius,
    exponent,
  );
  return [x / drag1[2], y / drag1[2], z / drag1[2]];
}

/** Closer than five rotor radii. */
export function boundaryIsNear(
  position: Triple,
  boundaryPoint: Triple,
  boundaryNormal: Triple,
  rotorRadius: number,
): boolean {
  const n = unitNormal(boundaryNormal);
  return n !== undefined && planeDistance(position, boundaryPoint, n) < 5 * rotorRadius;
}

/** A world vector in body axes. */
export function bodyVectorFromGround(vector: Triple, attitude: Attitude): [number, number, number] {
  const out = new Float64Array(3);
  toBody(quaternionOf(attitude), 0, new Float64Array(vector), 0, out, 0);
  return [out[0], out[1], out[2]];
}

/**
 * u' = -g sin(theta) - (q w - r v) - d1/m ua - d2/m ua |ua|, and its likes: the acceleration of a body with thrust along -z and
 * drag against the air, in its rotating frame.
 */
export function accelerationInBodyFrame(
  velocity: Triple,
  attitude: Attitude,
  rates: Triple,
  thrust: number,
  mass: number,
  gravity: number,
  wind: Triple,
  drag1: Triple,
  drag2: Triple,
): [number, number, number] {
  const weight = bodyVectorFromGround([0, 0, gravity], attitude);
  const [u, v, w] = velocity;
  const [p, q, r] = rates;
  const rotating = [q * w - r * v, r * u - p * w, p * v - q * u];
  const acceleration = (i: number) => {
    const air = velocity[i] - wind[i];
    const drag = drag1[i] * air + drag2[i] * air * Math.abs(air);
    return weight[i] - rotating[i] - drag / mass - (i === 2 ? thrust / mass : 0);
  };
  return [acceleration(0), acceleration(1), acceleration(2)];
}
