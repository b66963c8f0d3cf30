/** Exact derivatives of a vehicle, and steps of radau where it brings those, as code and text, to be used again by `stored.ts`. */
import { stillAir } from "../environment/environment.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Node } from "./graph.ts";
import type { Initialisation } from "./initialisation.ts";
import { jacobianModule } from "./jacobian.ts";
import { newtonModule } from "./newton.ts";
import { BY, type Part, type Stored, type StoredInitialisation, type Word } from "./stored.ts";
import { trace } from "./trace.ts";

const word = (v: number): Word => (Object.is(v, -0) ? "-0" : String(v));

/** It runs some hundred times: an engine takes longer to read a branch than that spares, unless it is long. */
const WORTH = 120;

export function store({ model, parameters }: Vehicle): {
  text: string;
  modules: Partial<Record<Part, Uint8Array>>;
} {
  const around = stillAir(model);
  const lifted = trace(model, parameters, around);
  const jacobian = jacobianModule(model, lifted, BY, parameters, WORTH);
  const pattern = model.newton?.({}, parameters, around)?.pattern;
  const newton = pattern && newtonModule(model, lifted, pattern, parameters);
  const conditions = lifted.assumptions.map(({ condition }) => condition);
  const prepared = [jacobian, newton].flatMap((code) => [...(code?.initialisation.prepared.keys() ?? [])]);
  const nodes = inOrder([...prepared, ...conditions]);
  const places = new Map(nodes.map((node, i) => [node, i]));
  const placeOf = (node: Node) => places.get(node) as number;
  const written = ({ constants, prepared: made, lists }: Initialisation): StoredInitialisation => ({
    constants: constants.map(word),
    prepared: [...made].map(([node, offset]) => [placeOf(node), offset]),
    lists: [...lists.values()],
  });
  const stored: Stored = {
    source: model.source,
    nodes: nodes.map(({ op, args, value, source, name }) => ({
      op,
      args: args.map(placeOf),
      ...(op === "constant" ? { value: word(value) } : {}),
      source,
      name,
    })),
    assumptions: lifted.assumptions.map(({ condition, holds }) => [placeOf(condition), holds]),
    jacobian: { ...written(jacobian.initialisation), shape: jacobian.shape },
    newton: newton && {
      ...written(newton.initialisation),
      shape: newton.shape,
      pattern: [...pattern],
      own: newton.constants.map(word),
    },
  };
  return {
    text: JSON.stringify(stored),
    modules: { jacobian: jacobian.module, ...(newton ? { newton: newton.module } : {}) },
  };
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
