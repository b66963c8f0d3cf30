/** A served session: samples go out to bridges, commands and service calls come in from them. */

import { InputError } from "../model/input-error.ts";
import type { Subscription, Topic, TopicInterface } from "../model/topics.ts";
import type { Session } from "../session/session.ts";
import type { Driver } from "./autopilot/autopilot.ts";
import { Counts } from "./counts.ts";
import { type Codec, codecFor } from "./messages/codec.ts";

/** A way out: ROS 2, Foxglove, a file. */
export interface Bridge {
  /** Name in status reports; absent for bridges without status. */
  readonly name?: string;
  /** Whether the bridge has subscribers. */
  wants?(topic: string): boolean;
  /** A message of a sample; the bytes may be kept. */
  send?(topic: string, bytes: Uint8Array, t: number): void;
  /** A sample is complete. */
  sampled?(row: Float64Array): void;
  /** What it has seen, by name. */
  status(): Readonly<Record<string, number | string>>;
  close(): Promise<void>;
}

/** What can be asked of every simulation, and of this vehicle's node. */
export type ServiceName = "reset" | "pause" | "play" | "step" | "cones";

export interface ServerOptions {
  readonly session: Session;
  readonly spoken: TopicInterface;
  /** Messages for the user; each is reported once. */
  readonly report: (message: string) => void;
}

/** Longest sleep while nothing is due [ms]: commands come at any time. */
const LONGEST_SLEEP = 10;
const MOST_REPORTS = 200;

export class SimulationServer {
  readonly spoken: TopicInterface;
  /** What came in and could not be used. */
  readonly counts = new Counts();
  /** The autopilot that advances time; without one, real time does. */
  driver?: Driver;
  /** Whether a page has manual control, so that other commands are ignored. */
  isHeld: () => boolean = () => false;
  private readonly session: Session;
  private readonly say: (message: string) => void;
  private readonly bridges: Bridge[] = [];
  private readonly encoders: { readonly topic: Topic; readonly codec: Codec }[];
  private readonly reported = new Set<string>();
  private timer?: NodeJS.Timeout;
  private isClosed = false;
  private samples = 0;
  /** When it started [ms], and what of the processor was used by then. */
  private startedAt = performance.now();
  private used = process.cpuUsage();
  private row: Float64Array = new Float64Array(1);

  constructor({ session, spoken, report }: ServerOptions) {
    this.session = session;
    this.spoken = spoken;
    this.say = report;
    this.encoders = spoken.topics.map((topic) => ({ topic, codec: codecFor(topic.type) }));
    session.onSample = (row) => this.sample(row);
  }

  add(bridge: Bridge): void {
    this.bridges.push(bridge);
  }

  readonly report = (message: string): void => {
    if (this.reported.has(message) || this.reported.size >= MOST_REPORTS) return;
    this.reported.add(message);
    this.say(message);
  };

  private sample(row: Float64Array): void {
    this.row = row;
    this.samples++;
    if (this.bridges.some((b) => b.wants))
      for (const { topic, codec } of this.encoders) {
        const message = topic.message(row);
        if (message !== undefined) this.send(topic.name, codec, message, row[0]);
      }
    for (const bridge of this.bridges) bridge.sampled?.(row);
  }

  /** Encodes a message once for all subscribers, and not at all without any. */
  private send(name: string, codec: Codec, message: unknown, t: number): void {
    let bytes: Uint8Array | undefined;
    for (const bridge of this.bridges)
      if (bridge.wants?.(name)) {
        bytes ??= codec.encode(message);
        bridge.send?.(name, bytes, t);
      }
  }

  /**
   * A command's message, of whatever bridge: invalid values are refused, values out of range are
   * clamped; both are
   * reported once, and returned to the sender.
   */
  hear(command: Subscription, message: unknown): string | undefined {
    const { name } = command;
    if (this.isHeld())
      return this.note(`${name}: ignored`, `${name} is ignored while a Studio page has control`);
    try {
      const { inputs, sticks } = command.receive(message);
      const clamped = inputs ? this.session.setInputs(inputs) : [];
      if (sticks) this.session.holdSticks(sticks);
      if (clamped.length === 0) return undefined;
      return this.note(`${name}: clamped`, `${name}: ${clamped.join(", ")} out of range, clamped`);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return this.note(`${name}: refused`, `${name} is refused: ${error.message}`);
    }
  }

  private note(counted: string, message: string): string {
    this.counts.add(counted);
    this.report(message);
    return message;
  }

  /** Of std_srvs/Empty: does it, or throws an InputError. */
  serve(service: ServiceName): void {
    const { session, spoken } = this;
    if (service === "cones") {
      const { onRequest } = spoken;
      if (onRequest)
        this.send(onRequest.name, codecFor(onRequest.type), onRequest.message(this.row), this.row[0]);
    } else session.execute({ type: service });
  }

  /** Keeps real time until it is closed. */
  start(): void {
    const loop = () => {
      if (this.isClosed) return;
      let wait = 0;
      try {
        wait = this.turn();
      } catch (error) {
        this.report(`internal error, the simulation is paused: ${(error as Error).message}`);
        this.session.handle({ type: "pause" });
      }
      if (this.driver?.isEager()) setImmediate(loop);
      else this.timer = setTimeout(loop, Math.max(0, Math.min(LONGEST_SLEEP, wait)));
    };
    this.startedAt = performance.now();
    this.used = process.cpuUsage();
    this.session.showSample();
    loop();
  }

  /** Runs the ticks that are due; returns the time until the next one [ms]. */
  private turn(): number {
    if (this.driver) return this.driver.turn();
    this.session.turn();
    return this.session.untilDue();
  }

  status(): Record<string, Readonly<Record<string, number | string>>> {
    const { jitter, lost } = this.session.pace;
    const { user, system } = process.cpuUsage(this.used);
    const ms = (value = 0) => Number(value.toFixed(3));
    return {
      pace: {
        ticks: this.samples,
        // In lockstep there is no lateness.
        ...(this.driver
          ? {}
          : {
              missed: lost,
              late_median_ms: ms(jitter?.quantile(0.5)),
              late_99_ms: ms(jitter?.quantile(0.99)),
              late_worst_ms: ms(jitter?.worst),
            }),
        cpu_percent: Number(
          ((100 * (user + system)) / 1000 / Math.max(1, performance.now() - this.startedAt)).toFixed(1),
        ),
      },
      commands: Object.fromEntries(this.counts.entries()),
      ...Object.fromEntries(this.bridges.flatMap((b) => (b.name ? [[b.name, b.status()] as const] : []))),
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.session.onSample = undefined;
    await Promise.all(this.bridges.map((b) => b.close()));
  }
}
