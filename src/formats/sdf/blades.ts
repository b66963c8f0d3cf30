/**
 * Rotors made of LiftDrag blades on a link that spins (ardupilot_gazebo): thrust and torque over speed squared, as the blades
 * have them without flow through the disc.
 */
import { kinked } from "../../parts/lift-drag.ts";
import { limitIn, type XmlElement } from "../xml.ts";
import { minus, rotate, type Triple } from "./frames.ts";
import type { Joint, Link } from "./model.ts";
import { plainTags } from "./plugins.ts";

const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export interface Blades {
  /** Direction of the thrust, in the model's frame. */
  readonly axis: Triple;
  readonly numbers: Readonly<Record<string, number | string>>;
}

/** A joint that turns without end. */
export function spins({ type, element }: Joint): boolean {
  const axis = element.children.find((c) => c.name === "axis");
  const limit = axis?.children.find((c) => c.name === "limit");
  const upper = limit ? limitIn(limit, "upper") : undefined;
  return type === "continuous" || (type === "revolute" && (upper === undefined || upper > 100));
}

export function bladesOf(link: Link, plugins: readonly XmlElement[], top: number): Blades {
  let thrust = 0;
  let torque = 0;
  let axis: Triple = [0, 0, 0];
  let turn = 0;
  for (const e of plugins) {
    const { numbers, point, forward, upward, density } = plainTags(e);
    const n = {
      a0: 0,
      cla: 1,
      cda: 0.01,
      alpha_stall: 1.57,
      cla_stall: 0,
      cda_stall: 1,
      area: 1,
      ...numbers,
    } as Record<string, number>;
    const up = rotate(link.pose.rotation, upward);
    const arm = rotate(link.pose.rotation, point);
    const radial = minus(arm, up.map((x) => x * dot(arm, up)) as unknown as Triple);
    const r = Math.sqrt(dot(radial, radial));
    const q = 0.5 * density * n.area * r * r;
    thrust += q * kinked(n.a0, n.alpha_stall, n.cla, n.cla_stall);
    torque += q * r * Math.abs(kinked(n.a0, n.alpha_stall, n.cda, n.cda_stall));
    axis = up;
    turn += dot(cross(up, radial), rotate(link.pose.rotation, forward));
  }
  return {
    axis,
    numbers: {
      direction: turn >= 0 ? "ccw" : "cw",
      law: "gz",
      motorConstant: thrust,
      momentConstant: thrust > 0 ? torque / thrust : 0,
      maxRotVelocity: top,
    },
  };
}
