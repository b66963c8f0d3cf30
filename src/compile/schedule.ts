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
  /** How often a node is used. */
  usesOf(node: Node): number;
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
function costOf({ op }: Node): number {
  return op === "constant" || op === "input" ? 0 : op === "div" || op === "sqrt" ? 4 : 1;
}

/** A side cheaper than `worth` is not worth a jump. Leaves are there already: they are not computed, nor what they are made of. */
export function schedule(
  graph: Graph,
  roots: readonly Node[],
  worth: number,
  isLeaf: (node: Node) => boolean,
): Schedule {
  const nodes = reachable(graph, roots, isLeaf).filter((node) => !isLeaf(node));
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
    const placed = place(inOrder(nodes, groups, flat, isLeaf), roots, groups);
    const before = flat.size;
    // From the inside out: a fork that holds another one is judged when that one is settled.
    flatten(placed.root, worth, flat);
    if (flat.size === before) return placed;
  }
}

/** A node, or all selects of a branch, which are computed together. */
type Unit = Node | Branch;
const isNode = (unit: Unit): unit is Node => "op" in unit;

/**
 * Units, each after all that it needs, and else as in the source. Where selects of a branch need each other they cannot be computed together: the branch
 * is flattened.
 */
function inOrder(
  nodes: readonly Node[],
  groups: ReadonlyMap<Branch, readonly Node[]>,
  flat: Set<Branch>,
  isLeaf: (node: Node) => boolean,
): Unit[] {
  const unitOf = (node: Node): Unit => {
    const branch = node.op === "select" ? (node.branch as Branch) : undefined;
    return branch === undefined || flat.has(branch) ? node : branch;
  };
  const needsOf = (unit: Unit): Unit[] => {
    const all = isNode(unit) ? [unit] : (groups.get(unit) as readonly Node[]);
    return all.flatMap((node) => node.args.filter((arg) => !isLeaf(arg)).map(unitOf));
  };
  const order: Unit[] = [];
  const state = new Map<Unit, "open" | "done">();
  // By hand, because graphs are deeper than the stack.
  const way: { readonly unit: Unit; readonly needs: Unit[] }[] = [];
  const visit = (unit: Unit) => {
    state.set(unit, "open");
    way.push({ unit, needs: needsOf(unit).reverse() });
  };
  for (const node of nodes) {
    if (state.has(unitOf(node))) continue;
    visit(unitOf(node));
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) {
      const next = top.needs.pop();
      if (next === undefined) {
        state.set(top.unit, "done");
        order.push(top.unit);
        way.pop();
      } else if (state.get(next) === "open") {
        const circle = way.slice(way.findIndex(({ unit }) => unit === next)).map(({ unit }) => unit);
        flat.add(circle.find((unit) => !isNode(unit)) as Branch);
        return inOrder(nodes, groups, flat, isLeaf);
      } else if (!state.has(next)) visit(next);
    }
  }
  return order;
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
  order: readonly Unit[],
  roots: readonly Node[],
  groups: ReadonlyMap<Branch, readonly Node[]>,
): Schedule {
  const root: Region = { depth: 0, items: [] };
  const regionOf = new Map<Node, Region>();
  const uses = new Map<Node, number>();
  const use = (node: Node, region: Region) => {
    uses.set(node, (uses.get(node) ?? 0) + 1);
    regionOf.set(node, common(regionOf.get(node), region));
  };
  for (const node of roots) use(node, root);
  const forks = new Map<Branch, Fork & { readonly region: Region }>();
  for (let i = order.length - 1; i >= 0; i--) {
    const unit = order[i];
    if (isNode(unit)) {
      for (const arg of unit.args) use(arg, regionOf.get(unit) as Region);
      continue;
    }
    const selects = groups.get(unit) as readonly Node[];
    const region = selects.map((s) => regionOf.get(s) as Region).reduce(common);
    const condition = selects[0].args[0];
    const fork = { condition, selects, yes: child(region), no: child(region), region };
    forks.set(unit, fork);
    use(condition, region);
    for (const select of selects) {
      regionOf.set(select, region);
      use(select.args[1], fork.yes);
      use(select.args[2], fork.no);
    }
  }
  for (const unit of order) {
    if (isNode(unit)) (regionOf.get(unit) as Region).items.push(unit);
    else {
      const fork = forks.get(unit) as Fork & { readonly region: Region };
      fork.region.items.push(fork);
    }
  }
  return { root, usesOf: (node) => uses.get(node) ?? 0 };
}
