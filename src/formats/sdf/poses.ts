/** Places and directions as SDF writes them: forward, left, up; roll, pitch, yaw about fixed axes. */
import { atan2, hypot } from "../../math/elementary.ts";

export interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export const n = (v: number) => (Object.is(v, -0) ? "0" : String(v));
/** Forward-right-down to forward-left-up. */
export const flu = ({ x, y, z }: Vec3): string => `${n(x)} ${n(-y)} ${n(-z)}`;

/** Roll, pitch, yaw that turn z into a direction. */
export function anglesTo({ x, y, z }: Vec3): string {
  const [a, b, c] = [x, -y, -z];
  const pitch = atan2(Math.sqrt(a * a + b * b), c);
  return `0 ${n(pitch)} ${n(a === 0 && b === 0 ? 0 : atan2(b, a))}`;
}

/** Roll, pitch, yaw of axes (forward, right, down) whose directions in the body stand row by row. */
export function anglesOf(axes: ArrayLike<number>): string {
  const [forwardX, forwardY, forwardZ] = [axes[0], axes[1], axes[2]];
  const [rightZ, downZ] = [axes[5], axes[8]];
  const roll = atan2(rightZ, downZ);
  const pitch = atan2(forwardZ, hypot(forwardX, forwardY));
  return `${n(roll)} ${n(pitch)} ${n(atan2(-forwardY, forwardX))}`;
}
