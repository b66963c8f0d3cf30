/** Mass, centre of mass and inertia of all links that hang together. */
import { InputError } from "../../model/input-error.ts";
import { add, minus, multiply, type Rotation, type Triple, transpose } from "./frames.ts";
import type { Link, Remark, SdfModel } from "./model.ts";

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
        sentence: `link ${name} is not connected to the vehicle by any joint: it is left out`,
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
