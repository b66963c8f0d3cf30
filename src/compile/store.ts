/** Exact derivatives of a vehicle as code and text, to be used again by `stored.ts`. */
import { stillAir } from "../environment/environment.ts";
import type { Vehicle } from "../model/model.ts";
import type { Node } from "./graph.ts";
import { jacobianMachineCode } from "./jacobian.ts";
import { lift } from "./lift.ts";
import { BY, type Stored, type Word } from "./stored.ts";

const word = (v: number): Word => (Object.is(v, -0) ? "-0" : String(v));

/** It runs some hundred times: an engine takes longer to read a branch than that spares, unless it is long. */
const WORTH = 60;

export function store({ model, parameters }: Vehicle): { text: string; module: Uint8Array } {
  const lifted = lift(model, parameters, stillAir(model));
  const { module, filling, shape } = jacobianMachineCode(model, lifted, BY, parameters, WORTH);
  const conditions = lifted.assumptions.map(({ condition }) => condition);
  const nodes = inOrder([...filling.prepared.keys(), ...conditions]);
  const places = new Map(nodes.map((node, i) => [node, i]));
  const placeOf = (node: Node) => places.get(node) as number;
  const stored: Stored = {
    source: model.source,
    shape,
    constants: filling.constants.map(word),
    nodes: nodes.map(({ op, args, value, source, name }) => ({
      op,
      args: args.map(placeOf),
      ...(op === "constant" ? { value: word(value) } : {}),
      source,
      name,
    })),
    prepared: [...filling.prepared].map(([node, offset]) => [placeOf(node), offset]),
    lists: [...filling.lists.values()],
    assumptions: lifted.assumptions.map(({ condition, holds }) => [placeOf(condition), holds]),
  };
  return { text: JSON.stringify(stored), module };
}

/** Nodes and what they are made of, that before them. */
function inOrder(roots: readonly Node[]): Node[] {
  const found = new Set<Node>();
  const visit = (node: Node) => {
    if (found.has(node)) return;
    node.args.forEach(visit);
    found.add(node);
  };
  roots.forEach(visit);
  return [...found];
}
