/** Parameters: dotted field names <-> nested objects of doubles <-> flat vectors. */
import type { Field } from "./field.ts";
import type { Model } from "./model.ts";

type Tree = { [key: string]: number | Tree };

/**
 * An object of the fields' shape that V8 keeps in its fast form: every number in a double slot (integers have another
 * representation, and mixing costs 3x), and made by the JSON parser, because an object grown key by key past a dozen keys
 * becomes a dictionary (7x).
 */
function skeleton(fields: readonly Field[]): Tree {
  return JSON.parse(shapeOf(fields).text);
}

interface Shape {
  /** The skeleton as JSON. */
  readonly text: string;
  /** Each field's way into it. */
  readonly paths: readonly (readonly string[])[];
}
const shapes = new WeakMap<readonly Field[], Shape>();

function shapeOf(fields: readonly Field[]): Shape {
  const known = shapes.get(fields);
  if (known !== undefined) return known;
  const root: Tree = {};
  const paths = fields.map(({ name }) => name.split("."));
  for (const path of paths) {
    let node = root;
    for (const key of path.slice(0, -1)) node = (node[key] ??= {}) as Tree;
    node[path[path.length - 1]] = 0.5;
  }
  const shape = { text: JSON.stringify(root), paths };
  shapes.set(fields, shape);
  return shape;
}

/** The flat vector as the nested object the equations read, in a new one or in one that may change. */
export function unpack<P>(fields: readonly Field[], values: ArrayLike<number>, into?: P): P {
  const root = (into as Tree | undefined) ?? skeleton(fields);
  shapeOf(fields).paths.forEach((path, i) => {
    let node = root;
    for (let k = 0; k < path.length - 1; k++) node = node[path[k]] as Tree;
    node[path[path.length - 1]] = values[i];
  });
  return root as P;
}

/** The nested object as a flat vector in the fields' order. */
export function pack<P>(fields: readonly Field[], p: P): Float64Array {
  const out = new Float64Array(fields.length);
  fields.forEach(({ name }, i) => {
    let node: unknown = p;
    for (const key of name.split(".")) node = (node as Tree)[key];
    out[i] = node as number;
  });
  return out;
}

/** Parameters by name, from an object of named numbers (already checked); missing ones take their default. */
export function fromNames<P>(model: Model<P>, named: Readonly<Record<string, number>>): P {
  return makeParameters(
    model,
    model.parameters.map((f) => named[f.name] ?? f.default ?? Number.NaN),
  );
}

/** A model's parameters from a flat vector, completed by what follows from them. */
export function makeParameters<P>(model: Model<P>, values: ArrayLike<number>, into?: P): P {
  const p = unpack<P>(model.parameters, values, into);
  model.derive?.(p);
  return p;
}

/** Dotted names as blocks within blocks, as files have them. */
export function nested(named: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const fresh = (): Record<string, unknown> => Object.create(null);
  const root = fresh();
  for (const [name, value] of named) {
    const path = name.split(".");
    const leaf = path.pop() as string;
    let node = root;
    for (const key of path) node = (node[key] ??= fresh()) as Record<string, unknown>;
    node[leaf] = value;
  }
  return root;
}

/** A parameter's value in words: of choices the choice, of numbers the number with its unit. */
export function valueText({ choices = {}, unit }: Field, value: number): string {
  const word = Object.keys(choices).find((w) => choices[w] === value);
  return word ?? (unit === "1" ? String(value) : `${value} ${unit}`);
}
