/**
 * Runs side by side, each with its own parameters, environment and inputs, to its own end, with the bits of running them one by one.
 * Runs that the kernel does not cover (another integrator or model, other switches among the parameters) are interpreted.
 */
import { copyTo, differs } from "../math/arrays.ts";
import type { Run } from "../simulation/run.ts";
import type { SimulationCore } from "../simulation/simulation-core.ts";
import { hasVectors, LANES } from "./kernel.ts";
import { useNormalsKernel } from "./normals.ts";
import { INSTANTS, MOST_STEPS, Stepper } from "./stepper.ts";
import { holds } from "./trace.ts";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";

/** How `runBatch` flies. */
export interface BatchOptions {
  /** No WebAssembly kernel. */
  readonly isPlain?: boolean;
}

/** Takes runs as lanes become free, and reports each when it is over, or why it could not continue. */
export function runBatch(
  runs: Iterable<Run>,
  done: (run: Run, error?: unknown) => void,
  { isPlain = !hasVectors() }: BatchOptions = {},
): void {
  const queue = runs[Symbol.iterator]();
  const taken = new WeakSet<SimulationCore>();
  const waiting = (): Run | undefined => {
    const { value, done: isOver } = queue.next();
    if (isOver) return undefined;
    if (taken.has(value.simulation))
      throw new Error("a simulation is in this batch already: each run needs its own");
    taken.add(value.simulation);
    return value;
  };
  const plainly = (run: Run, isInTick = false) => {
    const failure = failureOf(() => {
      if (isInTick) run.complete();
      while (!run.advance(1e6));
    });
    if (failure) done(run, failure.error);
    else done(run);
  };
  let stepper: Stepper | undefined;
  const refused = new Set<unknown>();
  /** The next run that fits into a lane; others are done on the way. */
  const next = (): Run | undefined => {
    for (let run = waiting(); run !== undefined; run = waiting()) {
      if (!isPlain) stepper ??= stepperFor(run.simulation, refused);
      if (stepper && fits(stepper, run.simulation)) return run;
      plainly(run);
    }
    return undefined;
  };
  const first = next();
  if (first === undefined || stepper === undefined) return;
  useNormalsKernel();
  const lanes: Lane[] = [];
  for (let run: Run | undefined = first; run !== undefined; run = lanes.length < LANES ? next() : undefined)
    lanes.push(new Lane(stepper, lanes.length, run));
  for (;;) {
    for (const lane of lanes)
      while (lane.run !== undefined) {
        const state = lane.begin();
        if (state === "ready") break;
        if (state === "stray") plainly(lane.run, true);
        else if (lane.failure) done(lane.run, lane.failure.error);
        else done(lane.run);
        lane.take(next());
      }
    const count = alikeCount(lanes);
    if (count < 0) return;
    if (count > 0) {
      for (const lane of lanes) lane.feelAll();
      stepper.steps(count);
      for (const lane of lanes) lane.arriveAll();
    } else
      stepwise(
        stepper,
        lanes.filter(({ run }) => run !== undefined),
      );
  }
}

/** Steps of the tick in all lanes that are busy; 0 where they differ or depend on the state, -1 where none is busy. */
function alikeCount(lanes: readonly Lane[]): number {
  let count = -1;
  for (let i = 0; i < lanes.length; i++) {
    const lane = lanes[i];
    if (lane.run === undefined) continue;
    if (!lane.isUniform || (count >= 0 && lane.count !== count)) return 0;
    count = lane.count;
  }
  return count;
}

/** A tick of lanes whose environment depends on their state, or that have other steps than their neighbours. */
function stepwise(stepper: Stepper, lanes: readonly Lane[]): void {
  for (let isUnderWay = true; isUnderWay; ) {
    isUnderWay = false;
    for (const lane of lanes) if (lane.nextStep()) isUnderWay = true;
    for (let stage = 0; isUnderWay && stage < 4; stage++) {
      for (const lane of lanes) lane.evaluateEnvironment(stage);
      stepper.stage(stage);
    }
    if (isUnderWay) for (const lane of lanes) lane.arrive();
  }
  for (const lane of lanes) lane.finish();
}

interface Failure {
  readonly error: unknown;
}
function failureOf(work: () => void): Failure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return { error };
  }
}

const fits = (stepper: Stepper, { parts, p, e }: SimulationCore) =>
  parts.integrator.isRk4 === true && holds(stepper.lifted, parts.vehicle.model, p, e);

/** The kernel of a simulation's model, or undefined where its equations cannot be compiled. */
function stepperFor({ parts, p, e }: SimulationCore, refused: Set<unknown>): Stepper | undefined {
  const { model } = parts.vehicle;
  if (parts.integrator.isRk4 !== true || refused.has(model)) return undefined;
  try {
    return new Stepper(model, p, e);
  } catch (error) {
    if (!(error instanceof UnsupportedSyntax)) throw error;
    refused.add(model);
    return undefined;
  }
}

class Lane {
  run: Run | undefined;
  failure: Failure | undefined;
  /** Steps of the tick in progress; 0 where there are more than one call can take. */
  count = 0;
  private readonly stepper: Stepper;
  private readonly lane: number;
  private readonly scratch: Float64Array;
  /** The state at the start of the tick. */
  private readonly before: Float64Array;
  private readonly boundaries: Float64Array;
  private readonly fields: number;
  private readonly lengths = new Float64Array(MOST_STEPS);
  /** Instants of a tick's steps. */
  private readonly starts = new Float64Array(MOST_STEPS + 1);
  private readonly middles = new Float64Array(MOST_STEPS);
  private parameters: unknown;
  /** The kernel's memory does not hold the present state. */
  private isElsewhere = true;
  /** The kernel's memory holds the environment of all instants. */
  private isAround = false;
  /** Of the step in progress; 0 when the tick's steps are taken. */
  private h = 0;

  constructor(stepper: Stepper, lane: number, run: Run) {
    const { parts, e } = run.simulation;
    const { model } = parts.vehicle;
    this.stepper = stepper;
    this.lane = lane;
    this.scratch = new Float64Array(model.states.length);
    this.before = new Float64Array(model.states.length);
    this.fields = model.environment.length;
    this.boundaries = new Float64Array(e.length - this.fields);
    this.take(run);
  }

  take(run: Run | undefined): void {
    this.run = run;
    this.failure = undefined;
    this.isAround = false;
    this.parameters = undefined;
    this.isElsewhere = true;
    this.h = 0;
  }

  /** Whether all stages can be computed in one call. */
  get isUniform(): boolean {
    return this.run?.simulation.parts.environment.isUniform === true;
  }

  /** Ready for the steps of the next tick, at its end or failed, or in a tick that the kernel does not cover. */
  begin(): "ready" | "over" | "stray" {
    if (this.failure) return "over";
    try {
      return this.beginTick();
    } catch (error) {
      this.failure = { error };
      return "over";
    }
  }

  private beginTick(): "ready" | "over" | "stray" {
    const { stepper, lane } = this;
    const { simulation } = this.run as Run;
    if (!(this.run as Run).begin()) return "over";
    if (!this.isKnown(simulation)) return "stray";
    stepper.setInputs(lane, simulation.u);
    if (this.isElsewhere) stepper.setState(lane, simulation.x);
    this.isElsewhere = true;
    copyTo(this.before, simulation.x);
    this.count = simulation.stepsAhead(this.lengths);
    return "ready";
  }

  /** Hands over parameters and boundaries that are new; whether the kernel is valid for them. */
  private isKnown({ parts, p, e }: SimulationCore): boolean {
    const { stepper, lane, boundaries, fields } = this;
    const hasMoved = differs(boundaries, e, fields);
    if (p === this.parameters && !hasMoved) return true;
    if (!holds(stepper.lifted, parts.vehicle.model, p, e)) return false;
    if (p !== this.parameters) stepper.setParameters(lane, p);
    this.parameters = p;
    boundaries.set(e.subarray(fields));
    stepper.setBoundaries(lane, e);
    return true;
  }

  /** The environment of all steps of the tick, where it does not depend on the state. */
  feelAll(): void {
    if (this.run === undefined) return;
    const { stepper, lane, lengths, count } = this;
    const { parts, x, e, t: start } = this.run.simulation;
    const { environment } = parts;
    for (let step = 0; step < count; step++) stepper.setStep(step, lane, lengths[step]);
    if (this.isAround) return;
    this.isAround = environment.isSteady === true;
    if (environment.along !== undefined && !this.isAround) {
      const { starts, middles } = this;
      starts[0] = start;
      for (let step = 0, t = start; step < count; step++) {
        middles[step] = t + 0.5 * lengths[step];
        t += lengths[step];
        starts[step + 1] = t;
      }
      stepper.setAllSurroundings(lane, 0, environment.along, starts, count + 1);
      stepper.setAllSurroundings(lane, 1, environment.along, middles, count);
      return;
    }
    try {
      environment.at(start, x, e);
      stepper.setSurroundings(0, lane, 0, e);
      // What does not change is the same for ticks with more steps, too.
      const steps = this.isAround ? MOST_STEPS : count;
      for (let step = 0, t = start; step < steps; step++) {
        const h = lengths[step];
        environment.at(t + 0.5 * h, x, e);
        stepper.setSurroundings(step, lane, 1, e);
        t += h;
        environment.at(t, x, e);
        stepper.setSurroundings(step, lane, 2, e);
      }
    } catch (error) {
      this.failure = { error };
    }
  }

  /** After all steps of the tick. */
  arriveAll(): void {
    const { stepper, lane, count, lengths, before, run } = this;
    if (run === undefined || this.failure) return;
    const { simulation } = run;
    const { x, parts } = simulation;
    // Ticks may begin by changing the state, and end by a reset.
    const isOther = parts.vehicle.model.onTick !== undefined || (parts.resets?.length ?? 0) > 0;
    let isLeft = false;
    try {
      for (let step = 0; step < count; step++) {
        const after = stepper.stateAfter(step, lane);
        if (simulation.passed(lengths[step], after)) continue;
        copyTo(x, step === 0 ? before : stepper.stateAfter(step - 1, lane));
        const h = simulation.nextStep();
        copyTo(x, after);
        // The steps behind an event are others.
        isLeft = simulation.took(h);
        if (isLeft) break;
      }
      if (!isLeft) copyTo(x, stepper.stateAfter(count - 1, lane));
    } catch (error) {
      this.failure = failureOf(() => simulation.fail(error));
      return;
    }
    try {
      run.complete();
      this.isElsewhere = isOther || isLeft;
    } catch (error) {
      this.failure = { error };
    }
  }

  /** The tick is over. */
  finish(): void {
    this.failure ??= failureOf(() => (this.run as Run).finish());
  }

  /** Ready for one step; false when the tick's steps are taken. */
  nextStep(): boolean {
    const { simulation } = this.run as Run;
    this.h = 0;
    if (this.failure) return false;
    try {
      this.h = simulation.nextStep();
    } catch (error) {
      this.failure = failureOf(() => simulation.fail(error));
    }
    this.stepper.setStep(0, this.lane, this.h);
    this.stepper.setState(this.lane, simulation.x);
    return this.h > 0;
  }

  /** The environment of a stage, at the stage's state. */
  evaluateEnvironment(stage: number): void {
    if (this.h === 0) return;
    const { stepper, lane, scratch, h } = this;
    const { simulation } = this.run as Run;
    const instant = INSTANTS[stage];
    stepper.stageState(stage, lane, scratch);
    this.failure = failureOf(() => simulation.evaluateEnvironment(simulation.t + 0.5 * instant * h, scratch));
    stepper.setSurroundings(0, lane, instant, simulation.e);
  }

  /** After the last stage. */
  arrive(): void {
    if (this.h === 0 || this.failure) return;
    const { simulation } = this.run as Run;
    this.stepper.state(this.lane, simulation.x);
    try {
      simulation.took(this.h);
    } catch (error) {
      this.failure = failureOf(() => simulation.fail(error));
    }
  }
}
