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
import { createSimulation } from "../create.ts";
import type { Open } from "../manual-schema.ts";
import { readScenario, type Scenario } from "../scenario.ts";
import type { Simulation } from "../simulation.ts";
import type { Deed, FlightLog, Words } from "./deeds.ts";
import { FlightRecord } from "./record.ts";

/** Ticks from one moment that can be gone back to directly to the next. */
const KEYFRAME = 50;

export interface FlightBeginning {
  readonly vehicle: Vehicle;
  /** The vehicle as a link names it. */
  readonly named: string | Words;
  readonly scenario: Words;
  /** By hand from the beginning, for ever; otherwise as the scenario says. */
  readonly byHand: boolean;
  /** Opens files that the scenario names. */
  readonly open?: Open;
}

/** A simulation with its surroundings, from a tick on. */
interface Chapter {
  readonly from: number;
  readonly words: Words;
  readonly scenario: Scenario;
  readonly simulation: Simulation;
  readonly sticks: StickSource;
  readonly taken: Float64Array;
}

interface Keyframe {
  readonly tick: number;
  readonly chapter: number;
  readonly snapshot: Uint8Array;
}

export class Flight {
  readonly vehicle: Vehicle;
  readonly hands: Hands;
  readonly record: FlightRecord;
  /** The last tick flown; `tick` may be before it. */
  end = 0;
  private readonly beginning: FlightBeginning;
  private deeds: Deed[] = [];
  /** Those of them that change more than sticks. */
  private changes: readonly Deed[] = [];
  private chapters: Chapter[] = [];
  private current: Chapter;
  private keyframes: Keyframe[] = [];
  private flown?: unknown;

  constructor(beginning: FlightBeginning) {
    this.beginning = beginning;
    this.vehicle = beginning.vehicle;
    this.current = this.chapter(0, beginning.scenario);
    this.chapters.push(this.current);
    const { simulation, scenario } = this.current;
    this.hands = this.makeHands(scenario);
    const { model } = this.vehicle;
    const outputs = new Set(model.outputs.map((f) => f.name));
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
  get tick(): number {
    return this.simulation.tick;
  }
  /** Hands fly it, now. */
  get isByHand(): boolean {
    return this.current.taken[0] === 1;
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
    return simulation.finished || (!this.isByHand && simulation.t >= this.scenario.duration - 1e-9);
  }

  /** One tick on; from a moment in the past what came after it is forgotten. */
  step(): boolean {
    if (this.isOver) return false;
    if (this.tick < this.end) {
      this.forget();
      this.letGo();
    }
    const { simulation } = this;
    simulation.step(this.isByHand ? undefined : this.scenario.duration);
    this.end = simulation.tick;
    this.record.write(simulation.sample(false));
    if (simulation.tick % KEYFRAME === 0) this.keep();
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

  /** Parameters by name, from now on. */
  change(values: Readonly<Record<string, number>>): void {
    this.act({ tick: this.tick, kind: "parameters", values });
  }

  /** Words laid over the scenario, from now on. */
  surround(words: Words): void {
    this.act({ tick: this.tick, kind: "surroundings", words });
  }

  /** To a tick that was flown; nothing is forgotten until it goes on from there. */
  seek(tick: number): void {
    const wanted = Math.max(this.record.first, Math.min(this.end, Math.round(tick)));
    const frame = this.keyframes.findLast((k) => k.tick <= wanted);
    if (frame === undefined) return;
    this.current = this.chapters[frame.chapter];
    this.simulation.restore(frame.snapshot);
    this.replay(frame.tick, wanted);
  }

  log(): FlightLog {
    const { named, scenario, byHand } = this.beginning;
    return {
      version: VERSION,
      vehicle: named,
      name: this.vehicle.name,
      scenario,
      byHand,
      deeds: this.deeds.filter((d) => d.tick <= this.tick),
      ticks: this.tick,
      hash: this.simulation.digest(),
    };
  }

  /** Does again what a log says, tick by tick; false when it is done. */
  *again(log: FlightLog): Generator<number> {
    let next = 0;
    for (;;) {
      for (; next < log.deeds.length && log.deeds[next].tick <= this.tick; next++)
        this.act({ ...log.deeds[next], tick: this.tick });
      if (this.tick >= log.ticks || !this.step()) return;
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

  /** The scenario as it is now. */
  get words(): Words {
    return this.current.words;
  }

  /** What changed parameters or surroundings last, at a tick. */
  lastChange(tick: number): Deed | undefined {
    return this.changes.findLast((d) => d.tick <= tick);
  }

  private act(deed: Deed): void {
    if (this.tick < this.end) this.forget();
    this.apply(deed);
    this.note(deed);
    if (deed.kind === "surroundings") this.keep();
  }

  /** A slider that is dragged in a pause, a stick that trembles within a tick: only where it comes to rest counts. */
  private note(deed: Deed): void {
    const last = this.deeds.at(-1);
    const end = this.deeds.length - 1;
    if (last?.tick !== deed.tick || last.kind !== deed.kind) this.deeds.push(deed);
    else if (last.kind === "parameters" && deed.kind === "parameters")
      this.deeds[end] = { ...deed, values: { ...last.values, ...deed.values } };
    else if ("stick" in last && "stick" in deed && last.stick === deed.stick) this.deeds[end] = deed;
    else this.deeds.push(deed);
    if (isChange(deed)) this.changes = this.deeds.filter(isChange);
  }

  private apply(deed: Deed): void {
    const { model } = this.vehicle;
    if (deed.kind === "take") this.current.taken[0] = 1;
    else if (deed.kind === "parameters") {
      const values = this.parameters;
      for (const [name, v] of Object.entries(deed.values)) {
        const i = indexOf(model.parameters, name);
        if (i < 0) throw new InputError(`there is no parameter "${name}"`, { field: name });
        const field = model.parameters[i];
        if (!inRange(field, v))
          throw new InputError(`${v} is out of range`, { field: name, value: v, allowed: allowed(field) });
        values[i] = v;
      }
      this.simulation.setParameters(values);
    } else if (deed.kind === "surroundings") {
      const before = this.current;
      const next = this.chapter(deed.tick, deed.words, before.words);
      next.simulation.takeOver(before.simulation);
      this.chapters.push(next);
      this.current = next;
    } else {
      // A hand on the stick flies, whoever flew before.
      this.current.taken[0] = 1;
      this.current.sticks.gesture(deed.stick, deed.kind, deed.value);
    }
  }

  /** Once more from a keyframe, what was done at the last tick included; new surroundings have keyframes of their own. */
  private replay(from: number, to: number): void {
    const wanted = this.deeds.filter((d) => d.tick >= from && d.tick <= to);
    let next = 0;
    for (;;) {
      for (; next < wanted.length && wanted[next].tick === this.tick; next++)
        if (wanted[next].kind !== "surroundings") this.apply(wanted[next]);
      if (this.tick >= to) return;
      this.simulation.step(this.isByHand ? undefined : this.scenario.duration);
    }
  }

  /** Hands that pushed in the past push no more when it goes on from there. */
  private letGo(): void {
    this.current.sticks.pushed().forEach((stick) => {
      this.gesture(stick, "push", 0);
    });
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
    const { tick, chapters, current, keyframes, record } = this;
    while (keyframes.length > 1 && keyframes[1].tick <= record.first) keyframes.shift();
    keyframes.push({ tick, chapter: chapters.indexOf(current), snapshot: this.simulation.snapshot() });
  }

  /** Made for the vehicle as it began: who flies does not know what changes on the way. */
  private makeHands({ parameters, controlDt }: Scenario): Hands {
    this.flown ??= withParameters(this.vehicle, parameters).parameters;
    return handsFor(this.vehicle.model, this.flown, controlDt);
  }

  private chapter(from: number, words: Words, over?: Words): Chapter {
    const { vehicle, open, byHand } = this.beginning;
    const whole = over ? overlay(plainSource(over, "flight"), plainSource(words, "change")) : undefined;
    const source = whole ?? plainSource(words, "flight");
    const scenario = readScenario(source, vehicle, open);
    const sticks = new StickSource(this.makeHands(scenario), scenario.controlDt);
    const taken = Float64Array.of(byHand ? 1 : 0);
    const simulation = createSimulation(scenario, { around: (other) => handed(sticks, other, taken) });
    return { from, words: source.value as Words, scenario, simulation, sticks, taken };
  }
}

const isChange = ({ kind }: Deed) => kind === "parameters" || kind === "surroundings";

/** Flown by another source until hands take over. */
function handed(sticks: StickSource, other: Source, taken: Float64Array): Source {
  return {
    memory: [taken, ...sticks.memory, ...(other.memory ?? [])],
    update(sensed, u) {
      if (taken[0] === 1) sticks.update(sensed, u);
      else other.update(sensed, u);
    },
  };
}
