/** The only place where north-east-down meets three.js: x east, y up, z south; bodies forward -z, right x, up y. */
import type { Quaternion, Vector3 } from "three";

/** A world vector, or one of a body (forward, right, down). */
export const put = (v: Vector3, north: number, east: number, down: number): Vector3 =>
  v.set(east, -down, -north);

/** q_NB: both frames are turned the same way, so the vector part turns like a vector. */
export const turn = (q: Quaternion, w: number, x: number, y: number, z: number): Quaternion =>
  q.set(y, -z, -x, w);

/** A car's road has X ahead, Y to the left and angles to the left. */
export const putRoad = (v: Vector3, X: number, Y: number, up = 0): Vector3 => v.set(-Y, up, -X);
export const turnRoad = (q: Quaternion, phi: number): Quaternion =>
  q.set(0, Math.sin(phi / 2), 0, Math.cos(phi / 2));
