/**
 * Where each node of a graph is computed: as far inside the branches of the source as all its users allow, so that a program can jump
 * over what the side taken does not need (Click, "Global code motion, global value numbering", PLDI 1995). Branches that save little
 * are flattened: both sides are computed and one is selected.
 */
import { reachable } from "./expand.ts";
import type { Branch, Graph, Node } from "./graph.ts";

export interface Region {
  readonly parent?: Region;
  readonly depth: number;
  /** In the order in which they are computed. */
  readonly items: (Node | Fork)[];
}

/** An `if`: nodes of which one side or the other is needed. */
export interface Fork {
  readonly condition: Node;
  readonly selects: readonly Node[];
  readonly yes: Region;
  readonly no: Region;
}
export const isFork = (item: Node | Fork): item is Fork => "selects" in item;

export interface Schedule {
  readonly root: Region;
  /** How often each node is used, by id. */
  readonly uses: Uint32Array;
  readonly regionOf: ReadonlyMap<Node, Region>;
}

const child = (parent: Region): Region => ({ parent, depth: parent.depth + 1, items: [] });

function common(a: Region | undefined, b: Region): Region {
  if (a === undefined) return b;
  let [x, y] = [a, b];
  while (x !== y)
    if (x.depth >= y.depth) x = x.parent as Region;
    else y = y.parent as Region;
  return x;
}

/** What a node costs, in additions. */
export function costOf({ op }: Node): number {
  return op === "constant" || op === "input" ? 0 : op === "div" || op === "sqrt" ? 4 : 1;
}

/** A side cheaper than `worth` is not worth a jump. */
export function schedule(graph: Graph, roots: readonly Node[], worth: number): Schedule {
  const nodes = reachable(graph, roots);
  const groups = new Map<Branch, Node[]>();
  for (const node of nodes)
    if (node.op === "select") {
      const branch = node.branch as Branch;
      const group = groups.get(branch);
      if (group === undefined) groups.set(branch, [node]);
      else group.push(node);
    }
  const flat = new Set<Branch>();
  for (;;) {
    const placed = place(nodes, roots, groups, flat);
    const before = flat.size;
    // From the inside out: a fork that holds another one is judged when that one is settled.
    flatten(placed.root, worth, flat);
    if (flat.size === before) return placed;
  }
}

function flatten(region: Region, worth: number, flat: Set<Branch>): number {
  let cost = 0;
  for (const item of region.items)
    if (isFork(item)) {
      const sides = [flatten(item.yes, worth, flat), flatten(item.no, worth, flat)];
      cost += Math.max(...sides) + 1;
      if (Math.max(...sides) < worth) flat.add(item.selects[0].branch as Branch);
    } else cost += costOf(item);
  return cost;
}

function place(
  nodes: readonly Node[],
  roots: readonly Node[],
  groups: ReadonlyMap<Branch, readonly Node[]>,
  flat: ReadonlySet<Branch>,
): Schedule {
  const root: Region = { depth: 0, items: [] };
  const regionOf = new Map<Node, Region>();
  const uses = new Uint32Array(nodes.length === 0 ? 0 : nodes[nodes.length - 1].id + 1);
  const use = (node: Node, region: Region) => {
    uses[node.id]++;
    regionOf.set(node, common(regionOf.get(node), region));
  };
  for (const node of roots) use(node, root);
  const forks = new Map<Branch, Fork & { readonly region: Region }>();
  for (let i = nodes.length - 1; i >= 0; i--) {
    const node = nodes[i];
    const branch = node.op === "select" ? (node.branch as Branch) : undefined;
    if (branch === undefined || flat.has(branch)) {
      for (const arg of node.args) use(arg, regionOf.get(node) as Region);
      continue;
    }
    if (forks.has(branch)) continue;
    const selects = groups.get(branch) as readonly Node[];
    const region = selects.map((s) => regionOf.get(s) as Region).reduce(common);
    const fork = { condition: node.args[0], selects, yes: child(region), no: child(region), region };
    forks.set(branch, fork);
    use(node.args[0], region);
    for (const select of selects) {
      regionOf.set(select, region);
      use(select.args[1], fork.yes);
      use(select.args[2], fork.no);
    }
  }
  const emitted = new Set<Branch>();
  for (const node of nodes) {
    const branch = node.op === "select" ? (node.branch as Branch) : undefined;
    const fork = branch && forks.get(branch);
    if (fork === undefined) (regionOf.get(node) as Region).items.push(node);
    else if (!emitted.has(branch as Branch)) {
      emitted.add(branch as Branch);
      fork.region.items.push(fork);
    }
  }
  return { root, uses, regionOf };
}
