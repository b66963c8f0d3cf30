/**
 * The classical Runge-Kutta method on several vehicles at once, as a WebAssembly kernel: their derivative, `project`, and the sums between the
 * stages, with the bits of integrators/rk4.ts. What steps need and leave behind lies in frames, one a step, so that a whole tick is one call; where
 * the environment depends on the state, each stage is one call.
 */
import type { Environment } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import { emitKernel, VECTOR } from "./emit-kernel.ts";
import { expand, reachable } from "./expand.ts";
import type { Graph, Node } from "./graph.ts";
import { type Call, kernelOf, LANES } from "./kernel.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import { type TracedModel, trace } from "./trace.ts";
import { Bytes, type Code, FIRSTS, OP, SECONDS, SIMD } from "./wasm.ts";

const STAGES = 4;

/** Functions of the module, by their places. */
const DERIVATIVE = 0;
const PROJECT = 1;
const FIRST_STAGE = 2;
/** Those before the last once more, for whole steps. */
const FIRST_INSIDE = FIRST_STAGE + STAGES;
const LAST = STAGES - 1;
/** Which of the three instants of a step each stage is at: its start, middle and end. */
export const INSTANTS = [0, 1, 1, 2];
/** Steps that one call can take. */
export const MOST_STEPS = 16;

/** RK4 steps of four vehicles at once as a WebAssembly kernel, with the bits of the plain integrator. */
export class Stepper {
  readonly lifted: TracedModel;
  /** Size of the module. */
  readonly bytes: number;
  private readonly memory: Float64Array;
  private readonly layout: Layout;
  private readonly block: number;
  private readonly stages: readonly Call[];
  private readonly whole: (block: number, frame: number, count: number) => void;
  private readonly bare: () => void;
  private readonly fields: number;
  /** States after steps, lane by lane. */
  private readonly after: readonly Float64Array[];
  /** Places of lane 0 among the doubles of the memory. */
  private readonly at: {
    readonly x: number;
    readonly s: number;
    readonly k: number;
    readonly u: number;
    readonly boundaries: number;
    /** Of the first frame, and from one to the next. */
    readonly frame: number;
    readonly size: number;
  };

  constructor(model: Model, parameters: unknown, surroundings: Float64Array) {
    const lifted = trace(model, parameters, surroundings);
    this.lifted = lifted;
    const n = model.states.length;
    const { graph, roots } = expand(lifted.graph, [...lifted.rates, ...lifted.projected]);
    const layout = new Layout(LANES, graph, roots, parameters, lengthsOf(model));
    this.layout = layout;
    this.fields = model.environment.length;
    const write = (list: readonly Node[], isInPlace: boolean) =>
      emitKernel(
        graph,
        POINTERS,
        list.flatMap((root, i) =>
          isInPlace && isState(root, i) ? [] : [[{ pointer: OUT, offset: layout.stride * i }, root] as const],
        ),
        layout,
        isInPlace,
      );
    const derivative = write(roots.slice(0, n), false);
    const project = write(roots.slice(n), true);
    const [x, s, k] = [n, n, STAGES * n].map((count) => layout.reserve(count));
    const numbers = HEAD + 2 * this.fields + n;
    const frame = layout.reserve(numbers * (MOST_STEPS + 1));
    const size = numbers * layout.stride;
    const places = { x, s, k, size };
    const states = model.states.map((_, i) => i);
    // Within a step nobody looks at the others: a position, mostly.
    const read = readBy(graph, roots.slice(0, n));
    const codeOf = (stage: number, summed: readonly number[]) =>
      stageOf(stage, n, summed, this.fields, layout, places);
    const stages = INSTANTS.map((_, stage) => ({ ...codeOf(stage, states), exported: `stage${stage}` }));
    const inside = INSTANTS.slice(0, LAST).map((_, stage) => codeOf(stage, read));
    this.block = layout.constantSize;
    const { memory, calls, bytes } = kernelOf(
      [{ ...derivative, exported: "derivative" }, project, ...stages, ...inside, stepsCode(size)],
      this.block + layout.size,
    );
    this.memory = memory;
    this.bytes = bytes;
    this.stages = [0, 1, 2, 3].map((stage) => calls[`stage${stage}`]);
    this.whole = calls.steps;
    const first = this.block + frame + HEAD * layout.stride;
    this.bare = () => calls.derivative(this.block + x, this.block + k, this.block, first);
    layout.initialisation.begin(memory);
    const double = (offset: number) => (this.block + offset) / 8;
    this.at = {
      x: double(x),
      s: double(s),
      k: double(k),
      u: double(layout.inputs),
      boundaries: double(layout.boundaries),
      frame: double(frame),
      size: size / 8,
    };
    this.after = Array.from({ length: MOST_STEPS * LANES }, (_, i) => {
      const lane = i % LANES;
      const first =
        double(frame) + ((i - lane) / LANES) * (size / 8) + (HEAD + 2 * this.fields) * LANES + lane * n;
      return memory.subarray(first, first + n);
    });
  }

  setParameters(lane: number, parameters: unknown): void {
    this.layout.initialisation.prepare(this.memory, this.block, lane, parameters);
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
  /** The environment at the start (0), middle (1) or end (2) of a step, without the boundaries. */
  setSurroundings(step: number, lane: number, instant: number, e: Float64Array): void {
    const { frame, size } = this.at;
    // A step ends where the next one begins.
    const place = instant === 2 ? (step + 1) * size : step * size + instant * this.fields * LANES;
    this.put(frame + place + HEAD * LANES, lane, e, this.fields);
  }
  /** Of all starts (0) or middles (1) of so many steps; what begins behind the last step counts, too. */
  setAllSurroundings(
    lane: number,
    instant: number,
    along: NonNullable<Environment["along"]>,
    times: Float64Array,
    count: number,
  ): void {
    const { frame, size } = this.at;
    const first = frame + HEAD * LANES + instant * this.fields * LANES + lane;
    along(times, count, this.memory, first, size, LANES);
  }
  /** From the whole of e. */
  setBoundaries(lane: number, e: Float64Array): void {
    this.put(this.at.boundaries, lane, e.subarray(this.fields));
  }
  setStep(step: number, lane: number, h: number): void {
    this.memory[this.at.frame + step * this.at.size + lane] = h;
  }
  /** The state after one of the steps: its address. */
  stateAfter(step: number, lane: number): Float64Array {
    return this.after[step * LANES + lane];
  }

  /** One of the four stages of the first step, 0 to 3, in all lanes; after the last the states are those after the step. */
  stage(stage: number): void {
    this.stages[stage](this.block, 8 * this.at.frame);
  }

  /** So many steps, where the environment of all instants is known in advance. */
  steps(count: number): void {
    this.whole(this.block, 8 * this.at.frame, count);
  }

  /** The derivative alone, at the start. */
  derivative(): void {
    this.bare();
  }
  rates(lane: number, out: Float64Array): void {
    this.take(this.at.k, lane, out);
  }
}

/** The states that rates depend on. */
const readBy = (graph: Graph, rates: readonly Node[]): number[] =>
  reachable(graph, rates)
    .flatMap(({ op, source }) => (op === "input" && source?.array === "x" ? [source.path[0] as number] : []))
    .sort((a, b) => a - b);

/** What `project` leaves as it is needs no writing. */
const isState = ({ op, source }: Node, i: number) =>
  op === "input" && source?.array === "x" && source.path[0] === i;

/** A frame: length of the step, surroundings at its start and middle, the state after it, lane by lane. Those at its end are the next one's. */
const HEAD = 1;

/** Bytes behind the beginning of a block: state, state of the coming stage, four derivatives; and of a frame. */
interface Places {
  readonly x: number;
  readonly s: number;
  readonly k: number;
  readonly size: number;
}

/** All stages, step by step from frame to frame. */
function stepsCode(size: number): Code {
  const [BLOCK, FRAME, LEFT] = [0, 1, 2];
  const code = new Bytes().byte(OP.loop, OP.nothing);
  for (let stage = 0; stage < STAGES; stage++)
    code
      .get(BLOCK)
      .get(FRAME)
      .byte(OP.call)
      .unsigned(stage === LAST ? FIRST_STAGE + LAST : FIRST_INSIDE + stage);
  code.get(FRAME).i32(size).byte(OP.i32Add).set(FRAME);
  code.get(LEFT).i32(-1).byte(OP.i32Add).set(LEFT);
  code.get(LEFT).byte(OP.branchIf).unsigned(0).byte(OP.end);
  return { parameters: 3, vectors: 0, body: code.list, exported: "steps" };
}

/** A stage: the derivative there, and the state of the next one, as much of it as is summed, in the order of integrators/rk4.ts. */
function stageOf(
  stage: number,
  n: number,
  summed: readonly number[],
  fields: number,
  layout: Layout,
  { x, s, k, size }: Places,
): Code {
  const code = new Bytes();
  const { stride } = layout;
  const array = (offset: number) => code.get(0).i32(offset).byte(OP.i32Add);
  const load = (offset: number) => code.get(0).memory(SIMD.load, 3, offset);
  const constant = (value: number) => code.i32(0).memory(SIMD.load64Splat, 3, layout.constant(value).offset);
  const kOf = (j: number) => k + j * n * stride;
  // Behind the frame's beginning.
  const instant = INSTANTS[stage];
  const around = () =>
    code
      .get(1)
      .i32(HEAD * stride + (instant === 2 ? size : instant * fields * stride))
      .byte(OP.i32Add);
  const length = (v: number) => code.get(1).memory(SIMD.load, 3, VECTOR * v);
  array(stage === 0 ? x : s);
  array(kOf(stage));
  code.get(0);
  around();
  code.byte(OP.call).unsigned(DERIVATIVE);
  // One local a vector of lanes: the step, halved or by six. Others for what is used again and again.
  const vectors = stride / VECTOR;
  const [one, other, two] = [2, 3, 4].map((local) => local + vectors);
  if (stage === LAST) {
    constant(2);
    code.set(two);
  }
  for (let v = 0; v < vectors; v++) {
    const step = 2 + v;
    if (stage < 2) {
      constant(0.5);
      length(v);
      code.simd(SIMD.mul);
    } else {
      length(v);
      if (stage === LAST) {
        constant(6);
        code.simd(SIMD.div);
      }
    }
    code.set(step);
    for (const i of summed) {
      const at = stride * i + VECTOR * v;
      code.get(0);
      load(x + at);
      code.get(step);
      load((stage === LAST ? kOf(0) : kOf(stage)) + at);
      if (stage === LAST) {
        code.get(two);
        load(kOf(1) + at);
        load(kOf(2) + at);
        code.simd(SIMD.add).simd(SIMD.mul).simd(SIMD.add);
        load(kOf(3) + at);
        code.simd(SIMD.add);
      }
      code
        .simd(SIMD.mul)
        .simd(SIMD.add)
        .memory(SIMD.store, 3, (stage === LAST ? x : s) + at);
    }
  }
  if (stage === LAST) {
    array(x);
    array(x);
    code.get(0);
    around();
    code.byte(OP.call).unsigned(PROJECT);
    // Two numbers of a lane side by side; of an odd one out each lane for itself.
    const after = (lane: number, i: number) => (HEAD + 2 * fields) * stride + 8 * (lane * n + i);
    for (let v = 0; v < vectors; v++)
      for (let i = 0; i < n; i += 2) {
        const at = x + stride * i + VECTOR * v;
        load(at);
        code.set(one);
        if (i + 1 < n) {
          load(at + stride);
          code.set(other);
        }
        for (let half = 0; half < 2; half++) {
          const to = after(2 * v + half, i);
          code.get(1).get(one);
          if (i + 1 < n)
            code
              .get(other)
              .simd(SIMD.shuffle)
              .byte(...(half === 0 ? FIRSTS : SECONDS))
              .memory(SIMD.store, 3, to);
          else code.memory(SIMD.store64Lane, 3, to).byte(half);
        }
      }
  }
  return { parameters: 2, vectors: vectors + 3, body: code.list };
}
