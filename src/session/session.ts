/** A session: takes commands, answers queries, keeps real time and emits events. It knows neither page nor socket. */

import { firstFlight, flightFrom } from "../analysis/default-flight.ts";
import { InputError } from "../model/input-error.ts";
import { RunError } from "../simulation/divergence.ts";
import type { FlightLog, TextFile } from "../simulation/flight/action.ts";
import { Flight } from "../simulation/flight/flight.ts";
import { readFlightLog } from "../simulation/flight/flight-log.ts";
import { Pacer } from "../simulation/pacer.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import { withParameters } from "../vehicles/vehicle.ts";
import { changedSpec } from "./changed-spec.ts";
import { FlightRepeat } from "./flight-repeat.ts";
import { frameOf } from "./frame.ts";
import { holdSticks, stickPositions } from "./hold-sticks.ts";
import { openTexts } from "./open.ts";
import { openLog } from "./open-log.ts";
import { FlightPlayback, LogPlayback, type Playback } from "./playback.ts";
import {
  type Command,
  FASTEST,
  type Frame,
  type Query,
  type QueryReplies,
  type SessionEvent,
  type SessionInfo,
  SLOWEST,
} from "./protocol.ts";
import { replyTo } from "./reply.ts";
import { flightInfo, logInfo } from "./session-info.ts";

/** Longest time slice for ticks [ms]. */
const TURN = 12;
/** Interval of frames while an autopilot steps the simulation [ms]. */
const VIEW = 30;
type StartCommand = Command & { readonly type: "start" };

/**
 * An interactive simulation: it takes commands, answers queries, keeps real time and emits events. `handle` a command, `turn`
 * often, and listen to events; the Studio and `sideslip serve` are its clients.
 */
export class Session {
  private readonly emit: (event: SessionEvent) => void;
  private readonly now: () => number;
  private playback?: Playback;
  /** The flight, unless a log is shown. */
  private flight?: Flight;
  private vehicleRef?: string | VehicleSpec;
  private logInfo?: SessionInfo;
  private pacer?: Pacer;
  private speed = 1;
  /** Time goes on. */
  isPlaying = false;
  /** What a restart repeats. */
  private lastStart?: Command;
  /** A shared flight that is being repeated. */
  private repeating?: FlightRepeat;
  /** Name of the autopilot that steps it by `advance`, if any; commanded single steps are granted to it. */
  drivenBy?: string;
  private granted = 0;
  /** Manual control has moved a stick. */
  isTakenOver = false;
  /** Time of the last frame event [ms]. */
  private lastFrameAt = 0;
  /** Sees every sample as it comes; valid until the next. */
  onSample?: (row: Float64Array) => void;
  /** Other clients follow its time: it continues from the newest tick and restarts only by a reset. */
  isShared = false;

  /** `now` is a clock in milliseconds. */
  constructor(emit: (event: SessionEvent) => void, now: () => number) {
    this.emit = emit;
    this.now = now;
  }

  /** Executes a command; an invalid one is answered by a `rejected` event and changes nothing. */
  handle(command: Command): void {
    try {
      this.dispatch(command);
    } catch (error) {
      this.failed(error);
    }
  }

  /** Like `handle`, but throws the `InputError` of an invalid command to the caller. */
  execute(command: Command): void {
    try {
      this.dispatch(command);
    } catch (error) {
      if (error instanceof InputError) throw error;
      this.failed(error);
    }
  }

  private failed(error: unknown): void {
    if (error instanceof RunError) this.stop(error);
    else if (error instanceof InputError) this.emit({ type: "rejected", message: error.message });
    else throw error;
  }

  /**
   * Inputs from outside, by name; returns the names of clamped ones; throws an `InputError` for
   * invalid ones.
   */
  setInputs(inputs: Readonly<Record<string, number>>): readonly string[] {
    return this.activeFlight().command(inputs);
  }

  /** Sticks in their order, from -1 at the lower end to 1 at the upper; those that did not move are left alone. */
  holdSticks(positions: readonly number[]): void {
    holdSticks(this.activeFlight(), positions);
  }

  /** The sticks and where they are, from -1 to 1. */
  stickPositions(): ReadonlyMap<string, number> {
    return stickPositions(this.activeFlight());
  }

  /** The simulation; throws while a log is shown. */
  get simulation(): Simulation {
    return this.activeFlight().simulation;
  }

  /** Of now, in the order of the model's; none of a log. */
  parameters(): Float64Array {
    return this.flight?.parameters ?? new Float64Array(0);
  }

  private activeFlight(): Flight {
    if (this.flight === undefined) throw new InputError("not available for a log; choose a vehicle to fly");
    return this.flight;
  }

  query<K extends Query["type"]>(query: Query & { type: K }): QueryReplies[K] {
    return replyTo(query, this.playback, this.flight) as QueryReplies[K];
  }

  /** Changes parameters by name; throws an `InputError` for invalid values. */
  change(values: Readonly<Record<string, number>>): void {
    const flight = this.activeFlight();
    flight.setParameters(values);
    this.emitChange(flight);
  }

  /** Passes the current sample to `onSample`. */
  showSample(): void {
    if (this.playback) this.onSample?.(this.playback.sample());
  }

  /** Until there is something to do [ms]. */
  untilDue(): number {
    return this.isPlaying && this.pacer ? this.pacer.untilDue() : Number.POSITIVE_INFINITY;
  }
  /** How late ticks came, and how many did not. */
  get pace(): { readonly jitter?: Pacer["jitter"]; readonly lost: number } {
    return { jitter: this.pacer?.jitter, lost: this.pacer?.lost ?? 0 };
  }

  /** Runs the ticks that are due; to be called often. */
  turn(): void {
    if (this.repeating) this.repeat(this.repeating);
    const { playback, pacer } = this;
    if (!this.isPlaying || playback === undefined || pacer === undefined) return;
    const due = pacer.due();
    if (due === 0) return;
    const began = this.now();
    try {
      for (let k = 0; k < due; k++) {
        if (!this.step(playback)) this.isPlaying = false;
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
    this.emitFrame();
  }

  /**
   * One tick with these inputs, if it is due: for an autopilot that answers each sample in lockstep.
   * Frames are emitted at intervals.
   */
  advance(inputs?: Readonly<Record<string, number>>): boolean {
    const { playback, flight, pacer } = this;
    if (playback === undefined || flight === undefined || pacer === undefined) return false;
    if (this.granted > 0) this.granted--;
    else if (!this.isPlaying || !pacer.takeOne()) return false;
    try {
      if (inputs) flight.command(inputs);
      if (!this.step(playback)) this.isPlaying = false;
    } catch (error) {
      this.failed(error);
    }
    if (!this.isPlaying || this.now() - this.lastFrameAt > VIEW) this.emitFrame();
    return true;
  }

  private step(playback: Playback): boolean {
    const { tick } = playback;
    const goesOn = playback.step();
    if (playback.tick !== tick) this.onSample?.(playback.sample());
    return goesOn;
  }

  private dispatch(command: Command): void {
    if (command.type === "start") this.start(command);
    else if (command.type === "repeat") this.repeatFlight(readFlightLog(command.log));
    else if (command.type === "openLog") this.showLog(command);
    else if (command.type === "openFiles") this.open(command.files);
    else if (command.type === "restart") {
      if (this.isShared && this.flight) this.dispatch({ type: "reset" });
      else if (this.lastStart) this.dispatch(this.lastStart);
    } else if (command.type === "setSpeed") {
      this.speed = Math.min(FASTEST, Math.max(SLOWEST, command.value || 1));
      if (this.pacer) this.pacer.speed = this.speed;
      this.emitFrame();
    } else if (this.playback) {
      this.control(this.playback, command);
      if (command.type !== "moveStick") this.emitFrame();
    }
  }

  /** Commands to the current playback. */
  private control(playback: Playback, command: Command): void {
    if (command.type === "play") this.play(!playback.isOver);
    else if (command.type === "pause") this.play(false);
    else if (command.type === "step") {
      this.play(false);
      this.catchUp();
      if (this.drivenBy) this.granted++;
      else this.step(playback);
    } else if (command.type === "seek") {
      if (!Number.isFinite(command.tick)) throw new InputError(`there is no tick ${command.tick}`);
      this.play(false);
      playback.seek(command.tick);
    } else this.steer(command);
  }

  /** Commands to the current flight. */
  private steer(command: Command): void {
    const flight = this.activeFlight();
    if (command.type === "takeControl" || (command.type === "moveStick" && command.value !== 0))
      this.isTakenOver = true;
    if (command.type !== "moveStick") this.catchUp();
    if (command.type === "takeControl") flight.takeControl();
    else if (command.type === "reset") {
      const wasOver = flight.isOver;
      flight.reset();
      if (wasOver) this.play(true);
    } else if (command.type === "moveStick") {
      // While a past tick is shown, releasing a key must not discard the flight after it.
      const isLooking = !this.isPlaying && flight.tick < flight.end;
      if (!isLooking) flight.moveStick(command.stick, command.motion, command.value);
    } else if (command.type === "setParameters") this.change(command.values);
    else if (command.type === "setEnvironment") {
      flight.changeEnvironment(command.spec);
      this.emitChange(flight);
    }
  }

  /** In a shared session time does not go back: seek to the newest tick. */
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

  private start(command: StartCommand): void {
    const {
      vehicle: vehicleRef,
      scenario,
      byHand = scenario === undefined,
      parameters = {},
      from,
      files,
    } = command;
    const vehicle = vehicleNamed(vehicleRef);
    const changed = withParameters(vehicle, parameters);
    const own = scenario ?? (from ? flightFrom(changed, from.x) : firstFlight(changed));
    const link = typeof vehicleRef === "string" ? vehicleRef : vehicleRef.words;
    const flight = new Flight({
      vehicle,
      vehicleRef: link,
      scenario: changedSpec(own, parameters),
      byHand,
      files,
    });
    if (from) flight.holdSticksAt(from.x, from.u);
    this.fly(flight, vehicleRef, command);
    this.play(true);
  }

  private fly(flight: Flight, vehicleRef: string | VehicleSpec, command: Command): void {
    this.flight = flight;
    this.vehicleRef = vehicleRef;
    this.show(new FlightPlayback(flight), command);
    this.emit({ type: "started", info: flightInfo(flight, vehicleRef) });
    this.showSample();
    this.emitFrame();
  }

  private show(playback: Playback, command: Command): void {
    this.playback = playback;
    this.lastStart = command;
    this.repeating = undefined;
    this.pacer = new Pacer(playback.controlDt, this.now, this.speed);
  }

  /** Repeats a shared flight in the background; the current one is shown until that has succeeded. */
  private repeatFlight(log: FlightLog): void {
    const repeat = new FlightRepeat(log);
    this.play(false);
    this.repeating = repeat;
  }

  /** Repeats as much of it as fits into a time slice. */
  private repeat(repeat: FlightRepeat): void {
    const began = this.now();
    const { flight, vehicleRef, log } = repeat;
    try {
      if (!repeat.advance(() => this.now() - began < 4 * TURN)) {
        this.emit({ type: "repeating", part: repeat.part });
        return;
      }
    } catch (error) {
      this.repeating = undefined;
      this.failed(error);
      return;
    }
    this.fly(flight, vehicleRef, { type: "repeat", log });
    this.emit({ type: "repeated", wanted: log.hash, hash: flight.simulation.digest() });
  }

  private showLog(command: Command & { readonly type: "openLog" }): void {
    const log = openLog(command.log, command.name, this.vehicleRef);
    const playback = new LogPlayback(log.channels, log.rows);
    this.flight = undefined;
    this.vehicleRef = log.named;
    this.show(playback, command);
    this.play(true);
    this.logInfo = logInfo(command.name, log, playback.controlDt);
    this.emit({ type: "started", info: this.logInfo });
    if (log.problem) this.emit({ type: "opened", name: command.name, notes: [`It ${log.problem}.`] });
    this.showSample();
    this.emitFrame();
  }

  private open(files: readonly TextFile[]): void {
    const log = files.find((f) => /\.csv$/i.test(f.name) && /^\s*t\s*,/.test(f.text));
    if (log && files.length === 1) {
      this.showLog({ type: "openLog", name: log.name, log: log.text });
      return;
    }
    const { vehicle, scenario, notes } = openTexts(files, this.vehicleRef);
    this.start({ type: "start", vehicle, scenario, files });
    this.emit({ type: "opened", name: typeof vehicle === "string" ? vehicle : vehicle.name, notes });
  }

  private stop(error: RunError): void {
    this.isPlaying = false;
    this.emit({ type: "stopped", message: error.message });
  }

  private emitChange(flight: Flight): void {
    const { parameters: values, spec: scenario } = flight;
    this.emit({ type: "changed", values, scenario, boundaries: flight.scenario.boundaries });
  }

  private emitFrame(): void {
    this.lastFrameAt = this.now();
    if (this.playback) this.emit({ type: "frame", frame: this.frame(this.playback) });
  }

  /** Sends the current info and frame to a client that joins later. */
  sendCurrent(send: (event: SessionEvent) => void): void {
    const { playback, flight, vehicleRef, logInfo: shownLog } = this;
    if (playback === undefined) return;
    const info = flight && vehicleRef ? flightInfo(flight, vehicleRef, this.drivenBy) : shownLog;
    if (info) send({ type: "started", info });
    send({ type: "frame", frame: this.frame(playback) });
  }

  private frame(playback: Playback): Frame {
    return frameOf(playback, this.flight, this.isPlaying, this.speed, this.pacer?.lost ?? 0);
  }
}
