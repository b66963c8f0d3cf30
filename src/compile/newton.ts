/**
 * An iteration of radau as machine code for one vehicle: the three stages' derivatives in lanes side by side, then integrators/newton.ts,
 * followed like the equations with the loops of this Jacobian's pattern, so that nothing is left of its zeros.
 */
import { VECTORS } from "../integrators/radau.ts";
import { type Blocks, ShiftedSystem } from "../math/block-triangular.ts";
import type { Model, NewtonKernel } from "../model/model.ts";
import { kernelOf, type Memory, type Place } from "./emit-kernel.ts";
import { expand } from "./expand.ts";
import { Graph, type Node, type Source, type Value } from "./graph.ts";
import { Interpreter } from "./interpreter.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import type { Lifted } from "./lift.ts";
import { machinesOf } from "./machine.ts";
import { SOURCES } from "./sources.generated.ts";
import { LANES } from "./stepper.ts";
import { type Closure, Numbers } from "./values.ts";
import { Bytes, type Code, OP, SIMD } from "./wasm.ts";

const STAGES = 3;
const DERIVATIVE = 0;
const LINEAR = 1;

/** Lists of a factored system, as inputs of the iteration. */
const FACTORS = ["values", "inverse", "inverseRe", "inverseIm"] as const;

/** Makes kernels of vehicles with the same graph; `parameters` are those of one of them. */
export function newtonKernels(
  model: Model,
  { graph, rates }: Lifted,
  pattern: Uint8Array,
  parameters: unknown,
): (parameters: unknown) => NewtonKernel {
  const n = model.states.length;
  const expanded = expand(graph, rates);
  const layout = new Layout(LANES, expanded.graph, expanded.roots, parameters, lengthsOf(model));
  const derivative = kernelOf(
    expanded.graph,
    POINTERS,
    expanded.roots.map((root, i) => [{ pointer: OUT, offset: layout.stride * i }, root]),
    layout,
  );
  // One after the other: constants and block of the derivative, stages, their derivatives and surroundings, what radau works on.
  const fields = model.environment.length;
  const reserve = room(layout.constantSize);
  const block = reserve(layout.size / 8);
  const stages = reserve(LANES * n);
  const slopes = reserve(LANES * n);
  const around = reserve(LANES * fields);
  const vectors = reserve(VECTORS * n);
  const factors = Object.fromEntries(FACTORS.map((name) => [name, reserve(n * n)]));
  const next = reserve(6 * n);
  const [x, h, change] = [reserve(n), reserve(1), reserve(1)];
  const constants = reserve(0);
  const system = new ShiftedSystem(n, pattern);
  const linear = linearCode(system, n, {
    block: (i) =>
      i < 6 * n || i >= 9 * n
        ? vectors + 8 * i
        : slopes + layout.stride * (i % n) + 8 * Math.floor((i - 6 * n) / n),
    ...Object.fromEntries(FACTORS.map((name) => [name, (i: number) => factors[name] + 8 * i])),
    next: (i) => next + 8 * i,
    h: () => h,
    change: () => change,
    constants: (i) => constants + 8 * i,
  });
  const whole = wholeCode(n, { x, vectors, next, stages, slopes, block, around });
  const machines = machinesOf([derivative, linear.code, whole], constants + 8 * linear.constants.length);
  return (own) => {
    const { memory, calls } = machines();
    layout.begin(memory);
    memory.set(linear.constants, constants / 8);
    for (let lane = 0; lane < LANES; lane++) layout.prepare(memory, block, lane, own);
    const inputs = (block + layout.inputs) / 8;
    const boundaries = (block + layout.boundaries) / 8;
    const surroundings = around / 8;
    const [xAt, hAt, changeAt] = [x / 8, h / 8, change / 8];
    const run = calls.iterate;
    return {
      block: memory.subarray(vectors / 8, vectors / 8 + VECTORS * n),
      take(made: Blocks) {
        for (const name of FACTORS) memory.set(made[name], factors[name] / 8);
      },
      setInputs(u) {
        for (let i = 0, to = inputs; i < u.length; i++, to += LANES) {
          const v = u[i];
          memory[to] = v;
          memory[to + 1] = v;
          memory[to + 2] = v;
          memory[to + 3] = v;
        }
      },
      setSurroundings(stage, e) {
        // The last stage has two lanes.
        for (let lane = stage; lane < LANES; lane++) {
          for (let i = 0; i < fields; i++) memory[surroundings + LANES * i + lane] = e[i];
          for (let i = fields; i < e.length; i++) memory[boundaries + LANES * (i - fields) + lane] = e[i];
        }
      },
      iterate(step, state) {
        for (let i = 0; i < n; i++) memory[xAt + i] = state[i];
        memory[hAt] = step;
        run();
        return memory[changeAt];
      },
    };
  };
}

/** Hands out memory, vectors aligned. */
function room(from: number): (numbers: number) => number {
  let next = from;
  return (numbers) => {
    const at = next;
    next += 16 * Math.ceil(numbers / 2);
    return at;
  };
}

type Addresses = Readonly<Record<string, (i: number) => number>>;

/** From the stages' derivatives to the next stages. */
function linearCode(
  { order, starts, couplingStarts, columns }: ShiftedSystem,
  n: number,
  addressOf: Addresses,
): { readonly code: Code; readonly constants: number[] } {
  const graph = new Graph();
  const interpreter = new Interpreter(graph, SOURCES, {});
  const list = (array: string, length: number) =>
    new Numbers(Array.from({ length }, (_, i): Value => graph.input({ array, path: [i] }, false)));
  const block = list("block", 10 * n);
  const system = {
    ...{ order: [...order], starts: [...starts], couplingStarts: [...couplingStarts], columns: [...columns] },
    ...Object.fromEntries(FACTORS.map((name) => [name, list(name, n * n)])),
    rhs: new Numbers(new Array(3 * n).fill(0)),
  };
  const size = interpreter.call(interpreter.imported("integrators/newton.ts", "iterate") as Closure, [
    system,
    block,
    n,
    graph.input({ array: "h", path: [0] }, false),
  ]) as Node;
  const constants: number[] = [];
  const constant = (value: number): Place => {
    let at = constants.findIndex((c) => Object.is(c, value));
    if (at < 0) at = constants.push(value) - 1;
    return { offset: addressOf.constants(at) };
  };
  const memory: Memory = {
    lanes: 1,
    constant,
    placeOf(node) {
      if (node.isConstant) return constant(node.value);
      if (node.op !== "input") return undefined;
      const { array, path } = node.source as Source;
      return { offset: addressOf[array](path[0] as number) };
    },
    list() {
      throw new Error("no tables here");
    },
  };
  const next = block.cells
    .slice(0, 6 * n)
    .map((v, i) => [{ offset: addressOf.next(i) }, graph.node(v)] as const);
  const code = kernelOf(graph, 0, [...next, [{ offset: addressOf.change(0) }, size]], memory);
  return { code, constants };
}

/** Stages x + z in lanes, the last one twice, their derivatives, and what follows from them. */
function wholeCode(
  n: number,
  at: Readonly<Record<"x" | "vectors" | "next" | "stages" | "slopes" | "block" | "around", number>>,
): Code {
  const code = new Bytes();
  const z = (stage: number, i: number) => at.vectors + 8 * (stage * n + i);
  for (let i = 0; i < n; i++)
    for (const [first, second, half] of [
      [0, 1, 0],
      [STAGES - 1, STAGES - 1, 16],
    ]) {
      code
        .i32(0)
        .i32(0)
        .memory(SIMD.load64Splat, 3, at.x + 8 * i);
      code.i32(0).i32(0).memory(SIMD.load64Zero, 3, z(first, i));
      code.memory(SIMD.load64Lane, 3, z(second, i)).byte(1);
      code.simd(SIMD.add).memory(SIMD.store, 4, at.stages + 8 * LANES * i + half);
    }
  code.i32(at.stages).i32(at.slopes).i32(at.block).i32(at.around);
  code.byte(OP.call).unsigned(DERIVATIVE);
  code.byte(OP.call).unsigned(LINEAR);
  for (let i = 0; i < 6 * n; i += 2)
    code
      .i32(0)
      .i32(0)
      .memory(SIMD.load, 3, at.next + 8 * i)
      .memory(SIMD.store, 3, at.vectors + 8 * i);
  return { parameters: 0, vectors: 0, body: code.list, exported: "iterate" };
}
