/** Exact derivatives that were compiled before: the build makes them of the vehicles that come with Sideslip (`store.ts`). */
import { differs } from "../math/arrays.ts";
import type { Model, Newton, Vehicle } from "../model/model.ts";
import type { Lanes } from "./emit-kernel.ts";
import { evaluator } from "./evaluate.ts";
import { Filling, keyOf } from "./filling.ts";
import { Node, type Op, type Source } from "./graph.ts";
import { LANES } from "./machine.ts";
import { type Jacobian, type JacobianCode, machineJacobian } from "./machine-jacobian.ts";
import { type NewtonCode, newtonMachines } from "./machine-newton.ts";

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

/** What lies in the memory of a module: constants, and what is made of parameters. */
export interface StoredFilling {
  readonly constants: readonly Word[];
  readonly prepared: readonly (readonly [node: number, offset: number])[];
  readonly lists: readonly { readonly source: Source; readonly offset: number; readonly length: number }[];
}

export interface Stored {
  /** Where the equations stand. */
  readonly source: Model["source"];
  /** What is computed of parameters, before what is made of it. */
  readonly nodes: readonly StoredNode[];
  /** What must be so of parameters and boundaries. */
  readonly assumptions: readonly (readonly [node: number, holds: boolean])[];
  readonly jacobian: StoredFilling & { readonly shape: JacobianCode["shape"] };
  /** Of models that bring derivatives for radau. */
  readonly newton?: StoredFilling & { readonly shape: NewtonCode["shape"]; readonly own: readonly Word[] };
}

/** What there is machine code for. */
export type Part = "jacobian" | "newton";

/**
 * The same vehicle; where what was stored is of its equations, its model has `jacobian`, and its `newton` a kernel. With derivatives by
 * another way, which have the same bits, no machine code runs, and they stand in for it where it would.
 */
export function withStored(
  vehicle: Vehicle,
  text: string,
  moduleOf: (part: Part) => Uint8Array,
  instead?: Model["jacobian"],
): Vehicle {
  const { model } = vehicle;
  const stored = JSON.parse(text) as Stored;
  const { shape } = stored.jacobian;
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
  const fillingOf = ({ constants, prepared, lists }: StoredFilling, lanes: Lanes): Filling => {
    const filling = new Filling(lanes);
    filling.constants.push(...constants.map(Number));
    for (const [node, offset] of prepared) filling.prepared.set(nodes[node], offset);
    for (const list of lists) filling.lists.set(keyOf(list.source), list);
    return filling;
  };
  let last = { p: undefined as unknown, boundaries: new Float64Array(0), isOurs: false };
  const isOurs = (p: unknown, e: Float64Array): boolean => {
    if (last.p !== p || differs(last.boundaries, e, shape.fields)) {
      const valueAt = evaluator({ p, e });
      const holds = stored.assumptions.every(([node, truth]) => valueAt(nodes[node]) === truth);
      last = { p, boundaries: e.slice(shape.fields), isOurs: holds };
    }
    return last.isOurs;
  };
  let jacobian: Jacobian | undefined;
  const makeJacobian = (): Jacobian =>
    machineJacobian({ module: moduleOf("jacobian"), filling: fillingOf(stored.jacobian, 1), shape });
  let machines: ReturnType<typeof newtonMachines> | undefined;
  const kernels = new WeakMap<object, Newton & { readonly parameters: unknown }>();
  return {
    ...vehicle,
    model: {
      ...model,
      jacobian(by, x, u, p, e, J, dx) {
        if (by !== BY) return model.jacobian?.(by, x, u, p, e, J, dx) === true;
        if (!isOurs(p, e)) return false;
        if (instead !== undefined) return instead(by, x, u, p, e, J, dx);
        jacobian ??= makeJacobian();
        jacobian(x, u, p, e, J, dx);
        return true;
      },
      newton(owner, p, e) {
        const known = model.newton?.(owner, p, e);
        const { newton } = stored;
        if (known === undefined || newton === undefined || instead !== undefined || !isOurs(p, e))
          return known;
        const made = kernels.get(owner);
        if (made?.parameters === p) return made;
        machines ??= newtonMachines({
          module: moduleOf("newton"),
          filling: fillingOf(newton, LANES),
          constants: newton.own.map(Number),
          shape: newton.shape,
        });
        const offered = { pattern: known.pattern, kernel: machines(p), parameters: p };
        kernels.set(owner, offered);
        return offered;
      },
    },
  };
}
