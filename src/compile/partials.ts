/** What a node changes by with each of its arguments, and which nodes that concerns. */
import { RULES } from "./elementary.ts";
import type { Graph, Node, Value } from "./graph.ts";

export function times(g: Graph, u: Value, v: Value): Value {
  if (u === 0 || v === 0) return 0;
  if (u === -1 || v === -1) return g.apply("neg", u === -1 ? v : u);
  return g.apply("mul", u, v);
}
export const plus = (g: Graph, u: Value, v: Value): Value =>
  u === 0 ? v : v === 0 ? u : g.apply("add", u, v);

/** Derivatives of a node by each of its arguments; none for those that choose between them (`select`, `min`, `max`). */
export function partialsOf(g: Graph, node: Node): readonly Value[] {
  const { op, args } = node;
  const [a, b] = args;
  switch (op) {
    case "add":
      return [1, 1];
    case "sub":
      return [1, -1];
    case "mul":
      return [b, a];
    case "div": {
      const per = g.apply("div", 1, b);
      return [per, g.apply("neg", g.apply("mul", node, per))];
    }
    case "neg":
      return [-1];
    case "sqrt":
      // At the tip of a cone the mean of all slopes.
      return [g.select(g.compare("eq", node, 0), 0, g.apply("div", 0.5, node))];
    case "abs":
      return [g.select(g.compare("lt", a, 0), -1, 1)];
    case "call":
      return RULES[node.name as string](g, args, node);
    default:
      return [];
  }
}

/** A node that is one of two others: on which condition the first. */
export function choiceOf(
  g: Graph,
  { op, args }: Node,
): { readonly condition: Node; readonly yes: Node; readonly no: Node } | undefined {
  const [a, b, c] = args;
  if (op === "select") return { condition: a, yes: b, no: c };
  if (op === "min") return { condition: g.compare("lt", b, a) as Node, yes: b, no: a };
  if (op === "max") return { condition: g.compare("lt", a, b) as Node, yes: b, no: a };
  return undefined;
}

/** Arguments that a node's value changes with: not conditions, nor what is rounded down. */
function smoothArguments({ op, args, isTruth }: Node): readonly Node[] {
  if (isTruth || op === "floor" || op === "lookup") return [];
  return op === "select" ? args.slice(1) : args;
}

/** Nodes between seeds and roots on smooth ways, in the order in which they can be computed. */
export function between(graph: Graph, seeds: readonly Node[], roots: readonly Node[]): Node[] {
  const { nodes } = graph;
  const isFrom = new Uint8Array(nodes.length);
  for (const seed of seeds) isFrom[seed.id] = 1;
  for (const node of nodes)
    if (smoothArguments(node).some((arg) => isFrom[arg.id] === 1)) isFrom[node.id] = 1;
  const isTo = new Uint8Array(nodes.length);
  for (const root of roots) isTo[root.id] = 1;
  for (let id = nodes.length - 1; id >= 0; id--)
    if (isTo[id] === 1) for (const arg of smoothArguments(nodes[id])) isTo[arg.id] = 1;
  return nodes.filter(({ id }) => isFrom[id] === 1 && isTo[id] === 1);
}
