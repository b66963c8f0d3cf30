/**
 * Runs of one model side by side, each with its own parameters, surroundings and inputs, to its own end: the bits of running them one
 * by one. What the machine code does not know (another integrator, other switches among the parameters) runs plainly.
 */
import type { Run } from "../simulation/run.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { update } from "./exact.ts";
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
  const waiting = () => queue.next().value as Run | undefined;
  const plainly = (run: Run) => {
    try {
      while (!run.advance(1e6));
    } catch (error) {
      done(run, error);
      return;
    }
    done(run);
  };
  let stepper: Stepper | undefined;
  /** The next run that fits into a lane; others are done on the way. */
  const next = (): Run | undefined => {
    for (let run = waiting(); run !== undefined; run = waiting()) {
      stepper ??= isPlain ? undefined : stepperFor(run.simulation);
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
  const finished = (lane: Lane, error?: unknown) => {
    done(lane.run as Run, error);
    lane.take(next());
  };
  for (;;) {
    let busy = 0;
    for (const lane of lanes)
      while (lane.run !== undefined) {
        try {
          const state = lane.prepare();
          if (state === "over") finished(lane);
          else if (state === "stray") {
            // Its surroundings are no longer those of the machine code.
            lane.run.complete();
            plainly(lane.run);
            lane.take(next());
          } else {
            busy++;
            break;
          }
        } catch (error) {
          finished(lane, error);
        }
      }
    if (busy === 0) return;
    if (lanes.every(feelsAlike)) {
      for (const lane of lanes) lane.feelAll();
      stepper.step();
    } else
      for (let stage = 0; stage < 4; stage++) {
        for (const lane of lanes) lane.feel(stage);
        stepper.stage(stage);
      }
    for (const lane of lanes)
      if (lane.run !== undefined)
        try {
          lane.arrive();
        } catch (error) {
          finished(lane, error);
        }
  }
}

const fits = (stepper: Stepper, { parts, p, e }: Simulation) =>
  parts.integrator.isRk4 === true && holds(stepper.lifted, p, e);

/** Machine code for a simulation's model, or nothing where its equations cannot be compiled. */
function stepperFor({ parts, p, e }: Simulation): Stepper | undefined {
  if (parts.integrator.isRk4 !== true) return undefined;
  try {
    return new Stepper(parts.vehicle.model, p, e);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Whether all stages can be computed in one call. */
const feelsAlike = ({ run }: Lane) =>
  run === undefined || run.simulation.parts.environment.isUniform === true;

class Lane {
  run: Run | undefined;
  private readonly stepper: Stepper;
  private readonly lane: number;
  private readonly scratch: Float64Array;
  private readonly boundaries: Float64Array;
  private readonly fields: number;
  private isInTick = false;
  /** The machine does not have the present state. */
  private isElsewhere = true;
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
    this.isInTick = false;
    this.isAround = false;
    this.boundaries.fill(Number.NaN);
    if (run) this.stepper.setParameters(this.lane, run.simulation.p);
  }

  /** Ready for the next step, at its end, or in surroundings that are not those of the machine code. */
  prepare(): "ready" | "over" | "stray" {
    const { stepper, lane } = this;
    const run = this.run as Run;
    const { simulation } = run;
    this.h = this.isInTick ? this.nextStep() : 0;
    while (this.h === 0) {
      if (this.isInTick) run.finish();
      this.isInTick = false;
      if (!run.begin()) return "over";
      if (this.haveBoundariesChanged() && !holds(stepper.lifted, simulation.p, simulation.e)) return "stray";
      this.isInTick = true;
      this.isElsewhere = true;
      stepper.setInputs(lane, simulation.u);
      this.h = this.nextStep();
    }
    stepper.setStep(lane, this.h);
    if (this.isElsewhere) stepper.setState(lane, simulation.x);
    return "ready";
  }

  private nextStep(): number {
    const { simulation } = this.run as Run;
    try {
      return simulation.nextStep();
    } catch (error) {
      return simulation.fail(error);
    }
  }

  private haveBoundariesChanged(): boolean {
    const { e } = (this.run as Run).simulation;
    const haveChanged = update(this.boundaries, e, this.fields);
    if (haveChanged) this.stepper.setBoundaries(this.lane, e);
    return haveChanged;
  }

  /** Surroundings of a stage, at the state that it is computed at. */
  feel(stage: number): void {
    if (this.run === undefined) return;
    const { stepper, lane, scratch, h } = this;
    const { simulation } = this.run;
    const instant = INSTANTS[stage];
    stepper.stageState(stage, lane, scratch);
    simulation.feel(simulation.t + 0.5 * instant * h, scratch);
    stepper.setSurroundings(lane, instant, simulation.e);
  }

  /** Surroundings of all stages, where they are the same everywhere. */
  feelAll(): void {
    if (this.run === undefined || this.isAround) return;
    const { stepper, lane, h } = this;
    const { simulation } = this.run;
    this.isAround = simulation.parts.environment.isSteady === true;
    for (let instant = 0; instant < 3; instant++) {
      simulation.feel(simulation.t + 0.5 * instant * h, simulation.x);
      stepper.setSurroundings(lane, instant, simulation.e);
    }
  }

  /** After the last stage. */
  arrive(): void {
    const { simulation } = this.run as Run;
    this.stepper.state(this.lane, simulation.x);
    try {
      this.isElsewhere = simulation.took(this.h);
    } catch (error) {
      simulation.fail(error);
    }
  }
}
