/** Where a lifting surface is and how it stands on the vehicle: its own axes are forward, right and down. */
import { type Field, vector } from "../model/field.ts";

const axis = (name: string, meaning: string, z: number): Field[] =>
  ["x", "y", "z"].map((c) => ({
    name: `${name}.${c}`,
    unit: "1",
    meaning: `${meaning} (any length), ${c}`,
    default: c === "x" ? 1 + z : c === "z" ? z : 0,
  }));

export const AXES_PARAMETERS: readonly Field[] = [
  ...vector("position", {
    unit: "m",
    meaning: "point where the force acts, from the centre of mass",
    min: -50,
    max: 50,
  }),
  ...axis("forward", "direction against the flow at no angle of attack", 0),
  ...axis("upward", "direction of the lift", -1),
];

interface Vec3 {
  x: number;
  y: number;
  z: number;
}
export interface SurfaceAxes {
  position: Vec3;
  forward: Vec3;
  upward: Vec3;
  /** Derived: from body to surface axes, row by row (0-8), the position (9-11), 1 where the axes are the same (12). */
  frame: Float64Array;
}

const dot = (a: Vec3, b: Vec3) => a.x * b.x + a.y * b.y + a.z * b.z;
const cross = (a: Vec3, b: Vec3): Vec3 => ({
  x: a.y * b.z - a.z * b.y,
  y: a.z * b.x - a.x * b.z,
  z: a.x * b.y - a.y * b.x,
});
const unit = (a: Vec3): Vec3 => {
  const n = Math.sqrt(dot(a, a));
  return { x: a.x / n, y: a.y / n, z: a.z / n };
};

/** Upward is taken across forward; two parallel ones give NaN, which `areParallel` finds. */
export function deriveAxes(p: SurfaceAxes): void {
  const x = unit(p.forward);
  const along = dot(p.upward, x);
  const up = unit({
    x: p.upward.x - along * x.x,
    y: p.upward.y - along * x.y,
    z: p.upward.z - along * x.z,
  });
  const z = { x: -up.x, y: -up.y, z: -up.z };
  const y = cross(z, x);
  const isAligned = x.x === 1 && y.y === 1 && z.z === 1;
  p.frame = Float64Array.of(
    ...[x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z],
    ...[p.position.x, p.position.y, p.position.z, isAligned ? 1 : 0],
  );
}

/** Whether forward and upward do not make a plane. */
export function areParallel({ forward, upward }: SurfaceAxes): boolean {
  const n = cross(forward, upward);
  return !(dot(n, n) > 1e-6 * dot(forward, forward) * dot(upward, upward));
}
