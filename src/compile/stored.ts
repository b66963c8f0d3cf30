/** Exact derivatives that were compiled before: the build makes them of the vehicles that come with Sideslip (`store.ts`). */
import { differs } from "../math/arrays.ts";
import type { Model, Vehicle } from "../model/model.ts";
import { evaluator } from "./evaluate.ts";
import { Filling, keyOf } from "./filling.ts";
import { Node, type Op, type Source } from "./graph.ts";
import { type Jacobian, type JacobianCode, machineJacobian } from "./machine-jacobian.ts";

export const BY = "states and inputs";

/** Numbers as words: JSON has neither infinities nor a zero below zero. */
export type Word = string;

interface StoredNode {
  readonly op: Op;
  readonly args: readonly number[];
  readonly value?: Word;
  readonly source?: Source;
  readonly name?: string;
}

export interface Stored {
  /** Where the equations stand. */
  readonly source: Model["source"];
  readonly shape: JacobianCode["shape"];
  readonly constants: readonly Word[];
  /** What is computed of parameters, before what is made of it. */
  readonly nodes: readonly StoredNode[];
  readonly prepared: readonly (readonly [node: number, offset: number])[];
  readonly lists: readonly { readonly source: Source; readonly offset: number; readonly length: number }[];
  /** What must be so of parameters and boundaries. */
  readonly assumptions: readonly (readonly [node: number, holds: boolean])[];
}

/**
 * The same vehicle; where what was stored is of its equations, its model has `jacobian`. With derivatives by another way, which have the
 * same bits, no machine code runs, and they stand in for it where it would.
 */
export function withStored(
  vehicle: Vehicle,
  text: string,
  module: Uint8Array,
  instead?: Model["jacobian"],
): Vehicle {
  const { model } = vehicle;
  const stored = JSON.parse(text) as Stored;
  const { shape } = stored;
  const isLike =
    model.states.length === shape.states &&
    model.states.length + model.inputs.length === shape.columns &&
    JSON.stringify(model.source) === JSON.stringify(stored.source);
  if (!isLike) return vehicle;
  const nodes: Node[] = [];
  for (const { op, args, value, source, name } of stored.nodes)
    nodes.push(
      new Node(
        nodes.length,
        op,
        args.map((i) => nodes[i]),
        true,
        { value: Number(value), source, name },
      ),
    );
  const holds = (p: unknown, e: Float64Array) => {
    const valueAt = evaluator({ p, e });
    return stored.assumptions.every(([node, truth]) => valueAt(nodes[node]) === truth);
  };
  const make = (): Jacobian => {
    if (instead !== undefined) return (x, u, p, e, J, dx) => void instead(BY, x, u, p, e, J, dx);
    const filling = new Filling(1);
    filling.constants.push(...stored.constants.map(Number));
    for (const [node, offset] of stored.prepared) filling.prepared.set(nodes[node], offset);
    for (const list of stored.lists) filling.lists.set(keyOf(list.source), list);
    return machineJacobian({ module, filling, shape });
  };
  let made: Jacobian | undefined;
  let last = { p: undefined as unknown, boundaries: new Float64Array(0), isOurs: false };
  return {
    ...vehicle,
    model: {
      ...model,
      jacobian(by, x, u, p, e, J, dx) {
        if (by !== BY) return false;
        if (last.p !== p || differs(last.boundaries, e, shape.fields))
          last = { p, boundaries: e.slice(shape.fields), isOurs: holds(p, e) };
        if (!last.isOurs) return false;
        made ??= make();
        made(x, u, p, e, J, dx);
        return true;
      },
    },
  };
}
