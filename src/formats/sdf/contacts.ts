/** What a model stands on: contacts from the collision shapes of its links. */
import { child, childrenOf, numberIn, numbersIn, type XmlElement } from "../xml.ts";
import { add, compose, readPose, rotate, type Triple } from "./frames.ts";
import type { Joint, Link, Remark } from "./model.ts";

interface Foot {
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

const SOFTNESS = 0.007;
/** The contacts may turn the body no faster than this [s], or steps of 5 ms cannot follow. */
const QUICKEST = 0.004;

/** Softer than usual where the inertia is small for the arms of the contacts. */
function softnessFor(feet: readonly (readonly number[])[], mass: number, I: readonly number[]): number {
  if (feet.length === 0) return SOFTNESS;
  const arms = [0, 1, 2].map((axis) =>
    feet.reduce((sum, p) => sum + p.reduce((s, x, i) => s + (i === axis ? 0 : x * x), 0), 0),
  );
  const stiffest = Math.max(...arms.map((a, i) => (mass * a) / (feet.length * I[i])));
  return Number(Math.max(SOFTNESS, QUICKEST * Math.sqrt(stiffest)).toPrecision(3));
}

/** A contact as a vehicle file has it. */
export interface Contact {
  readonly position: readonly number[];
  readonly radius?: number;
  readonly softness?: number;
  readonly friction?: number;
  readonly rolling: number;
}

/** `place` turns a point of the model's frame into body axes from the centre of mass. */
export function contactsOf(
  feet: readonly Foot[],
  place: (point: Triple) => readonly number[],
  mass: number,
  moments: readonly number[],
): Contact[] {
  const softness = softnessFor(
    feet.map((f) => place(f.position)),
    mass,
    moments,
  );
  return feet.map(({ position, radius, isWheel, friction }) => ({
    position: place(position),
    ...(radius > 0 ? { radius } : {}),
    ...(softness > SOFTNESS ? { softness } : {}),
    ...(friction === undefined ? {} : { friction: Math.min(friction, 1) }),
    rolling: isWheel ? 0.02 : Math.min(friction ?? 0.5, 0.5),
  }));
}
