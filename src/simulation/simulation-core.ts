/** The tick loop: one vehicle in its environment, with its source of inputs and its sensors. */

import { type Rhs, StepSizeError } from "../integrators/integrator.ts";
import { copyTo } from "../math/arrays.ts";
import { type Field, largestOf } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { makeParameters, pack } from "../model/parameters.ts";
import {
  type DivergenceError,
  divergence,
  endless,
  isAbsurd,
  RunError,
  singular,
  tooStiff,
} from "./divergence.ts";
import { packEvents, type RunEvent, unpackEvents } from "./events.ts";
import { Guards } from "./guards.ts";
import { controlMemory, environmentMemory, rowOf, type SimulationParts, type StateArray } from "./parts.ts";
import { rhsOf } from "./rhs.ts";
import type { Simulation } from "./simulation.ts";
import { readMemory, writeMemory } from "./snapshot.ts";
import { type StateHash, stateHash } from "./state-hash.ts";
import { lengthOf, lengthsAhead } from "./step-lengths.ts";

/** More events in one tick is a model that cannot leave its own guard, more steps one too stiff; older events than the last so many are forgotten. */
const [MOST_EVENTS_A_TICK, MOST_STEPS_A_TICK, MOST_EVENTS] = [1000, 2e5, 1e5];

/** The simulation as the program sees it: with the parts of a tick, for batches that integrate several simulations at once. */
export class SimulationCore implements Simulation {
  /** Fields of a sample: t, states, inputs, outputs, sensors, the monitor's fields, environment. */
  readonly channels: readonly Field[];
  readonly events: RunEvent[] = [];
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly z: Float64Array;
  t = 0;
  tick = 0;
  /** Integration steps so far. */
  steps = 0;
  /** A terminal event has happened, or the simulation diverged. */
  finished = false;

  private readonly model: Model;
  readonly parts: SimulationParts;
  /** Parameters as they are now. */
  p: unknown;
  private readonly row: Float64Array;
  /** The environment at the last evaluation. */
  readonly e: Float64Array;
  private readonly outputs: Float64Array;
  private readonly monitored: Float64Array;
  private outputsAreStale = true;
  private readonly limits: Float64Array;
  private readonly largestStep: number;
  private readonly start: Float64Array;
  private readonly dx: Float64Array;
  private readonly lastInput: Float64Array;
  private readonly lastGood: Float64Array;
  private readonly hash: StateHash;
  private readonly counters = new Float64Array(5);
  private resetsDone = 0;
  private readonly sourceStart: readonly Float64Array[];
  private lastGoodT = 0;
  /** Of the tick in progress: its end, and whether that is a tick's. */
  private end = 0;
  private isWhole = false;
  private eventsBefore = 0;
  private eventsInTick = 0;
  private stepsInTick = 0;
  private readonly guards?: Guards;
  private readonly f: Rhs;

  constructor(parts: SimulationParts) {
    const { model } = parts.vehicle;
    this.parts = parts;
    this.model = model;
    this.p = parts.vehicle.parameters;
    const { channels, windows } = rowOf(parts);
    this.channels = channels;
    [this.row, this.x, this.u, this.outputs, this.z, this.monitored, this.e] = windows;
    copyTo(this.x, parts.initial);
    this.u.set(model.inputs.map((f) => f.default ?? 0));
    [this.start, this.dx, this.lastGood] = [0, 0, 0].map(() => new Float64Array(model.states.length));
    this.lastInput = new Float64Array(model.inputs.length);
    this.limits = Float64Array.from(model.states, largestOf);
    this.largestStep = parts.controlDt / Math.ceil(parts.controlDt / parts.dt - 1e-9);
    this.hash = stateHash(this.x);
    const { u, e } = this;
    const { environment, integrator } = parts;
    this.f = rhsOf(model, environment, u, e, () => this.p);
    if (model.events) this.guards = new Guards(model, model.events, environment, integrator, this.f, u, e);
    this.sourceStart = parts.inputs.memory?.map((m) => m.slice()) ?? [];
    model.completeState?.(this.x, this.p);
    model.project?.(this.x, this.p);
    this.validateStart("initial");
    this.arrive();
    const over = this.guards?.over(this.x, this.p)?.name;
    if (over)
      throw new InputError(`the run would be over before it begins: the event "${over}" holds at the start`, {
        field: "initial",
      });
  }

  /** Whether a channel is computed only for samples (outputs and environment) rather than kept anyway. */
  isOutput(name: string): boolean {
    return [...this.model.outputs, ...this.model.environment].some((f) => f.name === name);
  }

  /** Outputs of the current instant, computed on demand. */
  get y(): Float64Array {
    if (this.outputsAreStale) {
      this.outputsAreStale = false;
      this.parts.environment.at(this.t, this.x, this.e);
      this.model.derivative(this.x, this.u, this.p, this.e, this.dx, this.outputs);
    }
    return this.outputs;
  }

  /** The current sample in the order of `channels`; valid until the next step. Outputs may be stale if no sink reads them. */
  sample(withOutputs = true): Float64Array {
    if (withOutputs) void this.y;
    this.row[0] = this.t;
    return this.row;
  }

  /** Advances one tick, or to the time given if that comes first. False when the simulation has finished. */
  step(until = Number.POSITIVE_INFINITY): boolean {
    return this.begin(until) && this.complete();
  }

  /** The rest of a tick that has begun. */
  complete(): boolean {
    try {
      for (let h = this.nextStep(); h > 0; h = this.nextStep()) this.took(this.advance(h));
    } catch (error) {
      this.fail(error);
    }
    return this.finish();
  }

  /**
   * A tick in parts, for those who integrate several simulations at once: `begin`, then `nextStep`, a step from there and `took` until
   * no step is left, then `finish`. False when the simulation has finished.
   */
  begin(until = Number.POSITIVE_INFINITY): boolean {
    if (this.finished) return false;
    const { model, parts, x } = this;
    const full = (this.tick + 1) * parts.controlDt;
    // A tick that ends at `until` but for rounding is a whole one.
    this.isWhole = until >= full - 1e-9 * parts.controlDt;
    this.end = this.isWhole && Math.abs(until - full) > 1e-9 * parts.controlDt ? full : until;
    copyTo(this.lastGood, x);
    this.lastGoodT = this.t;
    parts.environment.begin(this.t, this.end, x, this.e);
    if (model.onTick) {
      parts.environment.at(this.t, x, this.e);
      model.onTick(x, this.u, this.p, this.e, parts.controlDt);
    }
    this.eventsBefore = this.events.length;
    this.eventsInTick = 0;
    this.stepsInTick = 0;
    // Inputs and noise may have jumped.
    parts.integrator.jump?.();
    return true;
  }

  /** Length of the next step; 0 when the tick is over. */
  nextStep(): number {
    if (!(this.t < this.end) || this.finished) return 0;
    if (++this.stepsInTick > MOST_STEPS_A_TICK)
      throw isAbsurd(this.x, this.limits) ? this.diverged(this.t) : tooStiff(this.t, MOST_STEPS_A_TICK);
    copyTo(this.start, this.x);
    return lengthOf(this.t, this.end, this.largestStep);
  }

  /** Lengths of the steps that are left of a tick if nothing happens on the way: how many, or 0 where there is no room for them. */
  stepsAhead(lengths: Float64Array): number {
    return lengthsAhead(this.t, this.end, this.largestStep, lengths);
  }

  /** The next step, of this length, leads to that state: false where that asks for a closer look (`nextStep` and `took`). */
  passed(h: number, after: Float64Array): boolean {
    if (
      this.stepsInTick >= MOST_STEPS_A_TICK ||
      this.guards?.allNegative(this.t + h, after, this.p) === false
    )
      return false;
    this.stepsInTick++;
    this.steps++;
    this.t = h === this.end - this.t ? this.end : this.t + h;
    return true;
  }

  /** Advances the state by at most h; the time taken. */
  private advance(h: number): number {
    const taken = this.parts.integrator.step(this.f, this.t, h, this.x);
    this.model.project?.(this.x, this.p);
    return taken;
  }

  /** The state was advanced so far, `project` included: looks for events. Whether one has changed the state. */
  took(taken: number): boolean {
    this.steps++;
    const happened = this.guards?.first(this.t, taken, this.start, this.x, this.p);
    if (happened === undefined) {
      this.t = taken === this.end - this.t ? this.end : this.t + taken;
      return false;
    }
    const { event, after } = happened;
    this.t += after;
    if (!event.isQuiet) {
      if (event.value) this.evaluateEnvironment();
      this.report(event.name, this.t, event.value?.(this.x, this.p, this.e));
    }
    event.reset?.(this.x, this.p);
    this.parts.integrator.jump?.();
    this.finished = event.terminal === true;
    if (++this.eventsInTick > MOST_EVENTS_A_TICK) throw endless(event.name, this.t);
    return true;
  }

  finish(): boolean {
    if (isAbsurd(this.x, this.limits)) this.findDivergence();
    if (this.isWhole) this.tick++;
    this.arrive(this.isWhole);
    return !this.finished;
  }

  /** Repeats the tick and checks every step, to find the state that diverged first, and when. */
  private findDivergence(): never {
    copyTo(this.x, this.lastGood);
    this.t = this.lastGoodT;
    this.events.length = this.eventsBefore;
    this.finished = false;
    this.stepsInTick = 0;
    this.eventsInTick = 0;
    try {
      this.parts.integrator.jump?.();
      for (let h = this.nextStep(); h > 0; h = this.nextStep()) {
        const taken = this.advance(h);
        if (isAbsurd(this.x, this.limits)) throw this.diverged(this.t + taken);
        this.took(taken);
      }
      throw this.diverged(this.end);
    } catch (error) {
      return this.fail(error);
    }
  }

  /** The tick cannot be finished: back to the last good sample. */
  fail(error: unknown): never {
    if (error instanceof RunError || error instanceof StepSizeError) {
      copyTo(this.x, this.lastGood);
      this.t = this.lastGoodT;
      this.finished = true;
      this.outputsAreStale = true;
    }
    if (error instanceof StepSizeError) throw singular(error, this.model.states, this.x);
    throw error;
  }

  /** Takes the vehicle back to its initial state, at once; time, environment and recording continue. */
  reset(): void {
    this.restoreStart();
    this.arrive();
  }

  private restoreStart(): void {
    const { model, parts, x } = this;
    copyTo(x, parts.initial);
    model.completeState?.(x, this.p);
    model.project?.(x, this.p);
    parts.integrator.memory?.fill(0);
    parts.inputs.memory?.forEach((m, i) => {
      if (!parts.inputs.survivesReset?.includes(m)) m.set(this.sourceStart[i]);
    });
    parts.monitor?.reset();
    parts.sensors.reset();
    this.finished = false;
    this.report("reset", this.t);
    this.outputsAreStale = true;
  }

  private readonly report = (name: string, t: number, value?: number): void => {
    if (this.events.length >= MOST_EVENTS) this.events.shift();
    this.events.push(value === undefined ? { name, t } : { name, t, value });
  };

  /** Hash of the bits of all states at every sample so far. */
  digest(): string {
    return this.hash.digest();
  }

  /** Parameters in the order of the model's fields; takes effect with the next step. */
  setParameters(values: ArrayLike<number>): void {
    const p = makeParameters(this.model, values);
    const problem = this.model.validate?.(p);
    if (problem) throw new InputError(problem.problem, { field: problem.field, allowed: problem.allowed });
    this.p = p;
    this.outputsAreStale = true;
  }

  /** Parameters as they are now, in the order of the model's fields. */
  parameterValues(): Float64Array {
    return pack(this.model.parameters, this.p);
  }

  /** Continues the flight of another simulation of the same vehicle, in its own environment. */
  adoptState(other: SimulationCore): void {
    const its = other.ownMemory();
    this.ownMemory().forEach((m, i) => {
      if (its[i]?.length === m.length) m.set(its[i]);
    });
    this.events.splice(0, this.events.length, ...other.events);
    const { t, tick, steps, p, finished, resetsDone } = other;
    Object.assign(this, { t, tick, steps, p, finished, resetsDone });
    this.outputsAreStale = true;
    this.validateStart();
  }

  /** Samples that a sensor has delivered so far. */
  delivered = (sensor: string): number => this.parts.sensors.delivered(sensor);

  /** Writes the environment now, or at another instant within the tick, into e. */
  evaluateEnvironment(t: number = this.t, x: Float64Array = this.x): void {
    this.parts.environment.at(t, x, this.e);
  }

  private validateStart(field?: string): void {
    this.parts.environment.begin(this.t, this.t, this.x, this.e);
    this.evaluateEnvironment();
    const problem = this.model.validateStart?.(this.x, this.p, this.e);
    if (problem !== undefined) throw new InputError(problem, { field });
  }

  /** All that changes, bit for bit. */
  snapshot(): Uint8Array {
    this.counters.set([this.t, this.tick, this.steps, this.finished ? 1 : 0, this.resetsDone]);
    const happened = packEvents(this.events, this.eventNames());
    return writeMemory(
      [...this.memory(), pack(this.model.parameters, this.p), happened],
      this.parts.identity,
    );
  }

  restore(snapshot: Uint8Array): void {
    const parameters = new Float64Array(this.model.parameters.length);
    const happened = readMemory(snapshot, [...this.memory(), parameters], this.parts.identity);
    const [t, tick, steps, finished, resetsDone] = this.counters;
    Object.assign(this, { t, tick, steps, finished: finished === 1, resetsDone });
    this.events.splice(0, this.events.length, ...unpackEvents(happened, this.eventNames()));
    this.setParameters(parameters);
    this.parts.environment.begin(this.t, this.t, this.x, this.e);
  }

  private eventNames(): string[] {
    const ofModel = (this.model.events ?? []).map((event) => event.name);
    return ["reset", ...ofModel, ...(this.parts.monitor?.events ?? [])];
  }

  private memory(): StateArray[] {
    return [this.counters, ...this.ownMemory(), ...environmentMemory(this.parts)];
  }

  /** Memory of the vehicle, its input source and its sensors, without its environment. */
  private ownMemory(): StateArray[] {
    return [this.x, this.u, this.z, this.monitored, this.hash.memory, ...controlMemory(this.parts)];
  }

  /** At a sample's instant: sensors see the outputs, at ticks the source sees the sensors, outputs see the new inputs. */
  private arrive(isTick = true): void {
    const { parts } = this;
    this.outputsAreStale = true;
    const due = parts.resets?.[this.resetsDone];
    if (isTick && due !== undefined && due <= this.t + 1e-9) {
      this.resetsDone++;
      this.restoreStart();
    }
    if (parts.monitor?.observe(this.t, this.x, this.monitored, this.report)) this.finished = true;
    if (this.z.length > 0) parts.sensors.sample(this.tick, this.t, this.x, this.y, this.e, this.z);
    if (isTick) this.decide();
    this.hash.add();
  }

  /** Computes the inputs of this tick. */
  decide(): void {
    const { u, lastInput, parts } = this;
    copyTo(lastInput, u);
    parts.inputs.update(this, u);
    for (let i = 0; i < u.length; i++) if (u[i] !== lastInput[i]) this.outputsAreStale = true;
  }

  private diverged(t: number): DivergenceError {
    const { x, limits, start, model, lastGood, largestStep } = this;
    return divergence(t, model.states, { x, limits, before: start, lastGood }, largestStep);
  }
}
