/** Exact derivatives and steps of radau that were compiled before: the build makes them of the vehicles that come with Sideslip (`store.ts`). */
import { differs } from "../math/arrays.ts";
import type { Model } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Lanes } from "./emit-kernel.ts";
import { evaluator } from "./evaluate.ts";
import { type InputRef, Node, type Op } from "./graph.ts";
import { Initialisation, keyOf } from "./initialisation.ts";
import { type Jacobian, type JacobianCode, jacobianKernel } from "./jacobian-kernel.ts";
import { LANES } from "./kernel.ts";
import { type NewtonCode, newtonKernels } from "./newton-kernel.ts";

export const BY = "states and inputs";

/** Numbers as words: JSON has neither infinities nor a zero below zero. */
export type Word = string;

interface StoredNode {
  readonly op: Op;
  readonly args: readonly number[];
  readonly value?: Word;
  readonly source?: InputRef;
  readonly name?: string;
}

/** What lies in the memory of a module: constants, and what is made of parameters. */
export interface StoredInitialisation {
  readonly constants: readonly Word[];
  readonly prepared: readonly (readonly [node: number, offset: number])[];
  readonly lists: readonly { readonly source: InputRef; readonly offset: number; readonly length: number }[];
}

export interface Stored {
  /** Where the equations stand. */
  readonly source: Model["source"];
  /** What is computed of parameters, before what is made of it. */
  readonly nodes: readonly StoredNode[];
  /** What must be so of parameters and boundaries. */
  readonly assumptions: readonly (readonly [node: number, holds: boolean])[];
  readonly jacobian: StoredInitialisation & { readonly shape: JacobianCode["shape"] };
  /** Of models that bring derivatives for radau: where these may be other than zero, and constants of radau's own. */
  readonly newton?: StoredInitialisation & {
    readonly shape: NewtonCode["shape"];
    readonly pattern: readonly number[];
    readonly own: readonly Word[];
  };
}

/** What has a kernel. */
export type Part = "jacobian" | "newton";

/**
 * The same vehicle; where what was stored is of its equations its model has `jacobian`, and `newton` with a kernel, as far as there are
 * modules. Derivatives by another way, which have the same bits, may stand in for machine code.
 */
export function withStored(
  vehicle: Vehicle,
  text: string,
  modules: Partial<Record<Part, Uint8Array>>,
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
  const initialisationOf = (
    { constants, prepared, lists }: StoredInitialisation,
    lanes: Lanes,
  ): Initialisation => {
    const initialisation = new Initialisation(lanes);
    initialisation.constants.push(...constants.map(Number));
    for (const [node, offset] of prepared) initialisation.prepared.set(nodes[node], offset);
    for (const list of lists) initialisation.lists.set(keyOf(list.source), list);
    return initialisation;
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
  const makeJacobian = (module: Uint8Array): Jacobian =>
    jacobianKernel({ module, initialisation: initialisationOf(stored.jacobian, 1), shape });
  let newton: ReturnType<typeof newtonKernels> | undefined;
  const makeNewton = (module: Uint8Array, { own, pattern, ...code }: NonNullable<Stored["newton"]>) =>
    newtonKernels(
      {
        module,
        initialisation: initialisationOf(code, LANES),
        constants: own.map(Number),
        shape: code.shape,
      },
      { pattern: Uint8Array.from(pattern) },
    );
  return {
    ...vehicle,
    model: {
      ...model,
      jacobian(by, x, u, p, e, J, dx) {
        if (by !== BY || !isOurs(p, e)) return model.jacobian?.(by, x, u, p, e, J, dx) === true;
        if (instead !== undefined) return instead(by, x, u, p, e, J, dx);
        if (modules.jacobian === undefined) return false;
        jacobian ??= makeJacobian(modules.jacobian);
        jacobian(x, u, p, e, J, dx);
        return true;
      },
      newton(owner, p, e) {
        if (modules.newton === undefined || stored.newton === undefined || !isOurs(p, e))
          return model.newton?.(owner, p, e);
        newton ??= makeNewton(modules.newton, stored.newton);
        return newton(owner, p);
      },
    },
  };
}
