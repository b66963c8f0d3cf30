/**
 * Where the numbers of kernels lie in memory. Constants first, from address 0 on; then a block of all that vehicles have of their own:
 * inputs, environment and whatever follows from parameters alone, which is computed once for each vehicle and not in every call. Lanes
 * lie side by side, number by number.
 */
import { environmentLength } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import type { Lanes, MemoryMap, MemorySlot } from "./emit-kernel.ts";
import { read } from "./evaluate.ts";
import { reachable } from "./expand.ts";
import type { Graph, InputRef, Node } from "./graph.ts";
import { Initialisation, keyOf } from "./initialisation.ts";

/** Pointers of every kernel: states, results, block, and the part of the environment that changes from instant to instant. */
export const POINTERS = 4;
export const X = 0;
export const OUT = 1;
export const BLOCK = 2;
export const AROUND = 3;

/** How many numbers u and e have, and how many of e change from instant to instant; the others are boundaries. */
export interface Lengths {
  readonly u: number;
  readonly e: number;
  readonly fields: number;
}
export const lengthsOf = (model: Model): Lengths => ({
  u: model.inputs.length,
  e: environmentLength(model),
  fields: model.environment.length,
});

export class Layout implements MemoryMap {
  readonly lanes: Lanes;
  /** Bytes from one number to the next. */
  readonly stride: number;
  /** Bytes of a block. */
  size = 0;
  readonly initialisation: Initialisation;
  private readonly constantPlaces = new Map<number | "-0", MemorySlot>();
  private readonly places = new Map<Node, MemorySlot | undefined>();
  private readonly fields: number;
  /** Places of u and of the boundaries in a block. */
  readonly inputs: number;
  readonly boundaries: number;

  /** For kernels of these roots; u and e have so many numbers. */
  constructor(lanes: Lanes, graph: Graph, roots: readonly Node[], parameters: unknown, lengths: Lengths) {
    this.lanes = lanes;
    this.stride = 8 * lanes;
    this.initialisation = new Initialisation(lanes);
    this.fields = lengths.fields;
    this.inputs = this.reserve(lengths.u);
    this.boundaries = this.reserve(lengths.e - lengths.fields);
    const { prepared, lists } = this.initialisation;
    const nodes = reachable(graph, roots);
    for (const node of preparable(nodes, roots)) prepared.set(node, this.reserve(1));
    for (const { op, source } of nodes)
      if (op === "lookup" && !lists.has(keyOf(source as InputRef))) {
        const { length } = read({ p: parameters }, source as InputRef) as ArrayLike<number>;
        lists.set(keyOf(source as InputRef), {
          source: source as InputRef,
          offset: this.reserve(length),
          length,
        });
      }
  }

  /** Room for so many numbers in every block: how many bytes behind its beginning. */
  reserve(numbers: number): number {
    const offset = this.size;
    this.size += numbers * this.stride;
    return offset;
  }

  /** Bytes of the constants: the first block begins behind them. */
  get constantSize(): number {
    return 64 * Math.ceil((8 * this.initialisation.constants.length) / 64);
  }

  placeOf(node: Node): MemorySlot | undefined {
    if (!this.places.has(node)) this.places.set(node, this.find(node));
    return this.places.get(node);
  }
  private find(node: Node): MemorySlot | undefined {
    if (node.isConstant) return this.constant(node.value);
    const prepared = this.initialisation.prepared.get(node);
    if (prepared !== undefined) return { pointer: BLOCK, offset: prepared };
    if (node.op !== "input") return undefined;
    const { array, path } = node.source as InputRef;
    const i = path[0] as number;
    const offset = this.stride * i;
    if (array === "x") return { pointer: X, offset };
    if (array === "u") return { pointer: BLOCK, offset: this.inputs + offset };
    if (i < this.fields) return { pointer: AROUND, offset };
    return { pointer: BLOCK, offset: this.boundaries + this.stride * (i - this.fields) };
  }

  constant(value: number): MemorySlot {
    const key = Object.is(value, -0) ? "-0" : value;
    let place = this.constantPlaces.get(key);
    if (place === undefined) {
      place = { offset: 8 * (this.initialisation.constants.push(value) - 1) };
      this.constantPlaces.set(key, place);
    }
    return place;
  }

  list(source: InputRef): MemorySlot & { readonly length: number } {
    const { offset, length } = this.initialisation.lists.get(keyOf(source)) as {
      offset: number;
      length: number;
    };
    return { pointer: BLOCK, offset, length };
  }
}

/** Numbers made of parameters alone that others, or nobody, need in every call. */
function preparable(nodes: readonly Node[], roots: readonly Node[]): Set<Node> {
  const isOfParameters = new Map<Node, boolean>();
  const found = new Set<Node>();
  const isWanted = (node: Node) => isOfParameters.get(node) === true && !node.isConstant && !node.isTruth;
  for (const node of nodes) {
    const { op, args, source } = node;
    const isOf =
      op === "input" ? source?.array === "p" : op !== "lookup" && args.every((a) => isOfParameters.get(a));
    isOfParameters.set(node, isOf);
    if (!isOf || node.isTruth) for (const arg of args) if (isWanted(arg)) found.add(arg);
  }
  for (const root of roots) if (isWanted(root)) found.add(root);
  return found;
}
