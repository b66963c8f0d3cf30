/**
 * Exact derivatives of a graph's roots by its inputs, as nodes of the same graph: forward from the inputs or backward from the roots,
 * whichever takes fewer operations. Zeros are left out from the start: what is missing is zero for every state, which gives the pattern.
 */
import { backward } from "./backward.ts";
import { reachable } from "./expand.ts";
import { forward } from "./forward.ts";
import type { Graph, Node } from "./graph.ts";

/** One derivative that is not always zero: of root `row` by seed `column`. */
export interface Entry {
  readonly row: number;
  readonly column: number;
  readonly node: Node;
}

export function differentiate(graph: Graph, roots: readonly Node[], seeds: readonly Node[]): Entry[] {
  const [a, b] = [forward, backward].map((way) => {
    const entries = way(graph, roots, seeds);
    const size = reachable(
      graph,
      entries.map(({ node }) => node),
    ).length;
    return { entries, size };
  });
  return (b.size < a.size ? b : a).entries;
}
