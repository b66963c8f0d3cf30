/** Poses and rotations of SDF: x forward, y left, z up; roll, pitch, yaw about fixed axes. */
import { cos, sin } from "../../math/elementary.ts";
import { InputError } from "../../model/input-error.ts";
import { child, numbersIn, type XmlElement } from "../xml.ts";

export type Triple = readonly [number, number, number];
/** Row by row. */
export type Rotation = readonly number[];
export interface Pose {
  readonly position: Triple;
  readonly rotation: Rotation;
}

export const IDENTITY: Rotation = [1, 0, 0, 0, 1, 0, 0, 0, 1];
export const ORIGIN: Pose = { position: [0, 0, 0], rotation: IDENTITY };

export const rotate = (R: Rotation, [x, y, z]: Triple): Triple => [
  R[0] * x + R[1] * y + R[2] * z,
  R[3] * x + R[4] * y + R[5] * z,
  R[6] * x + R[7] * y + R[8] * z,
];
export const multiply = (A: Rotation, B: Rotation): Rotation =>
  Array.from({ length: 9 }, (_, i) => {
    const [row, column] = [3 * Math.floor(i / 3), i % 3];
    return A[row] * B[column] + A[row + 1] * B[column + 3] + A[row + 2] * B[column + 6];
  });
export const transpose = (R: Rotation): Rotation => [R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]];
export const add = (a: Triple, b: Triple): Triple => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const minus = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** A pose inside another: b in the frame of a. */
export const compose = (a: Pose, b: Pose): Pose => ({
  position: add(a.position, rotate(a.rotation, b.position)),
  rotation: multiply(a.rotation, b.rotation),
});

export function fromAngles(roll: number, pitch: number, yaw: number): Rotation {
  const [cr, sr, cp, sp, cy, sy] = [cos(roll), sin(roll), cos(pitch), sin(pitch), cos(yaw), sin(yaw)];
  return [
    cy * cp,
    cy * sp * sr - sy * cr,
    cy * sp * cr + sy * sr,
    sy * cp,
    sy * sp * sr + cy * cr,
    sy * sp * cr - cy * sr,
    -sp,
    cp * sr,
    cp * cr,
  ];
}

function fromQuaternion(q: readonly number[]): Rotation {
  const n = Math.sqrt(q.reduce((sum, c) => sum + c * c, 0));
  const [x, y, z, w] = q.map((c) => c / n);
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

/** Six numbers, as SDF writes a pose. */
export function poseOf(numbers: readonly number[], degrees = false): Pose {
  const k = degrees ? Math.PI / 180 : 1;
  const [x, y, z, roll, pitch, yaw] = numbers;
  return { position: [x, y, z], rotation: fromAngles(roll * k, pitch * k, yaw * k) };
}

/** The pose element of something, and the frame that it is given in, where it says one. */
export function readPose(e: XmlElement): { pose: Pose; relativeTo?: string } {
  const element = child(e, "pose");
  const numbers = numbersIn(e, "pose", [6, 7]);
  if (element === undefined || numbers === undefined) return { pose: ORIGIN };
  const isQuaternion = element.attributes.rotation_format === "quat_xyzw";
  if (isQuaternion !== (numbers.length === 7))
    throw new InputError(`holds ${numbers.length} numbers`, {
      file: element.file,
      line: element.line,
      field: "pose",
      allowed: isQuaternion ? "7: x y z, and a quaternion x y z w" : "6: x y z roll pitch yaw",
    });
  const relativeTo = element.attributes.relative_to || element.attributes.frame || undefined;
  const pose = isQuaternion
    ? { position: numbers.slice(0, 3) as unknown as Triple, rotation: fromQuaternion(numbers.slice(3)) }
    : poseOf(numbers, element.attributes.degrees === "true");
  return { pose, relativeTo };
}
