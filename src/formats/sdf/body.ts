/** Mass, centre of mass and inertia of all links that hang together, and the spheres and corners that they stand on. */
import { InputError } from "../../model/input-error.ts";
import { child, childrenOf, numberIn, numbersIn, type XmlElement } from "../xml.ts";
import {
  add,
  compose,
  minus,
  multiply,
  type Rotation,
  readPose,
  rotate,
  type Triple,
  transpose,
} from "./frames.ts";
import type { Joint, Link, Remark, SdfModel } from "./model.ts";

export interface Body {
  readonly mass: number;
  /** In the model's frame. */
  readonly centre: Triple;
  /** About the centre, in the model's axes, row by row. */
  readonly inertia: Rotation;
}

/** The link that the others hang on: base_link, or the heaviest. */
export function baseOf({ links, remarks }: SdfModel, file: string): Link {
  const heaviest = [...links].sort((a, b) => (b.inertial?.mass ?? 0) - (a.inertial?.mass ?? 0))[0];
  const base = links.find((l) => /(^|::)base_link$/.test(l.name)) ?? heaviest;
  if (base === undefined)
    throw new InputError(
      `has no links: there is nothing to fly${remarks.length > 0 ? ` (${remarks[0].sentence})` : ""}`,
      { file, line: remarks[0]?.line, allowed: "a model with links; what it includes must lie beside it" },
    );
  return base;
}

export function connected(model: SdfModel, base: Link, remarks: Remark[]): Link[] {
  const { links, joints } = model;
  const names = new Set(links.map((l) => l.name));
  for (const { element, parent, child: inner, name } of joints)
    for (const end of [parent, inner])
      if (!names.has(end) && end !== "world" && end !== "")
        remarks.push({
          file: element.file,
          line: element.line,
          sentence: `joint ${name} leads to "${end}", which is not in this file`,
        });
  const reached = new Set([base.name]);
  for (let grows = true; grows; ) {
    grows = false;
    for (const { parent, child: inner } of joints)
      for (const [a, b] of [
        [parent, inner],
        [inner, parent],
      ])
        if (reached.has(a) && names.has(b) && !reached.has(b)) {
          reached.add(b);
          grows = true;
        }
  }
  for (const { name, element } of links)
    if (!reached.has(name))
      remarks.push({
        file: element.file,
        line: element.line,
        sentence: `link ${name} hangs on nothing (no joint leads to it): it is left out`,
      });
  return links.filter((l) => reached.has(l.name));
}

/** Steiner: everything about the common centre of mass. */
export function bodyOf(links: readonly Link[], file: string): Body {
  const parts = links.flatMap((l) => (l.inertial ? [l.inertial] : []));
  const mass = parts.reduce((sum, p) => sum + p.mass, 0);
  if (!(mass > 0)) throw new InputError("has no mass: no link has an <inertial>", { file });
  const centre = parts
    .reduce<Triple>(
      (sum, p) => add(sum, p.pose.position.map((x) => x * p.mass) as unknown as Triple),
      [0, 0, 0],
    )
    .map((x) => x / mass) as unknown as Triple;
  const inertia = new Array(9).fill(0);
  for (const { mass: m, pose, inertia: own } of parts) {
    const R = pose.rotation;
    const turned = multiply(multiply(R, own), transpose(R));
    const [x, y, z] = minus(pose.position, centre);
    const shifted = [
      m * (y * y + z * z),
      -m * x * y,
      -m * x * z,
      -m * x * y,
      m * (x * x + z * z),
      -m * y * z,
      -m * x * z,
      -m * y * z,
      m * (x * x + y * y),
    ];
    for (let i = 0; i < 9; i++) inertia[i] += turned[i] + shifted[i];
  }
  return { mass, centre, inertia };
}

export interface Foot {
  /** In the model's frame. */
  readonly position: Triple;
  readonly radius: number;
  /** Turns freely about an axis across forward. */
  readonly isWheel: boolean;
  readonly friction?: number;
}

/** Contacts from collision shapes: corners of boxes, spheres, wheels; rotors touch nothing. */
export function feetOf(
  links: readonly Link[],
  joints: readonly Joint[],
  skipped: ReadonlySet<string>,
  remarks: Remark[],
): Foot[] {
  const feet: Foot[] = [];
  for (const link of links) {
    if (skipped.has(link.name)) continue;
    const joint = joints.find((j) => j.child === link.name);
    const turns = joint !== undefined && /continuous|revolute/.test(joint.type);
    for (const collision of childrenOf(link.element, "collision")) {
      const shape = child(collision, "geometry")?.children[0];
      if (shape === undefined) continue;
      const pose = compose(link.pose, readPose(collision).pose);
      const friction = frictionOf(collision);
      const at = (local: Triple, radius: number) =>
        feet.push({
          position: add(pose.position, rotate(pose.rotation, local)),
          radius,
          isWheel: turns && radius > 0,
          friction,
        });
      const size = shape.name === "box" ? numbersIn(shape, "size", [3]) : undefined;
      const radius = numberIn(shape, "radius") ?? 0;
      const length = numberIn(shape, "length") ?? 0;
      if (size) {
        const [a, b, c] = size.map((s) => 0.5 * s);
        // The lower corners of a box that lies flat are enough.
        const isFlat = pose.rotation[8] > 0.9;
        for (const x of [-a, a])
          for (const y of [-b, b]) for (const z of isFlat ? [-c] : [-c, c]) at([x, y, z], 0);
      } else if (shape.name === "sphere") at([0, 0, 0], radius);
      else if (shape.name === "cylinder" && (turns || Math.abs(pose.rotation[8]) < 0.3))
        at([0, 0, 0], radius);
      else if (shape.name === "cylinder" && radius < 0.03) at([0, 0, -0.5 * length], 0);
      else if (shape.name === "cylinder")
        for (const [x, y] of [
          [radius, 0],
          [-radius, 0],
          [0, radius],
          [0, -radius],
        ])
          at([x, y, -0.5 * length], 0);
      else
        remarks.push({
          file: shape.file,
          line: shape.line,
          sentence: `the collision shape <${shape.name}> of ${link.name} is not read: it touches nothing`,
        });
    }
  }
  return lowest(feet);
}

function frictionOf(collision: XmlElement): number | undefined {
  const ode = child(child(child(collision, "surface"), "friction"), "ode");
  const mu = ode ? numberIn(ode, "mu") : undefined;
  return mu === undefined ? undefined : Math.min(10, Math.max(0, mu));
}

/** At most so many contacts, the lowest ones. */
const MOST_FEET = 12;
function lowest(feet: readonly Foot[]): Foot[] {
  return [...feet].sort((a, b) => a.position[2] - a.radius - (b.position[2] - b.radius)).slice(0, MOST_FEET);
}
