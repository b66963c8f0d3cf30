/** Elementary functions taken apart into what machines do: + - * / sqrt, comparisons and the bits of a number. */
import { type Branch, Graph, type Node, type Truth, type Value } from "./graph.ts";
import { Interpreter } from "./interpreter.ts";
import { SOURCES } from "./sources.generated.ts";
import type { Closure } from "./values.ts";

/** The nodes that others are made of, in the order in which they can be computed; of leaves nothing else is needed. */
export function reachable(
  graph: Graph,
  roots: Iterable<Node>,
  isLeaf: (node: Node) => boolean = () => false,
): Node[] {
  const isNeeded = new Uint8Array(graph.nodes.length);
  for (const root of roots) isNeeded[root.id] = 1;
  for (let id = graph.nodes.length - 1; id >= 0; id--)
    if (isNeeded[id] === 1 && !isLeaf(graph.nodes[id]))
      for (const arg of graph.nodes[id].args) isNeeded[arg.id] = 1;
  return graph.nodes.filter((node) => isNeeded[node.id] === 1);
}

/** The same graph without calls. */
export function expand(graph: Graph, roots: readonly Node[]): { graph: Graph; roots: Node[] } {
  const made = new Graph();
  const interpreter = new Interpreter(made, SOURCES, {});
  interpreter.keepCalls = false;
  const of = new Map<Node, Node>();
  const branches = new Map<Branch, Branch>();
  for (const node of reachable(graph, roots)) of.set(node, made.node(copy(node) as Value));
  return { graph: made, roots: roots.map((root) => of.get(root) as Node) };

  function copy(node: Node): Value | Truth {
    const args = node.args.map((arg) => of.get(arg) as Node);
    switch (node.op) {
      case "constant":
        return made.constant(node.value);
      case "input":
        return made.input(node.source as NonNullable<Node["source"]>, node.isFixed);
      case "lookup":
        return made.lookup(node.source as NonNullable<Node["source"]>, args[0]);
      case "call":
        return interpreter.call(
          interpreter.imported("math/elementary.ts", node.name as string) as Closure,
          args,
        ) as Value;
      case "select": {
        const old = node.branch as Branch;
        const branch = branches.get(old) ?? made.newBranch();
        branches.set(old, branch);
        return made.select(args[0], args[1], args[2], branch);
      }
      default:
        return made.apply(node.op, ...args);
    }
  }
}
