/**
 * A graph as a WebAssembly function on vectors of two doubles: each lane a vehicle, with the same operations in the same order as the
 * plain equations, so that each lane has their bits. A branch is taken where any lane needs it; where lanes differ both sides are
 * computed and each lane keeps its own.
 */
import type { Graph, InputRef, Node } from "./graph.ts";
import { NamedLocals } from "./named-locals.ts";
import { type Fork, isFork, type Region, type Schedule, schedule } from "./schedule.ts";
import { type Code, OP, SIMD } from "./wasm.ts";

/** Sides cheaper than this are computed in any case: one vehicle takes its side surely, several may take both. */
const WORTH = { 1: 8, 4: 16 } as const;
/** Bytes of a vector. */
export const VECTOR = 16;

/**
 * How many vehicles at once. Four are two vectors side by side, so that one goes on while the other waits for a result; more
 * would not fit into the registers. One fills both lanes of a vector with the same.
 */
export type Lanes = 1 | 4;

/** Where a number lies, lane by lane: so many bytes behind one of the function's pointers. Without pointer: a constant, for all lanes. */
export interface MemorySlot {
  readonly pointer?: number;
  readonly offset: number;
}

/** What lies in memory when a kernel is called. */
export interface MemoryMap {
  readonly lanes: Lanes;
  /** Of an input, a constant or anything else that was computed before. */
  placeOf(node: Node): MemorySlot | undefined;
  constant(value: number): MemorySlot;
  /** Of a list's first number, and how many there are. */
  list(source: InputRef): MemorySlot & { readonly length: number };
}

const BINARY: Readonly<Record<string, number>> = {
  add: SIMD.add,
  sub: SIMD.sub,
  mul: SIMD.mul,
  div: SIMD.div,
  min: SIMD.min,
  max: SIMD.max,
  lt: SIMD.lt,
  le: SIMD.le,
  eq: SIMD.eq,
  and: SIMD.and,
  or: SIMD.or,
};
const UNARY: Readonly<Record<string, number>> = {
  neg: SIMD.neg,
  abs: SIMD.abs,
  sqrt: SIMD.sqrt,
  floor: SIMD.floor,
  not: SIMD.not,
};

/**
 * A function of `pointers` addresses that writes each root to its place. Where it writes over what it reads, say so: then all is
 * computed before anything is written, which takes more registers. Sides that cost less than `worth` operations are computed in any case.
 */
export function emitKernel(
  graph: Graph,
  pointers: number,
  roots: readonly (readonly [to: MemorySlot, root: Node])[],
  memory: MemoryMap,
  isInPlace = false,
  worth: number = WORTH[memory.lanes],
): Code {
  const plan = schedule(
    graph,
    roots.map(([, root]) => root),
    worth,
    (node) => memory.placeOf(node) !== undefined,
  );
  const writer = new Writer(plan, pointers, memory);
  writer.region(plan.root);
  writer.finish(roots, isInPlace);
  return { parameters: pointers, ...writer.code.numbered() };
}

class Writer {
  readonly code: NamedLocals;
  private nextLocal: number;
  private readonly plan: Schedule;
  private readonly memory: MemoryMap;
  private readonly vectors: number;
  /** The vector that code is made for. */
  private vector = 0;
  /** First local of what was computed or loaded, region within region: what a branch did not do nobody may use behind it. */
  private readonly scopes: Map<Node, number>[] = [new Map()];

  constructor(plan: Schedule, pointers: number, memory: MemoryMap) {
    this.plan = plan;
    this.code = new NamedLocals(pointers);
    this.nextLocal = pointers;
    this.memory = memory;
    this.vectors = memory.lanes === 1 ? 1 : memory.lanes / 2;
  }

  private newLocals(count = this.vectors): number {
    this.nextLocal += count;
    return this.nextLocal - count;
  }
  private keep(node: Node, local: number): void {
    (this.scopes.at(-1) as Map<Node, number>).set(node, local);
  }
  private find(node: Node): number | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const local = this.scopes[i].get(node);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  private each(work: () => void): void {
    for (this.vector = 0; this.vector < this.vectors; this.vector++) work();
    this.vector = 0;
  }

  finish(roots: readonly (readonly [to: MemorySlot, root: Node])[], isInPlace: boolean): void {
    const { code } = this;
    if (isInPlace)
      for (const [, root] of roots) {
        this.compute(root);
        if (this.memory.placeOf(root)) this.loaded(root);
      }
    for (const [to, root] of roots)
      this.each(() => {
        this.pointer(to);
        this.push(root);
        if (this.memory.lanes === 1) code.memory(SIMD.store64Lane, 3, to.offset).byte(0);
        else code.memory(SIMD.store, 3, to.offset + VECTOR * this.vector);
      });
  }

  region({ items }: Region): void {
    for (const item of items)
      if (isFork(item)) this.fork(item);
      else if (this.plan.usesOf(item) > 1) this.compute(item);
  }

  /** Computes a node for all lanes and keeps it. */
  private compute(node: Node): void {
    if (this.find(node) !== undefined || this.memory.placeOf(node) !== undefined) return;
    const local = this.newLocals();
    this.each(() => {
      this.operation(node);
      this.code.set(local + this.vector);
    });
    this.keep(node, local);
  }

  private fork({ condition, selects, yes, no }: Fork): void {
    const { code } = this;
    this.compute(condition);
    const mask = this.find(condition) as number;
    const results = selects.map(() => this.newLocals());
    if (this.memory.lanes === 1) {
      // One vehicle takes one side.
      code.get(mask).simd(SIMD.anyTrue).byte(OP.if, OP.nothing);
      this.side(yes, selects, 1, results);
      code.byte(OP.else);
      this.side(no, selects, 2, results);
      code.byte(OP.end);
    } else this.sides(mask, selects, yes, no, results);
    selects.forEach((s, i) => {
      this.keep(s, results[i]);
    });
  }

  private side(region: Region, selects: readonly Node[], arg: number, results: readonly number[]): void {
    this.scopes.push(new Map());
    this.region(region);
    selects.forEach((s, i) => {
      this.push(s.args[arg]);
      this.code.set(results[i]);
    });
    this.scopes.pop();
  }

  /** Each where any lane takes it. */
  private sides(
    mask: number,
    selects: readonly Node[],
    yes: Region,
    no: Region,
    results: readonly number[],
  ): void {
    const { code, vectors } = this;
    for (const result of results) for (let k = 0; k < vectors; k++) code.setOnOneWay(result + k);
    const isAny = (combined: number, test: () => void) => () => {
      for (let k = 0; k < vectors; k++) {
        code.get(mask + k);
        if (k > 0) code.simd(combined);
      }
      test();
    };
    const sides = [
      { region: yes, arg: 1, isTaken: isAny(SIMD.or, () => code.simd(SIMD.anyTrue)) },
      { region: no, arg: 2, isTaken: isAny(SIMD.and, () => code.simd(SIMD.i64x2AllTrue).byte(OP.i32Eqz)) },
    ];
    // A side that computes nothing needs no jump; it comes first and the other overwrites it.
    if (no.items.length === 0) sides.reverse();
    sides.forEach(({ region, arg, isTaken }, order) => {
      const isJumped = order === 1 || region.items.length > 0;
      if (isJumped) {
        isTaken();
        code.byte(OP.if, OP.nothing);
        this.scopes.push(new Map());
      }
      this.region(region);
      selects.forEach((s, i) => {
        this.each(() => {
          const result = results[i] + this.vector;
          if (order === 0) this.push(s.args[arg]);
          else {
            if (arg === 2) code.get(result);
            this.push(s.args[arg]);
            if (arg === 1) code.get(result);
            code.get(mask + this.vector).simd(SIMD.bitselect);
          }
          code.set(result);
        });
      });
      if (isJumped) {
        this.scopes.pop();
        code.byte(OP.end);
      }
    });
  }

  private pointer({ pointer }: MemorySlot): void {
    if (pointer === undefined) this.code.i32(0);
    else this.code.get(pointer);
  }

  /** Leaves a node's value on the stack. */
  private push(node: Node): void {
    if (this.memory.placeOf(node) !== undefined) {
      const { local, count } = this.loaded(node);
      this.code.get(count === 1 ? local : local + this.vector);
      return;
    }
    const local = this.find(node);
    if (local === undefined) this.operation(node);
    else this.code.get(local + this.vector);
  }

  /** What lies in memory is loaded once: loads keep their order, and what is loaded early only takes up registers. */
  private loaded(node: Node): { readonly local: number; readonly count: number } {
    const place = this.memory.placeOf(node) as MemorySlot;
    const count = place.pointer === undefined ? 1 : this.vectors;
    const known = this.find(node);
    if (known !== undefined) return { local: known, count };
    const local = this.newLocals(count);
    const isSame = place.pointer === undefined || this.memory.lanes === 1;
    for (let k = 0; k < count; k++) {
      this.pointer(place);
      if (isSame) this.code.memory(SIMD.load64Splat, 3, place.offset);
      else this.code.memory(SIMD.load, 3, place.offset + VECTOR * k);
      this.code.set(local + k);
    }
    this.keep(node, local);
    return { local, count };
  }

  private constant(value: number): void {
    this.code.i32(0).memory(SIMD.load64Splat, 3, this.memory.constant(value).offset);
  }

  private operation(node: Node): void {
    const { code } = this;
    const { op, args } = node;
    const [a, b] = args;
    if (op in BINARY) {
      this.push(a);
      this.push(b);
      code.simd(BINARY[op]);
    } else if (op in UNARY) {
      this.push(a);
      code.simd(UNARY[op]);
    } else if (op === "select") this.select(node);
    else if (op === "binaryExponent") this.binaryExponent(a);
    else if (op === "powerOf2") {
      // k + 1023 stands in the last bits of 2^52 + 1023 + k; from there it becomes the exponent.
      this.push(a);
      this.constant(4503599627371519);
      code.simd(SIMD.add).i32(52).simd(SIMD.i64x2Shl);
    } else if (op === "lookup") this.lookup(node);
    else throw new Error(`${op} has no instruction`);
  }

  /** Lane by lane one or the other; some choices are a single instruction. */
  private select({ args: [condition, yes, no] }: Node): void {
    const { code } = this;
    const [p, q] = condition.args;
    const isZero = (n: Node) => n.isConstant && Object.is(n.value, 0);
    if (condition.op === "lt" && ((yes === p && no === q) || (yes === q && no === p))) {
      this.push(no);
      this.push(yes);
      code.simd(yes === p ? SIMD.pmin : SIMD.pmax);
    } else if (isZero(no)) {
      this.push(yes);
      this.push(condition);
      code.simd(SIMD.and);
    } else if (isZero(yes)) {
      this.push(no);
      this.push(condition);
      code.simd(SIMD.andnot);
    } else if (yes.op === "neg" && yes.args[0] === no) {
      this.push(no);
      this.push(condition);
      this.constant(-0);
      code.simd(SIMD.and).simd(SIMD.xor);
    } else {
      this.push(yes);
      this.push(no);
      this.push(condition);
      code.simd(SIMD.bitselect);
    }
  }

  /** As math/bits.ts has it: the high words, rounded at sqrt(2), without mantissa and bias. */
  private binaryExponent(a: Node): void {
    const { code } = this;
    const words = this.newLocals(1);
    this.push(a);
    code
      .i32(0x95f62 - 0x3ff00000)
      .simd(SIMD.splatI32)
      .simd(SIMD.i32x4Add);
    code.i32(20).simd(SIMD.i32x4Shr).set(words).get(words).get(words).simd(SIMD.shuffle);
    code.byte(4, 5, 6, 7, 12, 13, 14, 15, 0, 1, 2, 3, 0, 1, 2, 3).simd(SIMD.convertLow);
  }

  /** Each lane reads at its own place; beyond the list and between its places there is no number. */
  private lookup({ source, args: [index] }: Node): void {
    const { code } = this;
    const list = this.memory.list(source as InputRef);
    const { lanes } = this.memory;
    const places = this.newLocals(1);
    this.push(index);
    code
      .simd(SIMD.truncSatU)
      .i32(list.length - 1)
      .simd(SIMD.splatI32)
      .simd(SIMD.i32x4MinU)
      .set(places);
    const address = (lane: number) => {
      this.pointer(list);
      code.get(places).simd(SIMD.extractI32).byte(lane);
      code.i32(8 * lanes).byte(OP.i32Mul, OP.i32Add);
    };
    if (lanes === 1) {
      address(0);
      code.memory(SIMD.load64Splat, 3, list.offset);
    } else {
      const first = list.offset + VECTOR * this.vector;
      address(1);
      address(0);
      code
        .memory(SIMD.load64Zero, 3, first)
        .memory(SIMD.load64Lane, 3, first + 8)
        .byte(1);
    }
    this.constant(Number.NaN);
    this.push(index);
    code.get(places).simd(SIMD.convertLowU).simd(SIMD.eq).simd(SIMD.bitselect);
  }
}
