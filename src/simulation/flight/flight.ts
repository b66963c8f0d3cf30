/**
 * An interactive flight: manual control, parameters and environment that change on the way, and a history to go back to. Its initial
 * state and its action log determine it, so the same log repeats the flight bit for bit on any machine.
 */

import { directManualControl } from "../../control/manual/direct.ts";
import { type StickMotion, StickSource } from "../../control/manual/stick-source.ts";
import { overlay, plainSource } from "../../model/document.ts";
import { allowed, inRange } from "../../model/field.ts";
import { InputError } from "../../model/input-error.ts";
import type { InputSource } from "../../model/input-source.ts";
import type { ManualControl } from "../../model/manual-control.ts";
import { indexOf } from "../../model/model.ts";
import { type Vehicle, withParameters } from "../../vehicles/vehicle.ts";
import { VERSION } from "../../version.ts";
import { createCore, refuseLongSteps } from "../create.ts";
import { readScenario, type Scenario } from "../scenario.ts";
import type { SimulationCore } from "../simulation-core.ts";
import { type Action, type FlightLog, isChange, openAmong, type Spec, type TextFile } from "./action.ts";
import { MOST_ACTIONS } from "./flight-log.ts";
import { FlightRecord } from "./flight-record.ts";
import { inputSelector, MANUAL, OUTSIDE, SCENARIO } from "./input-selector.ts";

/** Ticks from one keyframe to the next, or a second where that is more. */
const KEYFRAME = 50;
/** What may change around a vehicle while it flies. */
const CHANGEABLE = ["wind", "air", "faults", "boundaries"];

export interface FlightStart {
  readonly vehicle: Vehicle;
  /** The vehicle as a link names it. */
  readonly vehicleRef: string | Spec;
  readonly scenario: Spec;
  /** Under manual control from the start and without end; otherwise as the scenario says. */
  readonly byHand: boolean;
  /** Files that the scenario names. */
  readonly files?: readonly TextFile[];
}

/** A segment: a simulation in one environment, from a tick on. */
interface Segment {
  readonly from: number;
  readonly spec: Spec;
  readonly scenario: Scenario;
  readonly simulation: SimulationCore;
  readonly sticks: StickSource;
  readonly taken: Float64Array;
  /** Inputs as they are set from outside; NaN where they are not. */
  readonly outside: Float64Array;
}

interface Keyframe {
  readonly tick: number;
  readonly segment: Segment;
  readonly snapshot: Uint8Array;
}

/**
 * An interactive flight: manual control, changes on the way, a history to go back to. Its start and its action log repeat it bit for
 * bit.
 */
export class Flight {
  readonly vehicle: Vehicle;
  readonly manual: ManualControl;
  readonly record: FlightRecord;
  /** Samples flown so far, and the newest of all. The last one of a scenario may end within a tick of the simulation. */
  tick = 0;
  end = 0;
  private readonly start: FlightStart;
  private actions: Action[] = [];
  /** Those of them that change more than sticks. */
  private changes: readonly Action[] = [];
  private segments: Segment[] = [];
  private current: Segment;
  private keyframes: Keyframe[] = [];
  private readonly keyframe: number;
  /** Places of the inputs by name. */
  private readonly places: ReadonlyMap<string, number>;
  /** As its first segment flies it. */
  private firstVehicle?: Vehicle;
  /** Actions were dropped: the log does not repeat the flight any more. */
  private isCut = false;

  constructor(start: FlightStart) {
    this.start = start;
    this.vehicle = start.vehicle;
    this.places = new Map(this.vehicle.model.inputs.map((f, i) => [f.name, i]));
    this.current = this.segment(start.scenario);
    this.segments.push(this.current);
    const { simulation, scenario } = this.current;
    this.keyframe = Math.max(KEYFRAME, Math.round(1 / scenario.controlDt));
    this.manual = this.makeManualControl(scenario);
    const outputs = new Set(this.vehicle.model.outputs.map((f) => f.name));
    this.record = new FlightRecord(simulation.channels, (i) => !outputs.has(simulation.channels[i].name));
    this.record.write(simulation.sample());
    this.addKeyframe();
  }

  get simulation(): SimulationCore {
    return this.current.simulation;
  }
  get scenario(): Scenario {
    return this.current.scenario;
  }
  /** The scenario as it is now. */
  get spec(): Spec {
    return this.current.spec;
  }
  /** Whether it is under manual control now. */
  get isByHand(): boolean {
    return this.current.taken[0] === MANUAL;
  }
  /** The scenario says how long it takes. */
  private get isTimed(): boolean {
    return this.current.taken[0] === SCENARIO;
  }
  get sticks(): Float64Array {
    return this.current.sticks.positions;
  }
  /** Parameters as they are now, in the order of the model's. */
  get parameters(): Float64Array {
    return this.simulation.parameterValues();
  }
  /** It goes no further by itself. */
  get isOver(): boolean {
    const { simulation } = this;
    return simulation.finished || (this.isTimed && simulation.t >= this.scenario.duration - 1e-9);
  }

  /** One tick on; from a moment in the past what came after it is forgotten. */
  step(): boolean {
    if (this.isOver) return false;
    if (this.tick < this.end) {
      this.truncate();
      this.releaseSticks();
    }
    this.advance();
    this.end = this.tick;
    this.simulation.evaluateEnvironment();
    this.record.write(this.simulation.sample(false));
    if (this.tick % this.keyframe === 0) this.addKeyframe();
    return !this.isOver;
  }

  moveStick(stick: number, kind: StickMotion, value: number): void {
    this.act({ tick: this.tick, kind, stick, value });
  }

  /** Holds the sticks where a steady motion has them. */
  holdSticksAt(x: Float64Array, u: Float64Array): void {
    this.manual.sticksAt?.(x, u).forEach((value, stick) => {
      if (Math.abs(value - this.manual.sticks[stick].rest) > 1e-3) this.moveStick(stick, "hold", value);
    });
  }

  takeControl(): void {
    if (!this.isByHand) this.act({ tick: this.tick, kind: "take" });
  }

  /** Inputs by name, held from now on; answers with those that were out of range and clamped. */
  command(inputs: Readonly<Record<string, number>>): string[] {
    const clamped: string[] = [];
    const values: Record<string, number> = {};
    for (const name in inputs) {
      const value = inputs[name];
      const field = this.vehicle.model.inputs[this.places.get(name) ?? -1];
      if (field === undefined) throw new InputError(`there is no input "${name}"`, { field: name });
      if (!Number.isFinite(value))
        throw new InputError("is not a number", { field: name, value, allowed: allowed(field) });
      const { min = -Infinity, max = Infinity } = field;
      values[name] = Math.min(max, Math.max(min, value));
      if (values[name] !== value) clamped.push(name);
    }
    if (!this.isSet(values)) this.act({ tick: this.tick, kind: "inputs", values });
    return clamped;
  }

  /** Whether an external controller already holds these values. */
  private isSet(values: Readonly<Record<string, number>>): boolean {
    const { taken, outside } = this.current;
    if (taken[0] !== OUTSIDE || this.tick < this.end) return false;
    for (const name in values) if (outside[this.places.get(name) ?? -1] !== values[name]) return false;
    return true;
  }

  /** The vehicle back to its start; time goes on. */
  reset(): void {
    this.act({ tick: this.tick, kind: "reset" });
  }

  /** Parameters by name, from now on. */
  setParameters(values: Readonly<Record<string, number>>): void {
    this.act({ tick: this.tick, kind: "parameters", values });
  }

  /** A spec merged over the scenario, from now on. */
  changeEnvironment(spec: Spec): void {
    this.act({ tick: this.tick, kind: "environment", spec });
  }

  /** To a tick that was flown, what was done at it included; nothing is forgotten until it goes on from there. */
  seek(tick: number): void {
    const first = Math.max(this.record.first, this.keyframes[0].tick);
    const wanted = Math.max(first, Math.min(this.end, Math.round(tick)));
    const frame = this.keyframes.findLast((k) => k.tick <= wanted);
    if (frame === undefined) return;
    this.current = frame.segment;
    this.simulation.restore(frame.snapshot);
    this.tick = frame.tick;
    const again = this.actions.filter((d) => d.tick >= frame.tick && d.tick <= wanted);
    let next = 0;
    for (;;) {
      // A new environment has keyframes of its own.
      for (; next < again.length && again[next].tick === this.tick; next++)
        if (again[next].kind !== "environment") this.apply(again[next]);
      if (this.tick >= wanted) return;
      this.advance();
    }
  }

  log(): FlightLog {
    if (this.isCut)
      throw new InputError(`more than ${MOST_ACTIONS} actions were made: too many to repeat the flight`);
    const { vehicleRef: named, scenario, byHand, files } = this.start;
    return {
      version: VERSION,
      vehicle: named,
      name: this.vehicle.name,
      scenario,
      byHand,
      ...(files?.length ? { files } : {}),
      actions: this.actions.filter((d) => d.tick <= this.tick),
      ticks: this.tick,
      hash: this.simulation.digest(),
    };
  }

  /** Does again what a log says, tick by tick. */
  *replay(log: FlightLog): Generator<number> {
    let next = 0;
    for (;;) {
      for (; next < log.actions.length && log.actions[next].tick <= this.tick; next++)
        this.act({ ...log.actions[next], tick: this.tick });
      const { tick } = this;
      if (tick >= log.ticks) return;
      this.step();
      // An action may continue a flight that had ended.
      if (this.tick === tick) return;
      yield this.tick;
    }
  }

  /** The outputs of a past tick follow from the parameters and environment of that time. */
  settingAt(tick: number): {
    readonly parameters: Readonly<Record<string, number>>;
    readonly scenario: Scenario;
  } {
    const parameters: Record<string, number> = {};
    for (const action of this.changes)
      if (action.tick <= tick && action.kind === "parameters") Object.assign(parameters, action.values);
    const segment = this.segments.findLast((c) => c.from <= tick) ?? this.segments[0];
    return { parameters, scenario: segment.scenario };
  }

  /** The last action up to a tick that changed parameters or environment. */
  lastChange(tick: number): Action | undefined {
    return this.changes.findLast((d) => d.tick <= tick);
  }

  private advance(): void {
    this.simulation.step(this.isTimed ? this.scenario.duration : undefined);
    this.tick++;
  }

  /** A rejected action changes nothing, not even the recorded future. */
  private act(action: Action): void {
    this.apply(action);
    if (this.tick < this.end) this.truncate();
    this.addAction(action);
    if (action.kind === "environment") this.addKeyframe();
  }

  /** A slider that is dragged in a pause, a stick that trembles within a tick: only where it comes to rest counts. */
  private addAction(action: Action): void {
    const at = this.sameBefore(action);
    const before = this.actions[at];
    if (before && "values" in before && "values" in action)
      this.actions[at] = { ...action, values: { ...before.values, ...action.values } };
    else if (before) this.actions[at] = action;
    else this.actions.push(action);
    if (isChange(action)) this.changes = this.actions.filter(isChange);
    if (this.actions.length <= MOST_ACTIONS) return;
    // A controller has commanded for long: half of what can be gone back to is forgotten, with what was done in it.
    this.isCut = true;
    this.keyframes.splice(0, this.keyframes.length >> 1);
    const { tick } = this.keyframes[0];
    const kept = this.actions.filter((d) => d.tick >= tick || isChange(d));
    this.actions = kept.length < MOST_ACTIONS ? kept : kept.slice(-(MOST_ACTIONS >> 1));
  }

  /** The action of this tick that a new one replaces: the last, or among stick actions the last of the same stick. */
  private sameBefore(action: Action): number {
    if (action.kind === "reset") return -1;
    for (let i = this.actions.length - 1; i >= 0; i--) {
      const before = this.actions[i];
      if (before.tick !== action.tick) return -1;
      if ("stick" in action && "stick" in before && before.stick !== action.stick) continue;
      return before.kind === action.kind ? i : -1;
    }
    return -1;
  }

  private apply(action: Action): void {
    const { taken, outside, sticks } = this.current;
    if (action.kind === "take") taken[0] = MANUAL;
    else if (action.kind === "reset") this.simulation.reset();
    else if (action.kind === "inputs") {
      for (const name in action.values) outside[this.places.get(name) ?? -1] = action.values[name];
      taken[0] = OUTSIDE;
      // What answers the sample of now counts from now on.
      this.simulation.decide();
    } else if (action.kind === "parameters") this.applyParameters(action.values);
    else if (action.kind === "environment") {
      const before = this.current;
      const next = this.segment(action.spec, before);
      next.simulation.adoptState(before.simulation);
      this.segments.push(next);
      this.current = next;
    } else {
      sticks.moveStick(action.stick, action.kind, action.value);
      // A stick action switches to manual control.
      taken[0] = MANUAL;
    }
  }

  private applyParameters(named: Readonly<Record<string, number>>): void {
    const { model } = this.vehicle;
    const values = this.parameters;
    for (const [name, v] of Object.entries(named)) {
      const i = indexOf(model.parameters, name);
      if (i < 0) throw new InputError(`there is no parameter "${name}"`, { field: name });
      const field = model.parameters[i];
      if (!inRange(field, v))
        throw new InputError(`${v} is out of range`, { field: name, value: v, allowed: allowed(field) });
      values[i] = v;
    }
    const all = Object.fromEntries(model.parameters.map((f, i) => [f.name, values[i]]));
    refuseLongSteps(this.scenario, withParameters(this.vehicle, all).parameters);
    this.simulation.setParameters(values);
  }

  /** Releases sticks that were pushed in the past when the flight continues from there. */
  private releaseSticks(): void {
    for (const stick of this.current.sticks.pushed()) this.moveStick(stick, "push", 0);
  }

  private truncate(): void {
    const { tick } = this;
    this.end = tick;
    this.actions = this.actions.filter((d) => d.tick <= tick);
    this.changes = this.actions.filter(isChange);
    this.keyframes = this.keyframes.filter((k) => k.tick <= tick);
    this.segments = this.segments.filter((c) => c.from <= tick);
    this.record.cut(tick);
  }

  private addKeyframe(): void {
    const { tick, current: segment, keyframes, record } = this;
    while (keyframes.length > 1 && keyframes[1].tick <= record.first) keyframes.shift();
    keyframes.push({ tick, segment: segment, snapshot: this.simulation.snapshot() });
    // What lies before everything that is kept is not gone back to.
    const oldest = this.segments.indexOf(keyframes[0].segment);
    if (oldest > 0) this.segments.splice(0, oldest);
  }

  /** Made for the initial parameters: the controller is not redesigned when they change. */
  private makeManualControl({ vehicle, controlDt }: Scenario): ManualControl {
    this.firstVehicle ??= vehicle;
    const { type, model, parameters } = this.firstVehicle;
    return type.manualControl?.(this.firstVehicle, controlDt) ?? directManualControl(model, parameters);
  }

  private segment(spec: Spec, over?: Segment): Segment {
    const { vehicle, files = [], byHand } = this.start;
    const stranger = over && Object.keys(spec).find((key) => !CHANGEABLE.includes(key));
    if (stranger !== undefined)
      throw new InputError("cannot change in flight", { field: stranger, allowed: CHANGEABLE.join(", ") });
    const own = plainSource(spec, over ? "change" : "flight");
    const source = over ? overlay(plainSource(over.spec, "flight"), own) : own;
    const scenario = readScenario(source, vehicle, openAmong(files));
    const sticks = new StickSource(this.makeManualControl(scenario), scenario.controlDt);
    const taken = Float64Array.of(byHand ? MANUAL : SCENARIO);
    const outside = new Float64Array(vehicle.model.inputs.length).fill(Number.NaN);
    const around = (other: InputSource) => inputSelector(sticks, other, taken, outside);
    const simulation = createCore(scenario, { around });
    return { from: this.tick, spec: source.value as Spec, scenario, simulation, sticks, taken, outside };
  }
}
