/** Normal random numbers of a stream by a WebAssembly kernel, four at a time, with the bits of math/random.ts. */
import { drawNormalsBy, ROTATIONS } from "../math/random.ts";
import { emitKernel, type MemoryMap, type MemorySlot, VECTOR } from "./emit-kernel.ts";
import { expand } from "./expand.ts";
import { Graph, type InputRef, type Node } from "./graph.ts";
import { Interpreter } from "./interpreter.ts";
import { hasVectors, kernelOf, LANES } from "./kernel.ts";
import { SOURCES } from "./sources.generated.ts";
import type { Closure } from "./values.ts";
import { Bytes, type Code, OP, SIMD } from "./wasm.ts";

/** Numbers that a call can give. */
const MOST = 1024;

let isDone = false;

/** From here on streams draw by the kernel, where the engine supports it. */
export function useNormalsKernel(): void {
  if (isDone || !hasVectors()) return;
  isDone = true;
  const constants: number[] = [];
  const constant = (value: number): MemorySlot => {
    let at = constants.findIndex((c) => Object.is(c, value));
    if (at < 0) at = constants.push(value) - 1;
    return { offset: 8 * at };
  };
  const box = boxCode(constant);
  // Constants, the two words of each lane as doubles, results.
  const words = VECTOR * Math.ceil(constants.length / 2);
  const out = words + 2 * 8 * LANES;
  const { memory, calls } = kernelOf([box, drawCode(words)], out + 8 * MOST);
  memory.set(constants);
  const results = memory.subarray(out / 8, out / 8 + MOST);
  drawNormalsBy((k0, k1, from, into) => {
    const count = Math.min(MOST, into.length);
    calls.draw(k0, k1, (k0 ^ k1 ^ 0x1bd11bda) | 0, from, out, LANES * Math.ceil(count / LANES));
    for (let i = 0; i < count; i++) into[i] = results[i];
  });
}

/** `boxMuller` of four pairs of words. */
function boxCode(constant: (value: number) => MemorySlot): Code {
  const graph = new Graph();
  const interpreter = new Interpreter(graph, SOURCES, {});
  const word = (i: number) => graph.input({ array: "word", path: [i] }, false);
  const normal = interpreter.call(interpreter.imported("math/random.ts", "boxMuller") as Closure, [
    word(0),
    word(1),
  ]) as Node;
  const whole = expand(graph, [normal]);
  const memory: MemoryMap = {
    lanes: LANES,
    constant,
    placeOf(node) {
      if (node.isConstant) return constant(node.value);
      if (node.op !== "input") return undefined;
      return { pointer: 0, offset: 8 * LANES * ((node.source as InputRef).path[0] as number) };
    },
    list() {
      throw new Error("no tables here");
    },
  };
  return emitKernel(whole.graph, 2, [[{ pointer: 1, offset: 0 }, whole.roots[0]]], memory);
}

const [K0, K1, K2, FROM, TO, LEFT, X0, X1] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Threefry of four counters side by side, then `boxMuller`, until none are left. */
function drawCode(words: number): Code {
  const code = new Bytes();
  const add = () => code.simd(SIMD.i32x4Add);
  const key = (k: number) => code.get([K0, K1, K2][k % 3]).simd(SIMD.splatI32);
  code.byte(OP.loop, OP.nothing);
  code.get(FROM).simd(SIMD.splatI32).simd(SIMD.const);
  code.byte(0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
  add();
  key(0);
  add().set(X0);
  key(1).set(X1);
  for (let round = 0; round < 20; round++) {
    const turn = ROTATIONS[round % 8];
    code.get(X0).get(X1);
    add().set(X0);
    code.get(X1).i32(turn).simd(SIMD.i32x4Shl);
    code
      .get(X1)
      .i32(32 - turn)
      .simd(SIMD.i32x4ShrU);
    code.simd(SIMD.or).get(X0).simd(SIMD.xor).set(X1);
    if (round % 4 !== 3) continue;
    const s = (round + 1) / 4;
    code.get(X0);
    key(s);
    add().set(X0);
    code.get(X1);
    key(s + 1);
    add().i32(s).simd(SIMD.splatI32);
    add().set(X1);
  }
  // Unsigned words as doubles: the lower two, then the upper two moved down.
  const upper = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
  for (const [word, from] of [X0, X1].entries()) {
    const at = words + 8 * LANES * word;
    code.i32(0).get(from).simd(SIMD.convertLowU).memory(SIMD.store, 3, at);
    code
      .i32(0)
      .get(from)
      .get(from)
      .simd(SIMD.shuffle)
      .byte(...upper);
    code.simd(SIMD.convertLowU).memory(SIMD.store, 3, at + VECTOR);
  }
  code.i32(words).get(TO).byte(OP.call).unsigned(0);
  const step = (local: number, by: number) => code.get(local).i32(by).byte(OP.i32Add).set(local);
  step(FROM, LANES);
  step(TO, 8 * LANES);
  step(LEFT, -LANES).get(LEFT).byte(OP.branchIf).unsigned(0).byte(OP.end);
  return { parameters: 6, vectors: 2, body: code.list, exported: "draw" };
}
