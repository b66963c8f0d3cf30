/** Something to look at from beginning to end: a flight, or the log of one. */
import type { Field } from "../model/field.ts";
import type { Flight } from "../simulation/flight/flight.ts";
import { FlightRecord } from "../simulation/flight/flight-record.ts";
import { History } from "./history.ts";

export interface Playback {
  readonly channels: readonly Field[];
  /** Seconds from tick to tick. */
  readonly controlDt: number;
  readonly record: FlightRecord;
  readonly tick: number;
  readonly end: number;
  readonly isOver: boolean;
  /** False when it goes no further. */
  step(): boolean;
  seek(tick: number): void;
  /** The sample of now, and that of a tick; both valid until the next call. */
  sample(): Float64Array;
  sampleAt(tick: number): Float64Array;
}

export class FlightPlayback implements Playback {
  readonly flight: Flight;
  private readonly history: History;

  constructor(flight: Flight) {
    this.flight = flight;
    this.history = new History(flight);
  }

  get channels() {
    return this.flight.simulation.channels;
  }
  get controlDt() {
    return this.flight.scenario.controlDt;
  }
  get record() {
    return this.flight.record;
  }
  get tick() {
    return this.flight.tick;
  }
  get end() {
    return this.flight.end;
  }
  get isOver() {
    return this.flight.isOver;
  }
  step = () => this.flight.step();
  seek = (tick: number) => this.flight.seek(tick);
  sample = () => this.flight.simulation.sample();
  sampleAt = (tick: number) => this.history.sample(tick);
}

/** A table of channels over time, to be looked at again. */
export class LogPlayback implements Playback {
  readonly channels: readonly Field[];
  readonly controlDt: number;
  readonly record: FlightRecord;
  readonly end: number;
  tick = 0;
  private readonly row: Float64Array;

  /** Rows of the channels, the first of which is t. */
  constructor(channels: readonly Field[], rows: readonly Float64Array[]) {
    this.channels = channels;
    this.record = new FlightRecord(channels, () => true, Number.POSITIVE_INFINITY);
    for (const row of rows) this.record.write(row);
    this.end = rows.length - 1;
    this.controlDt = Math.max(1e-4, (rows[rows.length - 1][0] - rows[0][0]) / Math.max(1, this.end));
    this.row = new Float64Array(channels.length);
  }

  get isOver() {
    return this.tick >= this.end;
  }
  step(): boolean {
    if (this.tick < this.end) this.tick++;
    return !this.isOver;
  }
  seek(tick: number): void {
    this.tick = Math.max(0, Math.min(this.end, Math.round(tick)));
  }
  sample(): Float64Array {
    return this.sampleAt(this.tick);
  }
  sampleAt(tick: number): Float64Array {
    this.record.read(tick, this.row);
    return this.row;
  }
}
