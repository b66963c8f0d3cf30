/**
 * Derivatives from each root backward (reverse mode). What a side of a branch contributes is computed as if the side were taken, and
 * chosen where it leaves the branch: so a program can skip it, and infinities on the other side have no effect.
 */
import type { Entry } from "./differentiate.ts";
import type { Branch, Graph, Node, Value } from "./graph.ts";
import { between, choiceOf, partialsOf, plus, times } from "./partials.ts";

/** One side of a branch, within another. */
interface Side {
  readonly outer?: Side;
  readonly depth: number;
  readonly condition: Node;
  readonly isYes: boolean;
  readonly branch: Branch;
}

/** How much the root changes with a node, where this side is taken. */
interface Share {
  readonly side?: Side;
  readonly value: Value;
}

export function backward(graph: Graph, roots: readonly Node[], seeds: readonly Node[]): Entry[] {
  return roots.flatMap((root, row) => {
    const slopes = new Map(sweep(graph, root, seeds).map(([seed, value]) => [seed, value]));
    return seeds.flatMap((seed, column) => {
      const value = slopes.get(seed) ?? 0;
      return value === 0 ? [] : [{ row, column, node: graph.node(value) }];
    });
  });
}

function sweep(graph: Graph, root: Node, seeds: readonly Node[]): [Node, Value][] {
  const ways = between(graph, seeds, [root]);
  const isOnWay = new Set(ways);
  const isSeed = new Set(seeds);
  const shares = new Map<Node, Share[]>([[root, [{ value: 1 }]]]);
  const sides = new Map<string, readonly [yes: Side, no: Side]>();
  const numbers = new Map<Side | undefined, number>([[undefined, 0]]);
  const found: [Node, Value][] = [];
  const give = (to: Node, share: Share) => {
    if (!isOnWay.has(to) || share.value === 0) return;
    const list = shares.get(to);
    if (list === undefined) shares.set(to, [share]);
    else list.push(share);
  };
  for (let i = ways.length - 1; i >= 0; i--) {
    const node = ways[i];
    const list = shares.get(node);
    if (list === undefined) continue;
    if (isSeed.has(node)) {
      found.push([node, gathered(list, undefined)]);
      continue;
    }
    const side = list.map((share) => share.side).reduce(common);
    const value = gathered(list, side);
    const choice = choiceOf(graph, node);
    if (choice) {
      const [yes, no] = sidesOf(choice.condition, node.branch ?? graph.newBranch(), side);
      give(choice.yes, { side: yes, value });
      give(choice.no, { side: no, value });
    } else {
      const partials = partialsOf(graph, node);
      node.args.forEach((arg, k) => {
        if (isOnWay.has(arg)) give(arg, { side, value: times(graph, value, partials[k]) });
      });
    }
  }
  return found;

  /** The same for all selects of a branch. */
  function sidesOf(condition: Node, old: Branch, outer: Side | undefined): readonly [Side, Side] {
    const key = `${old.id} ${condition.id} ${numbers.get(outer)}`;
    let known = sides.get(key);
    if (known === undefined) {
      const shared = { outer, depth: (outer?.depth ?? 0) + 1, condition, branch: graph.newBranch() };
      known = [
        { ...shared, isYes: true },
        { ...shared, isYes: false },
      ];
      for (const side of known) numbers.set(side, numbers.size);
      sides.set(key, known);
    }
    return known;
  }

  /** Shares added up, as seen from a side that holds all of theirs. */
  function gathered(list: readonly Share[], outer: Side | undefined): Value {
    const bySide = new Map<Side | undefined, Value>();
    const add = (side: Side | undefined, value: Value) =>
      bySide.set(side, plus(graph, bySide.get(side) ?? 0, value));
    for (const { side, value } of list) add(side, value);
    for (;;) {
      // The innermost first: what it chooses is a share of the side around it.
      let deepest: Side | undefined;
      for (const side of bySide.keys())
        if (side !== outer && side !== undefined && side.depth > (deepest?.depth ?? 0)) deepest = side;
      if (deepest === undefined) return bySide.get(outer) ?? 0;
      const { condition, branch, outer: around } = deepest;
      const pair = [...bySide].filter(([side]) => side?.branch === branch);
      const of = (isYes: boolean) => pair.find(([side]) => side?.isYes === isYes)?.[1] ?? 0;
      for (const [side] of pair) bySide.delete(side);
      add(around, graph.select(condition, of(true), of(false), branch));
    }
  }
}

function common(a: Side | undefined, b: Side | undefined): Side | undefined {
  while (a !== b)
    if ((a?.depth ?? 0) >= (b?.depth ?? 0)) a = a?.outer;
    else b = b?.outer;
  return a;
}
