/**
 * A flight that somebody takes part in: hands that fly, parameters and surroundings that change on the way, and a past to go back
 * to. It is its beginning and its deeds, so the same deeds fly the same bits again, here or elsewhere.
 */
import type { Hands } from "../../control/hands/hands.ts";
import { handsFor } from "../../control/hands/hands-for.ts";
import { type Gesture, StickSource } from "../../control/hands/stick-source.ts";
import type { Source } from "../../control/source.ts";
import { overlay, plainSource } from "../../model/document.ts";
import { allowed, inRange } from "../../model/field.ts";
import { InputError } from "../../model/input-error.ts";
import { indexOf, type Vehicle } from "../../model/model.ts";
import { withParameters } from "../../model/parameters.ts";
import { VERSION } from "../../version.ts";
import { createSimulation, refuseLongSteps } from "../create.ts";
import { readScenario, type Scenario } from "../scenario.ts";
import type { Simulation } from "../simulation.ts";
import { type Deed, type FlightLog, isChange, openAmong, type TextFile, type Words } from "./deeds.ts";
import { HANDS, handed, OUTSIDE, SCENARIO } from "./handed.ts";
import { MOST_DEEDS } from "./read-log.ts";
import { FlightRecord } from "./record.ts";

/** Ticks from one moment that can be gone back to directly to the next, or a second where that is more. */
const KEYFRAME = 50;
/** What may change around a vehicle while it flies. */
const SURROUNDINGS = ["wind", "air", "faults", "boundaries"];

export interface FlightBeginning {
  readonly vehicle: Vehicle;
  /** The vehicle as a link names it. */
  readonly named: string | Words;
  readonly scenario: Words;
  /** By hand from the beginning, for ever; otherwise as the scenario says. */
  readonly byHand: boolean;
  /** Files that the scenario names. */
  readonly files?: readonly TextFile[];
}

/** A simulation with its surroundings, from a tick on. */
interface Chapter {
  readonly from: number;
  readonly words: Words;
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  readonly sticks: StickSource;
  readonly taken: Float64Array;
  /** Inputs as they are set from outside; NaN where they are not. */
  readonly outside: Float64Array;
}

interface Keyframe {
  readonly tick: number;
  readonly chapter: Chapter;
  readonly snapshot: Uint8Array;
}

export class Flight {
  readonly vehicle: Vehicle;
  readonly hands: Hands;
  readonly record: FlightRecord;
  /** Samples flown so far, and the newest of all. The last one of a scenario may end within a tick of the simulation. */
  tick = 0;
  end = 0;
  private readonly beginning: FlightBeginning;
  private deeds: Deed[] = [];
  /** Those of them that change more than sticks. */
  private changes: readonly Deed[] = [];
  private chapters: Chapter[] = [];
  private current: Chapter;
  private keyframes: Keyframe[] = [];
  private readonly keyframe: number;
  /** Places of the inputs by name. */
  private readonly places: ReadonlyMap<string, number>;
  private flown?: unknown;
  /** Deeds were forgotten: it cannot be flown again. */
  private isCut = false;

  constructor(beginning: FlightBeginning) {
    this.beginning = beginning;
    this.vehicle = beginning.vehicle;
    this.places = new Map(this.vehicle.model.inputs.map((f, i) => [f.name, i]));
    this.current = this.chapter(beginning.scenario);
    this.chapters.push(this.current);
    const { simulation, scenario } = this.current;
    this.keyframe = Math.max(KEYFRAME, Math.round(1 / scenario.controlDt));
    this.hands = this.makeHands(scenario);
    const outputs = new Set(this.vehicle.model.outputs.map((f) => f.name));
    this.record = new FlightRecord(simulation.channels, (i) => !outputs.has(simulation.channels[i].name));
    this.record.write(simulation.sample());
    this.keep();
  }

  get simulation(): Simulation {
    return this.current.simulation;
  }
  get scenario(): Scenario {
    return this.current.scenario;
  }
  /** The scenario as it is now. */
  get words(): Words {
    return this.current.words;
  }
  /** Hands fly it, now. */
  get isByHand(): boolean {
    return this.current.taken[0] === HANDS;
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
      this.forget();
      this.letGo();
    }
    this.advance();
    this.end = this.tick;
    this.simulation.feel();
    this.record.write(this.simulation.sample(false));
    if (this.tick % this.keyframe === 0) this.keep();
    return !this.isOver;
  }

  gesture(stick: number, kind: Gesture, value: number): void {
    this.act({ tick: this.tick, kind, stick, value });
  }

  /** Holds the sticks where a steady motion has them. */
  holdAt(x: Float64Array, u: Float64Array): void {
    this.hands.sticksAt?.(x, u).forEach((value, stick) => {
      if (Math.abs(value - this.hands.sticks[stick].rest) > 1e-3) this.gesture(stick, "hold", value);
    });
  }

  take(): void {
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
        throw new InputError("is no number", { field: name, value, allowed: allowed(field) });
      const { min = -Infinity, max = Infinity } = field;
      values[name] = Math.min(max, Math.max(min, value));
      if (values[name] !== value) clamped.push(name);
    }
    if (!this.isSet(values)) this.act({ tick: this.tick, kind: "inputs", values });
    return clamped;
  }

  /** Somebody outside holds these inputs already. */
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
  change(values: Readonly<Record<string, number>>): void {
    this.act({ tick: this.tick, kind: "parameters", values });
  }

  /** Words laid over the scenario, from now on. */
  surround(words: Words): void {
    this.act({ tick: this.tick, kind: "surroundings", words });
  }

  /** To a tick that was flown, what was done at it included; nothing is forgotten until it goes on from there. */
  seek(tick: number): void {
    const first = Math.max(this.record.first, this.keyframes[0].tick);
    const wanted = Math.max(first, Math.min(this.end, Math.round(tick)));
    const frame = this.keyframes.findLast((k) => k.tick <= wanted);
    if (frame === undefined) return;
    this.current = frame.chapter;
    this.simulation.restore(frame.snapshot);
    this.tick = frame.tick;
    const again = this.deeds.filter((d) => d.tick >= frame.tick && d.tick <= wanted);
    let next = 0;
    for (;;) {
      // New surroundings have keyframes of their own.
      for (; next < again.length && again[next].tick === this.tick; next++)
        if (again[next].kind !== "surroundings") this.apply(again[next]);
      if (this.tick >= wanted) return;
      this.advance();
    }
  }

  log(): FlightLog {
    if (this.isCut) throw new InputError(`more than ${MOST_DEEDS} deeds are too many to be flown again`);
    const { named, scenario, byHand, files } = this.beginning;
    return {
      version: VERSION,
      vehicle: named,
      name: this.vehicle.name,
      scenario,
      byHand,
      ...(files?.length ? { files } : {}),
      deeds: this.deeds.filter((d) => d.tick <= this.tick),
      ticks: this.tick,
      hash: this.simulation.digest(),
    };
  }

  /** Does again what a log says, tick by tick. */
  *again(log: FlightLog): Generator<number> {
    let next = 0;
    for (;;) {
      for (; next < log.deeds.length && log.deeds[next].tick <= this.tick; next++)
        this.act({ ...log.deeds[next], tick: this.tick });
      const { tick } = this;
      if (tick >= log.ticks) return;
      this.step();
      // A deed may make it go on from where it ended.
      if (this.tick === tick) return;
      yield this.tick;
    }
  }

  /** The outputs of a tick in the past belong to these parameters and surroundings. */
  settingAt(tick: number): {
    readonly parameters: Readonly<Record<string, number>>;
    readonly scenario: Scenario;
  } {
    const parameters: Record<string, number> = {};
    for (const deed of this.changes)
      if (deed.tick <= tick && deed.kind === "parameters") Object.assign(parameters, deed.values);
    const chapter = this.chapters.findLast((c) => c.from <= tick) ?? this.chapters[0];
    return { parameters, scenario: chapter.scenario };
  }

  /** What changed parameters or surroundings last, at a tick. */
  lastChange(tick: number): Deed | undefined {
    return this.changes.findLast((d) => d.tick <= tick);
  }

  private advance(): void {
    this.simulation.step(this.isTimed ? this.scenario.duration : undefined);
    this.tick++;
  }

  /** What cannot be done leaves everything as it was, the future too. */
  private act(deed: Deed): void {
    this.apply(deed);
    if (this.tick < this.end) this.forget();
    this.note(deed);
    if (deed.kind === "surroundings") this.keep();
  }

  /** A slider that is dragged in a pause, a stick that trembles within a tick: only where it comes to rest counts. */
  private note(deed: Deed): void {
    const at = this.sameBefore(deed);
    const before = this.deeds[at];
    if (before && "values" in before && "values" in deed)
      this.deeds[at] = { ...deed, values: { ...before.values, ...deed.values } };
    else if (before) this.deeds[at] = deed;
    else this.deeds.push(deed);
    if (isChange(deed)) this.changes = this.deeds.filter(isChange);
    if (this.deeds.length <= MOST_DEEDS) return;
    // A controller has commanded for long: half of what can be gone back to is forgotten, with what was done in it.
    this.isCut = true;
    this.keyframes.splice(0, this.keyframes.length >> 1);
    const { tick } = this.keyframes[0];
    const kept = this.deeds.filter((d) => d.tick >= tick || isChange(d));
    this.deeds = kept.length < MOST_DEEDS ? kept : kept.slice(-(MOST_DEEDS >> 1));
  }

  /** The deed of this tick that a new one replaces: the last, or among gestures the last of the same stick. */
  private sameBefore(deed: Deed): number {
    if (deed.kind === "reset") return -1;
    for (let i = this.deeds.length - 1; i >= 0; i--) {
      const before = this.deeds[i];
      if (before.tick !== deed.tick) return -1;
      if ("stick" in deed && "stick" in before && before.stick !== deed.stick) continue;
      return before.kind === deed.kind ? i : -1;
    }
    return -1;
  }

  private apply(deed: Deed): void {
    const { taken, outside, sticks } = this.current;
    if (deed.kind === "take") taken[0] = HANDS;
    else if (deed.kind === "reset") this.simulation.reset();
    else if (deed.kind === "inputs") {
      for (const name in deed.values) outside[this.places.get(name) ?? -1] = deed.values[name];
      taken[0] = OUTSIDE;
      // What answers the sample of now counts from now on.
      this.simulation.decide();
    } else if (deed.kind === "parameters") this.setParameters(deed.values);
    else if (deed.kind === "surroundings") {
      const before = this.current;
      const next = this.chapter(deed.words, before);
      next.simulation.takeOver(before.simulation);
      this.chapters.push(next);
      this.current = next;
    } else {
      sticks.gesture(deed.stick, deed.kind, deed.value);
      // A hand on the stick flies, whoever flew before.
      taken[0] = HANDS;
    }
  }

  private setParameters(named: Readonly<Record<string, number>>): void {
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

  /** Hands that pushed in the past push no more when it goes on from there. */
  private letGo(): void {
    for (const stick of this.current.sticks.pushed()) this.gesture(stick, "push", 0);
  }

  private forget(): void {
    const { tick } = this;
    this.end = tick;
    this.deeds = this.deeds.filter((d) => d.tick <= tick);
    this.changes = this.deeds.filter(isChange);
    this.keyframes = this.keyframes.filter((k) => k.tick <= tick);
    this.chapters = this.chapters.filter((c) => c.from <= tick);
    this.record.cut(tick);
  }

  private keep(): void {
    const { tick, current: chapter, keyframes, record } = this;
    while (keyframes.length > 1 && keyframes[1].tick <= record.first) keyframes.shift();
    keyframes.push({ tick, chapter, snapshot: this.simulation.snapshot() });
    // What lies before everything that is kept is not gone back to.
    const oldest = this.chapters.indexOf(keyframes[0].chapter);
    if (oldest > 0) this.chapters.splice(0, oldest);
  }

  /** Made for the vehicle as it began: who flies does not know what changes on the way. */
  private makeHands({ parameters, controlDt }: Scenario): Hands {
    this.flown ??= withParameters(this.vehicle, parameters).parameters;
    return handsFor(this.vehicle.model, this.flown, controlDt);
  }

  private chapter(words: Words, over?: Chapter): Chapter {
    const { vehicle, files = [], byHand } = this.beginning;
    const stranger = over && Object.keys(words).find((key) => !SURROUNDINGS.includes(key));
    if (stranger !== undefined)
      throw new InputError("cannot change in flight", { field: stranger, allowed: SURROUNDINGS.join(", ") });
    const own = plainSource(words, over ? "change" : "flight");
    const source = over ? overlay(plainSource(over.words, "flight"), own) : own;
    const scenario = readScenario(source, vehicle, openAmong(files));
    const sticks = new StickSource(this.makeHands(scenario), scenario.controlDt);
    const taken = Float64Array.of(byHand ? HANDS : SCENARIO);
    const outside = new Float64Array(vehicle.model.inputs.length).fill(Number.NaN);
    const around = (other: Source) => handed(sticks, other, taken, outside);
    const simulation = createSimulation(scenario, { around });
    return { from: this.tick, words: source.value as Words, scenario, simulation, sticks, taken, outside };
  }
}
