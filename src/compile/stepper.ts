/**
 * The classical Runge-Kutta method on several vehicles at once, as machine code: their derivative, `project`, and the sums between the
 * stages, with the bits of integrators/rk4.ts. Surroundings of its start, middle and end lie in memory, so that a step is one call; where
 * they depend on the state each stage is.
 */
import type { Model } from "../model/model.ts";
import { kernelOf, type Lanes, VECTOR } from "./emit-kernel.ts";
import { expand } from "./expand.ts";
import type { Node } from "./graph.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import { type Lifted, lift } from "./lift.ts";
import { type Call, machineOf } from "./machine.ts";
import { Bytes, type Code, OP, SIMD } from "./wasm.ts";

export const LANES: Lanes = 4;
const STAGES = 4;

/** Functions of the module, by their places. */
const DERIVATIVE = 0;
const PROJECT = 1;
const FIRST_STAGE = 2;
/** Which of the three instants of a step each stage is at: its start, middle and end. */
export const INSTANTS = [0, 1, 1, 2];

export class Stepper {
  readonly lifted: Lifted;
  /** Size of the machine code. */
  readonly bytes: number;
  private readonly memory: Float64Array;
  private readonly layout: Layout;
  private readonly block: number;
  private readonly stages: readonly Call[];
  private readonly whole: Call;
  private readonly bare: () => void;
  private readonly fields: number;
  /** Places of lane 0 among the doubles of the memory. */
  private readonly at: {
    readonly x: number;
    readonly s: number;
    readonly k: number;
    readonly h: number;
    readonly u: number;
    readonly e: number;
    readonly boundaries: number;
  };

  constructor(model: Model, parameters: unknown, surroundings: Float64Array) {
    const lifted = lift(model, parameters, surroundings);
    this.lifted = lifted;
    const n = model.states.length;
    const { graph, roots } = expand(lifted.graph, [...lifted.rates, ...lifted.projected]);
    const layout = new Layout(LANES, graph, roots, parameters, lengthsOf(model));
    this.layout = layout;
    this.fields = model.environment.length;
    const write = (list: readonly Node[], isInPlace: boolean) =>
      kernelOf(
        graph,
        POINTERS,
        list.map((root, i) => [{ pointer: OUT, offset: layout.stride * i }, root] as const),
        layout,
        isInPlace,
      );
    const derivative = write(roots.slice(0, n), false);
    const project = write(roots.slice(n), true);
    const [h, x, s, k, e] = [1, n, n, STAGES * n, 3 * this.fields].map((count) => layout.reserve(count));
    const places = { h, x, s, k, e: INSTANTS.map((i) => e + i * this.fields * layout.stride) };
    const stages = [0, 1, 2, 3].map((stage) => stageOf(stage, n, layout, places));
    this.block = layout.constantSize;
    const { memory, calls, bytes } = machineOf(
      [{ ...derivative, exported: "derivative" }, project, ...stages, stepCode()],
      this.block + layout.size,
    );
    this.memory = memory;
    this.bytes = bytes;
    this.stages = [0, 1, 2, 3].map((stage) => calls[`stage${stage}`]);
    this.whole = calls.step;
    this.bare = () => calls.derivative(this.block + x, this.block + k, this.block, this.block + e);
    layout.begin(memory);
    const double = (offset: number) => (this.block + offset) / 8;
    this.at = {
      x: double(x),
      s: double(s),
      k: double(k),
      h: double(h),
      u: double(layout.inputs),
      e: double(e),
      boundaries: double(layout.boundaries),
    };
  }

  setParameters(lane: number, parameters: unknown): void {
    this.layout.prepare(this.memory, this.block, lane, parameters);
  }
  private put(first: number, lane: number, values: Float64Array, count = values.length): void {
    const { memory } = this;
    for (let i = 0, at = first + lane; i < count; i++, at += LANES) memory[at] = values[i];
  }
  private take(first: number, lane: number, out: Float64Array): void {
    const { memory } = this;
    for (let i = 0, at = first + lane; i < out.length; i++, at += LANES) out[i] = memory[at];
  }
  setState(lane: number, x: Float64Array): void {
    this.put(this.at.x, lane, x);
  }
  state(lane: number, out: Float64Array): void {
    this.take(this.at.x, lane, out);
  }
  /** The state that the coming stage is computed at. */
  stageState(stage: number, lane: number, out: Float64Array): void {
    this.take(stage === 0 ? this.at.x : this.at.s, lane, out);
  }
  setInputs(lane: number, u: Float64Array): void {
    this.put(this.at.u, lane, u);
  }
  /** Surroundings at the start, middle or end of the step (0 to 2), without the boundaries. */
  setSurroundings(lane: number, instant: number, e: Float64Array): void {
    this.put(this.at.e + instant * this.fields * LANES, lane, e, this.fields);
  }
  /** From the whole of e. */
  setBoundaries(lane: number, e: Float64Array): void {
    this.put(this.at.boundaries, lane, e.subarray(this.fields));
  }
  setStep(lane: number, h: number): void {
    this.memory[this.at.h + lane] = h;
  }

  /** One of the four stages, 0 to 3, in all lanes; after the last the states are those after the step. */
  stage(stage: number): void {
    this.stages[stage](this.block);
  }

  /** All four, where the surroundings of all three instants are known before. */
  step(): void {
    this.whole(this.block);
  }

  /** The derivative alone, at the start. */
  derivative(): void {
    this.bare();
  }
  rates(lane: number, out: Float64Array): void {
    this.take(this.at.k, lane, out);
  }
}

/** Bytes behind the beginning of a block: step, state, state of the coming stage, four derivatives, surroundings of each stage. */
interface Places {
  readonly h: number;
  readonly x: number;
  readonly s: number;
  readonly k: number;
  readonly e: readonly number[];
}

/** All stages in one call. */
function stepCode(): Code {
  const code = new Bytes();
  for (let stage = 0; stage < STAGES; stage++)
    code
      .get(0)
      .byte(OP.call)
      .unsigned(FIRST_STAGE + stage);
  return { parameters: 1, vectors: 0, body: code.list, exported: "step" };
}

/** A stage: the derivative there, and the state of the next one, in the order of integrators/rk4.ts. */
function stageOf(stage: number, n: number, layout: Layout, { h, x, s, k, e }: Places): Code {
  const code = new Bytes();
  const { stride } = layout;
  const array = (offset: number) => code.get(0).i32(offset).byte(OP.i32Add);
  const load = (offset: number) => code.get(0).memory(SIMD.load, 3, offset);
  const constant = (value: number) => code.i32(0).memory(SIMD.load64Splat, 3, layout.constant(value).offset);
  const kOf = (j: number) => k + j * n * stride;
  array(stage === 0 ? x : s);
  array(kOf(stage));
  code.get(0);
  array(e[stage]);
  code.byte(OP.call).unsigned(DERIVATIVE);
  // One local a vector of lanes: the step, halved or by six.
  const vectors = stride / VECTOR;
  for (let v = 0; v < vectors; v++) {
    const step = 1 + v;
    if (stage < 2) {
      constant(0.5);
      load(h + VECTOR * v);
      code.simd(SIMD.mul);
    } else {
      load(h + VECTOR * v);
      if (stage === 3) {
        constant(6);
        code.simd(SIMD.div);
      }
    }
    code.set(step);
    for (let i = 0; i < n; i++) {
      const at = stride * i + VECTOR * v;
      code.get(0);
      load(x + at);
      code.get(step);
      load((stage === 3 ? kOf(0) : kOf(stage)) + at);
      if (stage === 3) {
        constant(2);
        load(kOf(1) + at);
        load(kOf(2) + at);
        code.simd(SIMD.add).simd(SIMD.mul).simd(SIMD.add);
        load(kOf(3) + at);
        code.simd(SIMD.add);
      }
      code
        .simd(SIMD.mul)
        .simd(SIMD.add)
        .memory(SIMD.store, 3, (stage === 3 ? x : s) + at);
    }
  }
  if (stage === 3) {
    array(x);
    array(x);
    code.get(0);
    array(e[stage]);
    code.byte(OP.call).unsigned(PROJECT);
  }
  return { parameters: 1, vectors, body: code.list, exported: `stage${stage}` };
}
