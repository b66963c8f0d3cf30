/** Initial content of a kernel's memory: constants, and values computed from parameters. */
import type { Lanes } from "./emit-kernel.ts";
import { evaluator, read } from "./evaluate.ts";
import type { InputRef, Node } from "./graph.ts";

export const keyOf = ({ array, path }: InputRef) => `${array}.${path.join(".")}`;

export class Initialisation {
  readonly constants: number[] = [];
  /** Computed from parameters, and the places of the results in a block. */
  readonly prepared = new Map<Node, number>();
  /** By their sources. */
  readonly lists = new Map<
    string,
    { readonly source: InputRef; readonly offset: number; readonly length: number }
  >();
  private readonly lanes: Lanes;

  constructor(lanes: Lanes) {
    this.lanes = lanes;
  }

  /** Writes the constants. */
  begin(memory: Float64Array): void {
    memory.set(this.constants);
  }

  /** Writes what follows from a vehicle's parameters into its lane of the block at this address. */
  prepare(memory: Float64Array, block: number, lane: number, parameters: unknown): void {
    const put = (offset: number, i: number, value: number) => {
      memory[(block + offset) / 8 + i * this.lanes + lane] = value;
    };
    const compute = evaluator({ p: parameters });
    for (const [node, offset] of this.prepared) put(offset, 0, compute(node) as number);
    for (const { source, offset, length } of this.lists.values()) {
      const list = read({ p: parameters }, source) as ArrayLike<number>;
      for (let i = 0; i < length; i++) put(offset, i, list[i]);
    }
  }
}
