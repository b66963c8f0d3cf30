/** Derivatives from the inputs forward: what several of them share is one node. */
import type { Entry } from "./differentiate.ts";
import type { Branch, Graph, Node, Value } from "./graph.ts";
import { between, choiceOf, partialsOf, plus, times } from "./partials.ts";

/**
 * Derivatives of a node by some of the seeds: one factor times those of a node before it. A function of one quantity, however long, so
 * costs a product for each step and not one for each step and seed.
 */
interface Slopes {
  readonly scale: Value;
  readonly base: ReadonlyMap<number, Value>;
}
const NONE: Slopes = { scale: 0, base: new Map() };

export function forward(graph: Graph, roots: readonly Node[], seeds: readonly Node[]): Entry[] {
  const slopesOf = new Map<Node, Slopes>(
    seeds.map((seed, i) => [seed, { scale: 1, base: new Map([[i, 1]]) }]),
  );
  const of = (node: Node) => slopesOf.get(node) ?? NONE;
  /** Branches of the derivatives, by those of what is differentiated. */
  const branches = new Map<Branch, Branch>();
  const branchFor = (old: Branch = graph.newBranch()): Branch => {
    const known = branches.get(old) ?? graph.newBranch();
    branches.set(old, known);
    return known;
  };

  for (const node of between(graph, seeds, roots)) {
    if (slopesOf.has(node)) continue;
    const choice = choiceOf(graph, node);
    if (choice) {
      const { condition, yes, no } = choice;
      const branch = branchFor(node.branch);
      // Written out, because a side that is not taken may be infinite, and no factor makes that zero.
      slopesOf.set(
        node,
        merged(of(yes), of(no), (u, v) => graph.select(condition, u, v, branch)),
      );
    } else {
      const partials = partialsOf(graph, node);
      slopesOf.set(node, node.args.map((arg, i) => scaled(of(arg), partials[i])).reduce(sum));
    }
  }
  return roots.flatMap((root, row) =>
    all(of(root))
      .sort(([a], [b]) => a - b)
      .map(([column, value]) => ({ row, column, node: graph.node(value) })),
  );

  /** Written out. */
  function all({ scale, base }: Slopes): [number, Value][] {
    return [...base].map(([key, value]) => [key, times(graph, scale, value)]);
  }
  function scaled(s: Slopes, factor: Value): Slopes {
    return s === NONE || factor === 0 ? NONE : { scale: times(graph, s.scale, factor), base: s.base };
  }
  function sum(s: Slopes, t: Slopes): Slopes {
    return s === NONE ? t : t === NONE ? s : merged(s, t, (u, v) => plus(graph, u, v));
  }
  function merged(s: Slopes, t: Slopes, combine: (u: Value, v: Value) => Value): Slopes {
    if (s.base === t.base) return { scale: combine(s.scale, t.scale), base: s.base };
    const [a, b] = [new Map(all(s)), new Map(all(t))];
    const base = new Map<number, Value>();
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const value = combine(a.get(key) ?? 0, b.get(key) ?? 0);
      if (value !== 0) base.set(key, value);
    }
    return { scale: 1, base };
  }
}
