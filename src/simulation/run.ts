import { InputError } from "../model/input-error.ts";
import { coreOf } from "./core-of.ts";
import { RunError } from "./divergence.ts";
import type { RunEvent } from "./events.ts";
import type { Sink } from "./recorder.ts";
import type { Simulation } from "./simulation.ts";
import type { SimulationCore } from "./simulation-core.ts";

/** A warning of a run: a table extrapolated, a battery overdrawn. */
export interface Warning {
  /** The output that tells. */
  readonly name: string;
  readonly meaning: string;
  /** When it was first seen [s]. */
  readonly t: number;
  readonly samples: number;
}

/** What a run came to: final values by channel name, events, warnings, steps and the state hash. */
export interface RunResult {
  /** Simulated time reached [s]. */
  readonly duration: number;
  /** Integration steps. */
  readonly steps: number;
  /** Last sample by field name. */
  readonly final: Readonly<Record<string, number>>;
  readonly events: readonly RunEvent[];
  readonly warnings: readonly Warning[];
  /** 64-bit hash of the bits of all states at every sample. */
  readonly hash: string;
}

/** A run in progress: somebody calls `advance` until it says that it is done. */
export class Run {
  readonly simulation: SimulationCore;
  private readonly duration: number;
  private readonly sinks: readonly Sink[];
  private readonly needsOutputs: boolean;
  /** Channels that should stay zero, and what was seen of them. */
  private readonly alarms: readonly number[];
  private readonly warnings = new Map<number, { t: number; samples: number }>();

  constructor(simulation: Simulation, duration: number, sinks: readonly Sink[] = []) {
    if (!(duration > 0))
      throw new InputError(`${duration} is not a duration`, { field: "duration", allowed: "> 0 s" });
    this.simulation = coreOf(simulation);
    this.duration = duration;
    this.sinks = sinks;
    const read = sinks.map((sink) => sink.open(simulation.channels));
    this.alarms = simulation.channels.flatMap((c, i) => (c.alarm === undefined ? [] : [i]));
    this.needsOutputs =
      this.alarms.length > 0 ||
      read.some((names) => names === undefined || names.some((name) => this.simulation.isOutput(name)));
    this.emit();
  }

  /** Up to so many ticks; true when the run is over. */
  advance(ticks: number): boolean {
    for (let i = 0; i < ticks; i++) {
      if (this.isOver) return true;
      this.simulation.step(this.duration);
      this.emit();
    }
    return false;
  }

  private get isOver(): boolean {
    return this.simulation.finished || this.simulation.t >= this.duration;
  }

  /** Begins a tick whose steps somebody else takes (see Simulation); false when the run is over. */
  begin(): boolean {
    return !this.isOver && this.simulation.begin(this.duration);
  }
  finish(): void {
    this.simulation.finish();
    this.emit();
  }
  /** The rest of a tick that has begun, after all. */
  complete(): void {
    this.simulation.complete();
    this.emit();
  }

  result(): RunResult {
    const { simulation } = this;
    const row = simulation.sample();
    return {
      duration: simulation.t,
      steps: simulation.steps,
      final: Object.fromEntries(simulation.channels.slice(1).map((c, i) => [c.name, row[i + 1]])),
      events: simulation.events,
      warnings: [...this.warnings].map(([i, seen]) => {
        const { name, alarm = "" } = simulation.channels[i];
        return { name, meaning: alarm, ...seen };
      }),
      hash: simulation.digest(),
    };
  }

  private emit(): void {
    if (this.sinks.length === 0 && this.alarms.length === 0) return;
    const { simulation } = this;
    const row = simulation.sample(this.needsOutputs);
    // States are guarded by the simulation itself; outputs and sensors may be undefined where they are not.
    for (let i = 0; this.needsOutputs && i < row.length; i++)
      if (!Number.isFinite(row[i])) {
        const { name, meaning } = simulation.channels[i];
        throw new RunError(
          `at t = ${simulation.t} s ${name} (${meaning}) is ${row[i]}: no sample is written from there on`,
        );
      }
    for (const i of this.alarms)
      if (row[i] !== 0) {
        const seen = this.warnings.get(i);
        if (seen === undefined) this.warnings.set(i, { t: simulation.t, samples: 1 });
        else seen.samples++;
      }
    for (const sink of this.sinks) sink.write(row);
  }
}

/** Runs to the end, or to a terminal event, and closes the sinks whatever happens. */
export function run(simulation: Simulation, duration: number, sinks: readonly Sink[] = []): RunResult {
  const job = new Run(simulation, duration, sinks);
  try {
    while (!job.advance(1e6));
  } finally {
    for (const sink of sinks) sink.close();
  }
  return job.result();
}
