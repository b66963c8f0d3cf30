/**
 * Runs side by side, each with its own parameters, surroundings and inputs, to its own end: the bits of running them one by one.
 * What the machine code does not know (another integrator or model, other switches among the parameters) runs plainly.
 */
import { differs } from "../math/arrays.ts";
import type { Run } from "../simulation/run.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { holds } from "./lift.ts";
import { hasVectors } from "./machine.ts";
import { Refusal } from "./refusal.ts";
import { INSTANTS, LANES, Stepper } from "./stepper.ts";

export interface BatchOptions {
  /** No machine code. */
  readonly isPlain?: boolean;
}

/** Takes runs as lanes become free, and tells of each when it is over, or why it could not go on. */
export function runBatch(
  runs: Iterable<Run>,
  done: (run: Run, error?: unknown) => void,
  { isPlain = !hasVectors() }: BatchOptions = {},
): void {
  const queue = runs[Symbol.iterator]();
  const taken = new WeakSet<Simulation>();
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
  const lanes: Lane[] = [];
  for (let run: Run | undefined = first; run !== undefined; run = lanes.length < LANES ? next() : undefined)
    lanes.push(new Lane(stepper, lanes.length, run));
  for (;;) {
    for (const lane of lanes)
      while (lane.run !== undefined) {
        const state = lane.prepare();
        if (state === "ready") break;
        if (state === "stray") plainly(lane.run, true);
        else if (lane.failure) done(lane.run, lane.failure.error);
        else done(lane.run);
        lane.take(next());
      }
    if (lanes.every(isIdle)) return;
    if (lanes.every(feelsAlike)) {
      for (const lane of lanes) lane.feelAll();
      stepper.step();
    } else
      for (let stage = 0; stage < 4; stage++) {
        for (const lane of lanes) lane.feel(stage);
        stepper.stage(stage);
      }
    for (const lane of lanes) lane.arrive();
  }
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

const fits = (stepper: Stepper, { parts, p, e }: Simulation) =>
  parts.integrator.isRk4 === true && holds(stepper.lifted, parts.vehicle.model, p, e);

/** Machine code for a simulation's model, or nothing where its equations cannot be compiled. */
function stepperFor({ parts, p, e }: Simulation, refused: Set<unknown>): Stepper | undefined {
  const { model } = parts.vehicle;
  if (parts.integrator.isRk4 !== true || refused.has(model)) return undefined;
  try {
    return new Stepper(model, p, e);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refused.add(model);
    return undefined;
  }
}

const isIdle = ({ run }: Lane) => run === undefined;

/** Whether all stages can be computed in one call. */
const feelsAlike = ({ run }: Lane) =>
  run === undefined || run.simulation.parts.environment.isUniform === true;

class Lane {
  run: Run | undefined;
  failure: Failure | undefined;
  private readonly stepper: Stepper;
  private readonly lane: number;
  private readonly scratch: Float64Array;
  private readonly boundaries: Float64Array;
  private readonly fields: number;
  private parameters: unknown;
  private isInTick = false;
  /** The machine does not have the present state. */
  private isElsewhere = true;
  /** It has the surroundings of all times. */
  private isAround = false;
  private h = 0;

  constructor(stepper: Stepper, lane: number, run: Run) {
    const { parts, e } = run.simulation;
    const { model } = parts.vehicle;
    this.stepper = stepper;
    this.lane = lane;
    this.scratch = new Float64Array(model.states.length);
    this.fields = model.environment.length;
    this.boundaries = new Float64Array(e.length - this.fields);
    this.take(run);
  }

  take(run: Run | undefined): void {
    this.run = run;
    this.failure = undefined;
    this.isInTick = false;
    this.isAround = false;
    this.parameters = undefined;
  }

  /** Ready for the next step, at its end or failed, or in a tick that is not the machine code's. */
  prepare(): "ready" | "over" | "stray" {
    let state: "ready" | "over" | "stray" = "over";
    this.failure ??= failureOf(() => {
      state = this.nextStep();
    });
    return this.failure ? "over" : state;
  }

  private nextStep(): "ready" | "over" | "stray" {
    const { stepper, lane } = this;
    const run = this.run as Run;
    const { simulation } = run;
    this.h = this.isInTick ? this.length() : 0;
    while (this.h === 0) {
      if (this.isInTick) run.finish();
      this.isInTick = false;
      if (!run.begin()) return "over";
      if (!this.isKnown(simulation)) return "stray";
      this.isInTick = true;
      this.isElsewhere = true;
      stepper.setInputs(lane, simulation.u);
      this.h = this.length();
    }
    stepper.setStep(lane, this.h);
    if (this.isElsewhere) stepper.setState(lane, simulation.x);
    return "ready";
  }

  private length(): number {
    const { simulation } = this.run as Run;
    try {
      return simulation.nextStep();
    } catch (error) {
      return simulation.fail(error);
    }
  }

  /** Hands over parameters and boundaries that are new; whether the machine code is made for such. */
  private isKnown({ parts, p, e }: Simulation): boolean {
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

  /** Surroundings of a stage, at the state that it is computed at. */
  feel(stage: number): void {
    if (this.run === undefined || this.failure) return;
    const { stepper, lane, scratch, h } = this;
    const { simulation } = this.run;
    const instant = INSTANTS[stage];
    stepper.stageState(stage, lane, scratch);
    this.failure = failureOf(() => simulation.feel(simulation.t + 0.5 * instant * h, scratch));
    stepper.setSurroundings(lane, instant, simulation.e);
  }

  /** Surroundings of all stages, where they are the same everywhere. */
  feelAll(): void {
    if (this.run === undefined || this.isAround) return;
    const { stepper, lane, h } = this;
    const { simulation } = this.run;
    this.isAround = simulation.parts.environment.isSteady === true;
    for (let instant = 0; instant < 3; instant++) {
      try {
        simulation.feel(simulation.t + 0.5 * instant * h, simulation.x);
      } catch (error) {
        this.failure = { error };
        return;
      }
      stepper.setSurroundings(lane, instant, simulation.e);
    }
  }

  /** After the last stage. */
  arrive(): void {
    if (this.run === undefined || this.failure) return;
    const { simulation } = this.run;
    this.stepper.state(this.lane, simulation.x);
    try {
      this.isElsewhere = simulation.took(this.h);
    } catch (error) {
      this.failure = failureOf(() => simulation.fail(error));
    }
  }
}
