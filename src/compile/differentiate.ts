/**
 * Exact derivatives of a graph's roots by its inputs: forward mode on the graph itself, so that what several derivatives share is one
 * node. Zeros are left out from the start: what is missing is zero for every state, which gives the sparsity pattern.
 */
import { RULES } from "./elementary.ts";
import type { Branch, Graph, Node, Truth, Value } from "./graph.ts";

/** One derivative that is not always zero: of root `row` by seed `column`. */
export interface Entry {
  readonly row: number;
  readonly column: number;
  readonly node: Node;
}

/**
 * Derivatives of a node by some of the seeds: one factor times those of a node before it. A function of one quantity, however long, so
 * costs a product for each step and not one for each step and seed.
 */
interface Slopes {
  readonly scale: Value;
  readonly base: ReadonlyMap<number, Value>;
}
const NONE: Slopes = { scale: 0, base: new Map() };

export function differentiate(graph: Graph, roots: readonly Node[], seeds: readonly Node[]): Entry[] {
  const slopesOf = new Map<Node, Slopes>(
    seeds.map((seed, i) => [seed, { scale: 1, base: new Map([[i, 1]]) }]),
  );
  const tool = new Calculus(graph);
  for (const node of differentiable(graph, roots))
    if (!slopesOf.has(node))
      slopesOf.set(
        node,
        tool.slopes(
          node,
          node.args.map((arg) => slopesOf.get(arg) ?? NONE),
        ),
      );
  return roots.flatMap((root, row) =>
    tool
      .all(slopesOf.get(root) ?? NONE)
      .sort(([a], [b]) => a - b)
      .map(([column, value]) => ({ row, column, node: graph.node(value) })),
  );
}

/** Arguments that a node's value changes with: not conditions, nor what is rounded down. */
function smoothArguments({ op, args, isTruth }: Node): readonly Node[] {
  if (isTruth || op === "floor" || op === "lookup") return [];
  return op === "select" ? args.slice(1) : args;
}

/** Nodes on a smooth way to a root, in the order in which they can be computed. */
function differentiable(graph: Graph, roots: readonly Node[]): Node[] {
  const isOnWay = new Uint8Array(graph.nodes.length);
  for (const root of roots) isOnWay[root.id] = 1;
  for (let id = graph.nodes.length - 1; id >= 0; id--)
    if (isOnWay[id] === 1) for (const arg of smoothArguments(graph.nodes[id])) isOnWay[arg.id] = 1;
  return graph.nodes.filter((node) => isOnWay[node.id] === 1);
}

class Calculus {
  private readonly g: Graph;
  /** Branches of the derivatives, by those of what is differentiated. */
  private readonly branches = new Map<Branch, Branch>();
  constructor(graph: Graph) {
    this.g = graph;
  }

  slopes(node: Node, of: readonly Slopes[]): Slopes {
    if (of.every((s) => s === NONE)) return NONE;
    const { g } = this;
    const { op, args } = node;
    const [a, b] = args;
    const [da, db] = of;
    switch (op) {
      case "add":
        return this.sum(da, db);
      case "sub":
        return this.sum(da, db, true);
      case "mul":
        return this.sum(this.scaled(da, b), this.scaled(db, a));
      case "div": {
        const per = g.apply("div", 1, b);
        return this.sum(this.scaled(da, per), this.scaled(db, this.times(node, per)), true);
      }
      case "neg":
        return this.scaled(da, -1);
      case "sqrt":
        // At the tip of a cone the mean of all slopes.
        return this.scaled(da, g.select(g.compare("eq", node, 0), 0, g.apply("div", 0.5, node)));
      case "abs":
        return this.scaled(da, g.select(g.compare("lt", a, 0), -1, 1));
      case "min":
        return this.choice(g.compare("lt", b, a), db, da, g.newBranch());
      case "max":
        return this.choice(g.compare("lt", a, b), db, da, g.newBranch());
      case "select":
        return this.choice(a, of[1], of[2], this.branchFor(node.branch as Branch));
      case "call": {
        const partial = RULES[node.name as string](g, args, node);
        return of.map((s, i) => this.scaled(s, partial[i])).reduce((x, y) => this.sum(x, y));
      }
      default:
        return NONE;
    }
  }

  /** Written out. */
  all({ scale, base }: Slopes): [number, Value][] {
    return [...base].map(([key, value]) => [key, this.times(scale, value)]);
  }

  private branchFor(old: Branch): Branch {
    const known = this.branches.get(old) ?? this.g.newBranch();
    this.branches.set(old, known);
    return known;
  }

  private scaled(s: Slopes, factor: Value): Slopes {
    return s === NONE || factor === 0 ? NONE : { scale: this.times(s.scale, factor), base: s.base };
  }

  private sum(s: Slopes, t: Slopes, isMinus = false): Slopes {
    const combine = (u: Value, v: Value) => (isMinus ? this.minus(u, v) : this.plus(u, v));
    if (t === NONE) return s;
    if (s === NONE) return isMinus ? this.scaled(t, -1) : t;
    return this.merged(s, t, combine);
  }

  private choice(condition: Truth, s: Slopes, t: Slopes, branch: Branch): Slopes {
    // Written out, because a side that is not taken may be infinite, and no factor makes that zero.
    return this.merged(s, t, (u, v) => this.g.select(condition, u, v, branch));
  }

  private merged(s: Slopes, t: Slopes, combine: (u: Value, v: Value) => Value): Slopes {
    if (s.base === t.base) return { scale: combine(s.scale, t.scale), base: s.base };
    const [a, b] = [new Map(this.all(s)), new Map(this.all(t))];
    const base = new Map<number, Value>();
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const value = combine(a.get(key) ?? 0, b.get(key) ?? 0);
      if (value !== 0) base.set(key, value);
    }
    return { scale: 1, base };
  }

  private plus(u: Value, v: Value): Value {
    return u === 0 ? v : v === 0 ? u : this.g.apply("add", u, v);
  }
  private minus(u: Value, v: Value): Value {
    return v === 0 ? u : u === 0 ? this.g.apply("neg", v) : this.g.apply("sub", u, v);
  }
  private times(u: Value, v: Value): Value {
    if (u === 0 || v === 0) return 0;
    if (u === -1 || v === -1) return this.g.apply("neg", u === -1 ? v : u);
    return this.g.apply("mul", u, v);
  }
}
