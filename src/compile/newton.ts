/**
 * A step of radau as a WebAssembly kernel for one vehicle: the derivatives of its three stages in lanes side by side, and integrators/newton.ts
 * around them, followed like the equations. What each state has for itself is done for four states at once; the linear systems are followed
 * with the loops of this Jacobian's pattern, so that nothing is left of its zeros.
 */
import { G, SCALARS, START, VECTORS, VERDICT, Z } from "../integrators/newton.ts";
import { memoryLayout } from "../integrators/radau.ts";
import { ShiftedSystem } from "../math/block-triangular.ts";
import type { Model } from "../model/model.ts";
import { emitKernel, type Lanes, type MemoryMap, type MemorySlot, VECTOR } from "./emit-kernel.ts";
import { expand } from "./expand.ts";
import { Graph, type InputRef } from "./graph.ts";
import { Interpreter } from "./interpreter.ts";
import { LANES } from "./kernel.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import { type Addresses, FACTORS, type NewtonCode } from "./newton-kernel.ts";
import { SOURCES } from "./sources.generated.ts";
import type { TracedModel } from "./trace.ts";
import { type Closure, Numbers } from "./values.ts";
import { Bytes, type Code, FIRSTS, moduleOf, OP, SECONDS, SIMD } from "./wasm.ts";

/** For vehicles with the same graph; `parameters` are those of one of them. */
export function newtonModule(
  model: Model,
  { graph, rates }: TracedModel,
  pattern: Uint8Array,
  parameters: unknown,
): NewtonCode {
  const n = model.states.length;
  const expanded = expand(graph, rates);
  const layout = new Layout(LANES, expanded.graph, expanded.roots, parameters, lengthsOf(model));
  const derivative = emitKernel(
    expanded.graph,
    POINTERS,
    expanded.roots.map((root, i) => [{ pointer: OUT, offset: layout.stride * i }, root]),
    layout,
  );
  const own = memoryLayout(n);
  const fields = model.environment.length;
  const reserve = room(layout.constantSize);
  const at = {
    vehicle: reserve(layout.size / 8),
    stages: reserve(LANES * own.row),
    slopes: reserve(LANES * own.row),
    around: reserve(LANES * fields),
    numbers: reserve(own.size),
    ...(Object.fromEntries(FACTORS.map((name) => [name, reserve(n * n)])) as Record<
      (typeof FACTORS)[number],
      number
    >),
    constants: reserve(0),
  };
  const { functions, constants } = new RadauCode(new ShiftedSystem(n, pattern), n, at);
  return {
    module: moduleOf([derivative, ...functions]),
    initialisation: layout.initialisation,
    constants,
    shape: {
      states: n,
      fields,
      at,
      inputs: at.vehicle + layout.inputs,
      boundaries: at.vehicle + layout.boundaries,
    },
  };
}

/** Hands out memory, vectors aligned. */
function room(from: number): (numbers: number) => number {
  let next = from;
  return (numbers) => {
    const at = next;
    next += VECTOR * Math.ceil(numbers / 2);
    return at;
  };
}

class RadauCode {
  readonly constants: number[] = [];
  /** From function 1 on; 0 is the derivative. */
  readonly functions: Code[] = [];
  private readonly at: Addresses;
  private readonly n: number;
  private readonly row: number;
  private readonly block: number;

  constructor(system: ShiftedSystem, n: number, at: Addresses) {
    const { row, block } = memoryLayout(n);
    this.at = at;
    this.n = n;
    this.row = row;
    this.block = at.numbers + 8 * block;
    const open = this.alone("open", (s) => [s]);
    const judge = this.alone("judge", (s, numbers) => [s, numbers, row, n]);
    const solveBlocks = this.alone("solveBlocks", (_s, numbers, factors) => [
      {
        ...{ order: [...system.order], starts: [...system.starts] },
        ...{ couplingStarts: [...system.couplingStarts], columns: [...system.columns] },
        ...factors,
        rhs: new Numbers(new Array(3 * n).fill(0)),
      },
      numbers,
      row,
    ]);
    const guess = this.each("guess", (s, numbers) => [s, numbers, 1]);
    const residuals = this.each("residuals", (s, numbers) => [s, numbers, 1]);
    const applyChange = this.each("applyChange", (_s, numbers) => [numbers, 1]);
    const accept = this.each("accept", (_s, numbers) => [numbers, 1]);
    const code = new Bytes();
    const call = (f: number) => code.byte(OP.call).unsigned(f);
    const callEach = (f: number) => {
      for (let i = 0; i < row; i += LANES) {
        code.i32(8 * i);
        call(f);
      }
    };
    call(open);
    callEach(guess);
    code.byte(OP.loop, OP.nothing);
    this.formStages(code);
    code.i32(at.stages).i32(at.slopes).i32(at.vehicle).i32(at.around);
    call(0);
    this.sortSlopes(code);
    callEach(residuals);
    call(solveBlocks);
    callEach(applyChange);
    call(judge);
    code
      .i32(0)
      .byte(OP.i64Load, 3)
      .unsigned(at.numbers + 8 * VERDICT);
    code.byte(OP.i64Eqz, OP.branchIf).unsigned(0).byte(OP.end);
    this.add({ parameters: 0, vectors: 2, body: code.list, exported: "solve" });
    const last = new Bytes();
    for (let i = 0; i < row; i += LANES)
      last
        .i32(8 * i)
        .byte(OP.call)
        .unsigned(accept);
    this.add({ parameters: 0, vectors: 0, body: last.list, exported: "accept" });
  }

  private add(code: Code): number {
    return this.functions.push(code);
  }

  /** A function of integrators/newton.ts on all numbers. */
  private alone(name: string, argumentsOf: ArgumentsOf): number {
    const { at } = this;
    return this.follow(name, 1, VECTORS * this.row, argumentsOf, ({ array, path }) => {
      const i = path[0] as number;
      if (array === "s") return { offset: at.numbers + 8 * i };
      if (array === "block") return { offset: this.block + 8 * i };
      return { offset: at[array as (typeof FACTORS)[number]] + 8 * i };
    });
  }

  /** The same on four states side by side, whose place in every vector its argument tells. */
  private each(name: string, argumentsOf: ArgumentsOf): number {
    return this.follow(name, LANES, VECTORS, argumentsOf, ({ array, path }) => {
      const i = path[0] as number;
      if (array === "s") return { offset: this.at.numbers + 8 * i };
      return { pointer: 0, offset: this.block + 8 * this.row * i };
    });
  }

  private follow(
    name: string,
    lanes: Lanes,
    length: number,
    argumentsOf: ArgumentsOf,
    addressOf: (source: InputRef) => MemorySlot,
  ): number {
    const graph = new Graph();
    const interpreter = new Interpreter(graph, SOURCES, {});
    const list = (array: string, count: number) =>
      new Numbers(Array.from({ length: count }, (_, i) => graph.input({ array, path: [i] }, false)));
    const lists = { s: list("s", SCALARS), block: list("block", length) };
    const factors = Object.fromEntries(FACTORS.map((factor) => [factor, list(factor, this.n * this.n)]));
    const before = Object.values(lists).flatMap(({ cells }) => [...cells]);
    const closure = interpreter.imported("integrators/newton.ts", name) as Closure;
    interpreter.call(closure, argumentsOf(lists.s, lists.block, factors));
    const after = Object.values(lists).flatMap(({ cells }) => cells);
    const written = after.flatMap((value, i) => {
      const input = graph.node(before[i]);
      return value === input ? [] : [[addressOf(input.source as InputRef), graph.node(value)] as const];
    });
    const memory: MemoryMap = {
      lanes,
      constant: (value) => this.constant(value),
      placeOf: (node) => {
        if (node.isConstant) return this.constant(node.value);
        return node.op === "input" ? addressOf(node.source as InputRef) : undefined;
      },
      list() {
        throw new Error("no tables here");
      },
    };
    return this.add(emitKernel(graph, lanes === 1 ? 0 : 1, written, memory, true));
  }

  private constant(value: number): MemorySlot {
    let at = this.constants.findIndex((c) => Object.is(c, value));
    if (at < 0) at = this.constants.push(value) - 1;
    return { offset: this.at.constants + 8 * at };
  }

  /** Stages start + increment, from two states side by side to stages side by side, the last one twice. */
  private formStages(code: Bytes): void {
    const { at, row, block } = this;
    const load = (vector: number, i: number) =>
      code.i32(0).memory(SIMD.load, 3, block + 8 * (vector * row + i));
    for (let i = 0; i < row; i += 2) {
      const to = at.stages + 8 * LANES * i;
      const store = (offset: number, a: () => void, b: () => void, lanes: readonly number[]) => {
        code.i32(0);
        a();
        b();
        code
          .simd(SIMD.shuffle)
          .byte(...lanes)
          .memory(SIMD.store, 3, to + offset);
      };
      for (const [k, local] of [
        [0, 0],
        [1, 1],
      ]) {
        load(START, i);
        load(Z + k, i);
        code.simd(SIMD.add).set(local);
      }
      const first = () => code.get(0);
      const second = () => code.get(1);
      store(0, first, second, FIRSTS);
      store(8 * LANES, first, second, SECONDS);
      load(START, i);
      load(Z + 2, i);
      code.simd(SIMD.add).set(0);
      store(VECTOR, first, first, FIRSTS);
      store(8 * LANES + VECTOR, first, first, SECONDS);
    }
  }

  /** Derivatives of the stages, from stages side by side to states side by side. */
  private sortSlopes(code: Bytes): void {
    const { at, row, block } = this;
    for (let i = 0; i < row; i += 2) {
      const from = at.slopes + 8 * LANES * i;
      for (const [k, offset, lanes] of [
        [0, 0, FIRSTS],
        [1, 0, SECONDS],
        [2, VECTOR, FIRSTS],
      ] as const) {
        code.i32(0);
        code.i32(0).memory(SIMD.load, 3, from + offset);
        code.i32(0).memory(SIMD.load, 3, from + 8 * LANES + offset);
        code.simd(SIMD.shuffle).byte(...lanes);
        code.memory(SIMD.store, 3, block + 8 * ((G + k) * row + i));
      }
    }
  }
}

type ArgumentsOf = (s: Numbers, block: Numbers, factors: Readonly<Record<string, Numbers>>) => unknown[];
