/** A flight deck: takes orders, answers questions, keeps real time, and tells what happens. Knows neither page nor socket. */

import { firstFlight, flightFrom } from "../analysis/first-flight.ts";
import { type NamedWords, vehicleNamed } from "../formats/named-vehicle.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { withParameters } from "../model/parameters.ts";
import { RunError } from "../simulation/divergence.ts";
import type { FlightLog, TextFile, Words } from "../simulation/flight/deeds.ts";
import { Flight } from "../simulation/flight/flight.ts";
import { readFlightLog } from "../simulation/flight/read-log.ts";
import type { Jitter } from "../simulation/jitter.ts";
import { Pacer } from "../simulation/pacer.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { answer } from "./answer.ts";
import { begunFlight, begunLog } from "./begun.ts";
import { changedWords } from "./changed-words.ts";
import { type Film, FlightFilm, LogFilm } from "./film.ts";
import { holdSticks, stickPositions } from "./hold-sticks.ts";
import { instantOf } from "./instant.ts";
import { openTexts } from "./open.ts";
import { openLog } from "./open-log.ts";
import type { Answers, Begun, Instant, News, Order, Question } from "./protocol.ts";

/** Longest time for ticks before others have their turn [ms]. */
const TURN = 12;
/** As often as views look at what somebody else steps [ms]. */
const VIEW = 30;
const NONE = new Float64Array(0);
/** Simulated seconds per second. */
export const SLOWEST = 0.01;
export const FASTEST = 100;

type Begin = Order & { readonly do: "begin" };
interface Repeating {
  readonly ticks: Generator<number>;
  readonly flight: Flight;
  readonly named: string | NamedWords;
  readonly log: FlightLog;
}

export class Deck {
  private readonly tell: (news: News) => void;
  private readonly now: () => number;
  private film?: Film;
  /** What flies, unless the film is a log. */
  private flight?: Flight;
  private named?: string | NamedWords;
  private shownLog?: Begun;
  private pacer?: Pacer;
  private speed = 1;
  /** Time goes on. */
  isPlaying = false;
  /** What a restart repeats. */
  private began?: Order;
  /** A shared flight that is being flown again. */
  private repeating?: Repeating;
  /** Who makes its ticks, by `advance`, if somebody else does; steps that were ordered are granted to that one. */
  drivenBy?: string;
  private granted = 0;
  /** Somebody has laid hands on its sticks. */
  isTaken = false;
  /** When views were told last [ms]. */
  private toldAt = 0;
  /** Sees every sample as it comes; valid until the next. */
  onSample?: (row: Float64Array) => void;
  /** Others follow its time: it goes on from where it is, whoever looks back, and begins anew only by a reset. */
  isShared = false;

  /** `now` is a clock in milliseconds. */
  constructor(tell: (news: News) => void, now: () => number) {
    this.tell = tell;
    this.now = now;
  }

  /** What cannot be done is refused in words; the flight before it stays. */
  order(order: Order): void {
    try {
      this.carryOut(order);
    } catch (error) {
      this.failed(error);
    }
  }

  /** What cannot be done is thrown at who orders it; a flight that ends by it is told to all. */
  obey(order: Order): void {
    try {
      this.carryOut(order);
    } catch (error) {
      if (error instanceof InputError) throw error;
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof RunError) this.stop(error);
    else if (error instanceof InputError) this.tell({ news: "refused", message: error.message });
    else throw error;
  }

  /** Inputs from outside, by name; answers with those that were clamped, and throws what cannot be. */
  command(inputs: Readonly<Record<string, number>>): readonly string[] {
    return this.flown().command(inputs);
  }

  /** Sticks in their order, from -1 at the lower end to 1 at the upper; those that did not move are left alone. */
  holdSticks(positions: readonly number[]): void {
    holdSticks(this.flown(), positions);
  }

  /** The sticks and where they are, from -1 to 1. */
  stickPositions(): ReadonlyMap<string, number> {
    return stickPositions(this.flown());
  }

  /** What flies. */
  get simulation(): Simulation {
    return this.flown().simulation;
  }

  /** Parameters as they are now, in the order of the model's; none of a log. */
  parameters(): Float64Array {
    return this.flight?.parameters ?? NONE;
  }

  private flown(): Flight {
    if (this.flight === undefined)
      throw new InputError("a log can only be looked at; choose a vehicle to fly");
    return this.flight;
  }

  ask<K extends Question["ask"]>(question: Question & { ask: K }): Answers[K] {
    return answer(question, this.film, this.flight) as Answers[K];
  }

  /** Parameters by name, from now on; throws what cannot be. */
  change(values: Readonly<Record<string, number>>): void {
    const flight = this.flown();
    flight.change(values);
    this.tellChange(flight);
  }

  /** Shows the sample of now to who sees every sample. */
  showSample(): void {
    if (this.film) this.onSample?.(this.film.sample());
  }

  /** Until there is something to do [ms]. */
  untilDue(): number {
    return this.isPlaying && this.pacer ? this.pacer.untilDue() : Number.POSITIVE_INFINITY;
  }
  /** How late ticks came, and how many did not. */
  get pace(): { readonly jitter?: Jitter; readonly lost: number } {
    return { jitter: this.pacer?.jitter, lost: this.pacer?.lost ?? 0 };
  }

  /** Goes on by the ticks that are due; to be called often. */
  turn(): void {
    if (this.repeating) this.repeat(this.repeating);
    const { film, pacer } = this;
    if (!this.isPlaying || film === undefined || pacer === undefined) return;
    const due = pacer.due();
    if (due === 0) return;
    const began = this.now();
    try {
      for (let k = 0; k < due; k++) {
        if (!this.step(film)) this.isPlaying = false;
        if (!this.isPlaying) {
          pacer.giveBack(due - k - 1);
          break;
        }
        if (this.now() - began > TURN) {
          pacer.giveBack(due - k - 1);
          break;
        }
      }
    } catch (error) {
      this.failed(error);
    }
    this.tellInstant();
  }

  /**
   * One tick with these inputs, if time goes on and the tick is due: for somebody who answers each sample before the next can be.
   * Views are told now and then.
   */
  advance(inputs?: Readonly<Record<string, number>>): boolean {
    const { film, flight, pacer } = this;
    if (film === undefined || flight === undefined || pacer === undefined) return false;
    if (this.granted > 0) this.granted--;
    else if (!this.isPlaying || !pacer.takeOne()) return false;
    try {
      if (inputs) flight.command(inputs);
      if (!this.step(film)) this.isPlaying = false;
    } catch (error) {
      this.failed(error);
    }
    if (!this.isPlaying || this.now() - this.toldAt > VIEW) this.tellInstant();
    return true;
  }

  private step(film: Film): boolean {
    const { tick } = film;
    const goesOn = film.step();
    if (film.tick !== tick) this.onSample?.(film.sample());
    return goesOn;
  }

  private carryOut(order: Order): void {
    if (order.do === "begin") this.begin(order);
    else if (order.do === "again") this.again(readFlightLog(order.log));
    else if (order.do === "watch") this.watch(order);
    else if (order.do === "open") this.open(order.files);
    else if (order.do === "restart") {
      if (this.isShared && this.flight) this.carryOut({ do: "reset" });
      else if (this.began) this.carryOut(this.began);
    } else if (order.do === "speed") {
      this.speed = Math.min(FASTEST, Math.max(SLOWEST, order.value || 1));
      if (this.pacer) this.pacer.speed = this.speed;
      this.tellInstant();
    } else if (this.film) {
      this.control(this.film, order);
      if (order.do !== "gesture") this.tellInstant();
    }
  }

  /** Of what is on. */
  private control(film: Film, order: Order): void {
    if (order.do === "play") this.play(!film.isOver);
    else if (order.do === "pause") this.play(false);
    else if (order.do === "step") {
      this.play(false);
      this.catchUp();
      if (this.drivenBy) this.granted++;
      else this.step(film);
    } else if (order.do === "seek") {
      if (!Number.isFinite(order.tick)) throw new InputError(`there is no tick ${order.tick}`);
      this.play(false);
      film.seek(order.tick);
    } else this.steer(order);
  }

  /** Of what flies. */
  private steer(order: Order): void {
    const flight = this.flown();
    // A key that is let go is no hand.
    if (order.do === "take" || (order.do === "gesture" && order.value !== 0)) this.isTaken = true;
    if (order.do !== "gesture") this.catchUp();
    if (order.do === "take") flight.take();
    else if (order.do === "reset") {
      const wasOver = flight.isOver;
      flight.reset();
      if (wasOver) this.play(true);
    } else if (order.do === "gesture") {
      // Who looks at the past does not fly: a key let go there would end what came after.
      const isLooking = !this.isPlaying && flight.tick < flight.end;
      if (!isLooking) flight.gesture(order.stick, order.kind, order.value);
    } else if (order.do === "change") this.change(order.values);
    else if (order.do === "surround") {
      flight.surround(order.words);
      this.tellChange(flight);
    }
  }

  /** Others have seen what came after: their time does not go back. */
  private catchUp(): void {
    const { flight } = this;
    if (this.isShared && flight && flight.tick < flight.end) flight.seek(flight.end);
  }

  private play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    if (isPlaying) this.catchUp();
    // Time that passed in a pause is not caught up.
    if (isPlaying) this.pacer?.restart();
  }

  private begin(order: Begin): void {
    const { vehicle: named, scenario, byHand = scenario === undefined, parameters = {}, from, files } = order;
    const vehicle = vehicleNamed(named);
    const changed = withParameters(vehicle, parameters);
    const words = scenario ?? (from ? flightFrom(changed, from.x) : firstFlight(changed));
    const flight = this.prepare(vehicle, named, changedWords(words, parameters), byHand, files);
    if (from) flight.holdAt(from.x, from.u);
    this.fly(flight, named, order);
    this.play(true);
  }

  private prepare(
    vehicle: Vehicle,
    named: string | NamedWords,
    scenario: Words,
    byHand: boolean,
    files?: readonly TextFile[],
  ): Flight {
    const link = typeof named === "string" ? named : named.words;
    return new Flight({ vehicle, named: link, scenario, byHand, files });
  }

  private fly(flight: Flight, named: string | NamedWords, order: Order): void {
    this.flight = flight;
    this.named = named;
    this.show(new FlightFilm(flight), order);
    this.tell({ news: "begun", flight: begunFlight(flight, named) });
    this.showSample();
    this.tellInstant();
  }

  private show(film: Film, order: Order): void {
    this.film = film;
    this.began = order;
    this.repeating = undefined;
    this.pacer = new Pacer(film.controlDt, this.now, this.speed);
  }

  /** A shared flight is flown again out of sight; what is on stays until that has worked. */
  private again(log: FlightLog): void {
    const named = typeof log.vehicle === "string" ? log.vehicle : { name: log.name, words: log.vehicle };
    const flight = this.prepare(vehicleNamed(named), named, log.scenario, log.byHand, log.files);
    this.play(false);
    this.repeating = { ticks: flight.again(log), flight, named, log };
  }

  /** As much of it as fits into a turn. */
  private repeat({ ticks, flight, named, log }: Repeating): void {
    const began = this.now();
    let isDone = false;
    try {
      while (!isDone && this.now() - began < 4 * TURN) isDone = ticks.next().done === true;
    } catch (error) {
      this.repeating = undefined;
      this.failed(error);
      return;
    }
    if (!isDone) {
      this.tell({ news: "repeating", part: flight.tick / Math.max(1, log.ticks) });
      return;
    }
    this.fly(flight, named, { do: "again", log });
    this.tell({ news: "repeated", wanted: log.hash, hash: flight.simulation.digest() });
  }

  private watch(order: Order & { readonly do: "watch" }): void {
    const log = openLog(order.log, order.name, this.named);
    const film = new LogFilm(log.channels, log.rows);
    this.flight = undefined;
    this.named = log.named;
    this.show(film, order);
    this.play(true);
    this.shownLog = begunLog(order.name, log, film.controlDt);
    this.tell({ news: "begun", flight: this.shownLog });
    if (log.problem) this.tell({ news: "opened", name: order.name, notes: [`It ${log.problem}.`] });
    this.showSample();
    this.tellInstant();
  }

  private open(files: readonly TextFile[]): void {
    const log = files.find((f) => /\.csv$/i.test(f.name) && /^\s*t\s*,/.test(f.text));
    if (log && files.length === 1) {
      this.watch({ do: "watch", name: log.name, log: log.text });
      return;
    }
    const { vehicle, scenario, notes } = openTexts(files, this.named);
    this.begin({ do: "begin", vehicle, scenario, files });
    this.tell({ news: "opened", name: typeof vehicle === "string" ? vehicle : vehicle.name, notes });
  }

  private stop(error: RunError): void {
    this.isPlaying = false;
    this.tell({ news: "stopped", message: error.message });
  }

  private tellChange(flight: Flight): void {
    const { parameters: values, words: scenario } = flight;
    this.tell({ news: "changed", values, scenario, boundaries: flight.scenario.boundaries });
  }

  private tellInstant(): void {
    this.toldAt = this.now();
    if (this.film) this.tell({ news: "instant", instant: this.instant(this.film) });
  }

  /** What is on, for somebody who comes later. */
  introduce(tell: (news: News) => void): void {
    const { film, flight, named, shownLog } = this;
    if (film === undefined) return;
    const begun = flight && named ? begunFlight(flight, named, this.drivenBy) : shownLog;
    if (begun) tell({ news: "begun", flight: begun });
    tell({ news: "instant", instant: this.instant(film) });
  }

  private instant(film: Film): Instant {
    return instantOf(film, this.flight, this.isPlaying, this.speed, this.pacer?.lost ?? 0);
  }
}
