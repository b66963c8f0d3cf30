/** Elementary functions taken apart into what machines do: + - * / sqrt, comparisons and the bits of a number. */
import { PAIRS } from "./elementary.ts";
import { type Branch, Graph, type Node, type Truth, type Value } from "./graph.ts";
import { Interpreter } from "./interpreter.ts";
import { SOURCES } from "./sources.generated.ts";
import { type Closure, Numbers } from "./values.ts";

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
  const nodes = reachable(graph, roots);
  const pairs = new Map<Node, Node>();
  for (const [a, b] of partners(nodes)) pairs.set(a, b).set(b, a);
  for (const node of nodes) if (!of.has(node)) of.set(node, made.node(copy(node) as Value));
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
        return called(node, args);
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
  function called(node: Node, args: readonly Node[]): Value {
    const follow = (name: string, given: readonly unknown[]) =>
      interpreter.call(interpreter.imported("math/elementary.ts", name) as Closure, given);
    const partner = pairs.get(node);
    if (partner === undefined) return follow(node.name as string, args) as Value;
    const [both, names] = Object.entries(PAIRS).find(([, two]) => two.includes(node.name as string)) as [
      string,
      readonly string[],
    ];
    const out = new Numbers([0, 0]);
    follow(both, [...args, out, 0]);
    const place = names.indexOf(node.name as string);
    of.set(partner, made.node(out.cells[1 - place]));
    return out.cells[place];
  }
}

/** Calls of functions that are computed together, with the same argument: sine and cosine. */
function partners(nodes: readonly Node[]): [Node, Node][] {
  const calls = nodes.filter(({ op }) => op === "call");
  return Object.values(PAIRS).flatMap(([first, second]) => {
    const seconds = new Map(calls.filter((c) => c.name === second).map((c) => [c.args[0], c]));
    return calls.flatMap((c): [Node, Node][] => {
      const other = c.name === first ? seconds.get(c.args[0]) : undefined;
      return other === undefined ? [] : [[c, other]];
    });
  });
}
