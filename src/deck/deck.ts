/** A flight deck: takes orders, answers questions, keeps real time, and tells what happens. Knows neither page nor socket. */

import { explainAt } from "../analysis/explain.ts";
import { firstFlight, flightFrom } from "../analysis/first-flight.ts";
import { csvHeader, csvRow } from "../formats/csv.ts";
import { vehicleWords, writeVehicle } from "../formats/vehicle-yaml.ts";
import { overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { indexOf, type Vehicle } from "../model/model.ts";
import { pack, unpack, withParameters } from "../model/parameters.ts";
import { RunError } from "../simulation/divergence.ts";
import type { FlightLog, Words } from "../simulation/flight/deeds.ts";
import { Flight } from "../simulation/flight/flight.ts";
import { Pacer } from "../simulation/pacer.ts";
import type { Answers, Instant, NamedWords, News, Order, Question } from "./protocol.ts";
import { Past, seriesOf } from "./series.ts";
import { vehicleNamed } from "./vehicle-named.ts";

/** Longest time for ticks before others have their turn [ms]. */
const TURN = 12;

export class Deck {
  private readonly tell: (news: News) => void;
  private readonly now: () => number;
  private flight?: Flight;
  private past?: Past;
  private pacer?: Pacer;
  private speed = 1;
  private isPlaying = false;
  private began?: Order;

  /** `now` is a clock in milliseconds. */
  constructor(tell: (news: News) => void, now: () => number) {
    this.tell = tell;
    this.now = now;
  }

  /** What cannot be done is refused in words; the flight before it stays. */
  order(order: Order): void {
    try {
      this.obey(order);
    } catch (error) {
      if (error instanceof RunError) this.stop(error);
      else if (error instanceof InputError) this.tell({ news: "refused", message: error.message });
      else throw error;
    }
  }

  ask<K extends Question["ask"]>(question: Question & { ask: K }): Answers[K] {
    return this.answer(question) as Answers[K];
  }

  /** Flies the ticks that are due; to be called often. */
  turn(): void {
    const { flight, pacer } = this;
    if (!this.isPlaying || flight === undefined || pacer === undefined) return;
    const due = pacer.due();
    if (due === 0) return;
    const began = this.now();
    try {
      for (let k = 0; k < due; k++) {
        if (!flight.step()) {
          this.isPlaying = false;
          break;
        }
        if (this.now() - began > TURN) {
          pacer.giveBack(due - k - 1);
          break;
        }
      }
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      this.stop(error);
    }
    this.tellInstant();
  }

  private obey(order: Order): void {
    if (order.do === "begin") {
      const { vehicle: named, scenario, byHand = scenario === undefined, parameters = {}, from } = order;
      const vehicle = vehicleNamed(named);
      const changed = withParameters(vehicle, parameters);
      const words = scenario ?? (from ? flightFrom(changed, from.x) : firstFlight(changed));
      const flight = this.begin(order, vehicle, named, changedWords(words, parameters), byHand);
      if (from) flight.holdAt(from.x, from.u);
      return;
    }
    if (order.do === "again") {
      this.again(order.log);
      return;
    }
    if (order.do === "restart") {
      if (this.began) this.obey(this.began);
      return;
    }
    if (order.do === "speed") {
      this.speed = Math.min(20, Math.max(0.1, order.value));
      if (this.pacer) this.pacer.speed = this.speed;
      this.tellInstant();
      return;
    }
    const { flight } = this;
    if (flight === undefined) return;
    if (order.do === "play") this.play(!flight.isOver);
    else if (order.do === "pause") this.play(false);
    else if (order.do === "step") {
      this.play(false);
      flight.step();
    } else if (order.do === "seek") {
      this.play(false);
      flight.seek(order.tick);
    } else if (order.do === "take") flight.take();
    else if (order.do === "gesture") {
      flight.gesture(order.stick, order.kind, order.value);
      return;
    } else if (order.do === "change") {
      flight.change(order.values);
      this.tellChange();
    } else if (order.do === "surround") {
      flight.surround(order.words);
      this.tellChange();
    }
    this.tellInstant();
  }

  private play(isPlaying: boolean): void {
    this.isPlaying = isPlaying;
    // Time that passed in a pause is not caught up.
    if (isPlaying) this.pacer?.restart();
  }

  private begin(
    order: Order,
    vehicle: Vehicle,
    named: string | NamedWords,
    words: Words,
    byHand: boolean,
  ): Flight {
    const link = typeof named === "string" ? named : named.words;
    const flight = new Flight({ vehicle, named: link, scenario: words, byHand });
    this.flight = flight;
    this.past = new Past(flight);
    this.pacer = new Pacer(flight.scenario.controlDt, this.now, this.speed);
    this.began = order;
    this.play(true);
    this.tellBegun(flight, words, named);
    this.tellInstant();
    return flight;
  }

  /** Flies a log to its end, and waits there. */
  private again(log: FlightLog): void {
    const named = typeof log.vehicle === "string" ? log.vehicle : { name: log.name, words: log.vehicle };
    const order: Order = { do: "again", log };
    const flight = this.begin(order, vehicleNamed(named), named, log.scenario, log.byHand);
    this.play(false);
    for (const _ of flight.again(log));
    this.tell({ news: "repeated", wanted: log.hash, hash: flight.simulation.digest() });
    this.tellChange();
    this.tellInstant();
  }

  private answer(question: Question): Answers[Question["ask"]] {
    const { flight, past } = this;
    if (flight === undefined || past === undefined) throw new InputError("nothing flies yet");
    if (question.ask === "series")
      return seriesOf(flight, past, question.names, question.from, question.to, question.most);
    if (question.ask === "row") return past.sample(flight.record.tickAt(question.t)).slice();
    if (question.ask === "log") return flight.log();
    if (question.ask === "explain") {
      const { simulation } = flight;
      return explainAt(this.vehicleNow(flight), simulation.x, simulation.u, simulation.e);
    }
    if (question.ask === "yaml") return writeVehicle(vehicleWords(this.vehicleNow(flight)));
    return csvOf(flight, past, question.names);
  }

  private vehicleNow(flight: Flight): Vehicle {
    const { vehicle } = flight;
    const values = flight.parameters;
    const named = Object.fromEntries(vehicle.model.parameters.map((f, i) => [f.name, values[i]]));
    return withParameters(vehicle, named);
  }

  private stop(error: RunError): void {
    this.isPlaying = false;
    this.tell({ news: "stopped", message: error.message });
  }

  private tellBegun(flight: Flight, scenario: Words, named: string | NamedWords): void {
    const { vehicle, hands, simulation } = flight;
    const { model, name, description, labels, sources } = vehicle;
    this.tell({
      news: "begun",
      flight: {
        name,
        named,
        description,
        labels,
        sources,
        model: model.name,
        channels: simulation.channels,
        states: model.states,
        inputs: model.inputs,
        parameters: model.parameters,
        original: pack(model.parameters, vehicle.parameters),
        values: flight.parameters,
        shape: unpack(model.parameters, flight.parameters),
        scenario,
        sticks: hands.sticks,
        actions: hands.actions,
        help: hands.help,
        boundaries: flight.scenario.boundaries,
        track: flight.scenario.track,
        controlDt: flight.scenario.controlDt,
        duration: flight.scenario.duration,
      },
    });
  }

  private tellChange(): void {
    const { flight } = this;
    if (flight === undefined) return;
    this.tell({
      news: "changed",
      values: flight.parameters,
      scenario: flight.words,
      boundaries: flight.scenario.boundaries,
    });
  }

  private tellInstant(): void {
    const { flight } = this;
    if (flight === undefined) return;
    const { simulation } = flight;
    const instant: Instant = {
      row: simulation.sample().slice(),
      tick: flight.tick,
      end: flight.end,
      first: flight.record.first,
      isPlaying: this.isPlaying,
      isOver: flight.isOver,
      isByHand: flight.isByHand,
      sticks: flight.sticks.slice(),
      hash: simulation.digest(),
      speed: this.speed,
      lost: this.pacer?.lost ?? 0,
      events: simulation.events,
    };
    this.tell({ news: "instant", instant });
  }
}

/** A scenario with other parameters: dotted names become blocks. */
function changedWords(words: Words, parameters: Readonly<Record<string, number>>): Words {
  if (Object.keys(parameters).length === 0) return words;
  const block: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(parameters)) {
    const path = name.split(".");
    const leaf = path.pop() as string;
    let node = block;
    for (const key of path) node = (node[key] ??= {}) as Record<string, unknown>;
    node[leaf] = value;
  }
  return overlay(plainSource(words, "flight"), plainSource({ parameters: block }, "changes")).value as Words;
}

/** The flight as a table, in pieces of many lines. */
function csvOf(flight: Flight, past: Past, names: readonly string[]): string[] {
  const { record, simulation } = flight;
  const all = simulation.channels;
  const places = names.length === 0 ? all.map((_, i) => i) : ["t", ...names].map((n) => indexOf(all, n));
  const pieces = [csvHeader(places.map((i) => all[i]))];
  let lines: string[] = [];
  for (let tick = record.first; tick < record.first + record.length; tick++) {
    const row = past.sample(tick);
    lines.push(csvRow(Float64Array.from(places, (i) => row[i])));
    if (lines.length === 2000 || tick === record.first + record.length - 1) {
      pieces.push(lines.join(""));
      lines = [];
    }
  }
  return pieces;
}
