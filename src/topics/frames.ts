/**
 * Converts north-east-down and forward-right-down, Sideslip's axes, to east-north-up and forward-left-
 * up of ROS (REP 103).
 * The only place where axes are exchanged on the way out.
 */
import { cos, sin } from "../math/elementary.ts";

export interface Xyz {
  x: number;
  y: number;
  z: number;
}
export interface Xyzw extends Xyz {
  w: number;
}

/** v_ENU of v_NED; the same exchange leads back. */
export const enuOfNed = (north: number, east: number, down: number): Xyz => ({ x: east, y: north, z: -down });
/** v_FLU of v_FRD; the same exchange leads back. */
export const fluOfFrd = (forward: number, right: number, down: number): Xyz => ({
  x: forward,
  y: -right,
  z: -down,
});

const HALF = Math.SQRT1_2;

/** Hamilton product, the second rotation first. */
const times = (a: Xyzw, b: Xyzw): Xyzw => ({
  w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
  x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
  y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
  z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
});
/** Half a turn about the axis between north and east. */
const ENU_NED: Xyzw = { w: 0, x: HALF, y: HALF, z: 0 };
/** Half a turn about forward. */
const FRD_FLU: Xyzw = { w: 0, x: 1, y: 0, z: 0 };

/** Turns forward-right-down into east-north-up, from what turns it into north-east-down. */
export const enuOfFrd = (w: number, x: number, y: number, z: number): Xyzw => times(ENU_NED, { w, x, y, z });
/** Turns forward-left-up into east-north-up. */
export const enuOfFlu = (w: number, x: number, y: number, z: number): Xyzw =>
  times(enuOfFrd(w, x, y, z), FRD_FLU);
/** A turn about up, counter-clockwise. */
export const aboutUp = (angle: number): Xyzw => ({ w: cos(angle / 2), x: 0, y: 0, z: sin(angle / 2) });
