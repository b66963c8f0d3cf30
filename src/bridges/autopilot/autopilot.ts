/** Common parts of the bridges to autopilots: lockstep, and messages about who waits for what. */
import type { EventEmitter } from "node:events";
import type { GeodeticPosition } from "../../environment/earth.ts";
import type { Field } from "../../model/field.ts";
import { InputError } from "../../model/input-error.ts";
import type { Session } from "../../session/session.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { Bridge } from "../server.ts";
import type { Radio } from "./radio.ts";

export interface AutopilotOptions {
  readonly session: Session;
  readonly vehicle: Vehicle;
  readonly channels: readonly Field[];
  readonly home: GeodeticPosition;
  /** From tick to tick [s]. */
  readonly interval: number;
  readonly host: string;
  /** Of instance 0; others have their own. */
  readonly port: number;
  readonly report: (message: string) => void;
  /** Stick positions of manual control, if any. */
  readonly radio: () => Radio | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A bridge whose peer advances simulated time. */
export interface Driver extends Bridge {
  /** Advances if possible; returns the time until the next call is needed [ms]. */
  turn(): number;
  /** Its peer answers so fast that sleeping would cost more time than waiting awake. */
  isEager(): boolean;
  /** What the bridge waits for, if anything. */
  waitsFor(): string | undefined;
}

/** Catches errors in handling received data, so that no input can end the process. */
export function guarded(report: (message: string) => void, hear: () => void): void {
  try {
    hear();
  } catch (error) {
    report(`internal error while handling an autopilot's message: ${(error as Error).message}`);
  }
}

/** Waits until a socket listens; throws an `InputError` with the reason if it cannot. */
export function listening(
  socket: EventEmitter,
  { host, port }: AutopilotOptions,
  flag: string,
  listen: (done: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) =>
      reject(
        new InputError(
          code === "EADDRINUSE"
            ? `port ${port} is in use: is another simulator running?`
            : `cannot listen at ${host}:${port}: ${message}`,
          { field: flag, value: port, allowed: "another --instance, or stop the other one" },
        ),
      );
    socket.once("error", fail);
    listen(() => {
      socket.off("error", fail);
      resolve();
    });
  });
}

/** An ordinal number: 1st, 2nd. */
export function nth(count: number): string {
  const tail = count % 100 > 10 && count % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${tail}`;
}

/** Speed so far: simulated seconds per second of the time that the autopilot took part. */
export class RealTimeFactor {
  private simulated = 0;
  private real = 0;
  private last?: { readonly t: number; readonly now: number };

  /** Longer pauses are not counted [ms]. */
  private static readonly BREAK = 500;

  add(t: number, now: number): void {
    const { last } = this;
    this.last = { t, now };
    if (last === undefined || now - last.now > RealTimeFactor.BREAK || t <= last.t) return;
    this.simulated += t - last.t;
    this.real += (now - last.now) / 1000;
  }
  get value(): number {
    return this.real === 0 ? 0 : Number((this.simulated / this.real).toPrecision(3));
  }
}

/**
 * A process that sleeps until an answer comes is woken late: on a virtual machine by tenths of a millisecond, which is more than a
 * step takes. Faster than real time, the process therefore polls for the answer.
 */
export class Eagerness {
  /** From step to step in real time [ms]. */
  private readonly usual: number;
  private period = Number.POSITIVE_INFINITY;
  private sentAt = Number.NEGATIVE_INFINITY;

  /** Of real time's period; faster than this is faster than real time. */
  private static readonly FASTER = 0.8;
  /** Awake at most so long [ms]. */
  private static readonly LONGEST = 2;

  /** Seconds from step to step. */
  constructor(interval: number) {
    this.usual = 1000 * interval;
  }
  sent(now: number): void {
    // A pause counts as real time.
    const took = Math.min(2 * this.usual, now - this.sentAt);
    this.period = Number.isFinite(this.period) ? this.period + 0.02 * (took - this.period) : took;
    this.sentAt = now;
  }
  isEager(now: number): boolean {
    return this.period < Eagerness.FASTER * this.usual && now - this.sentAt < Eagerness.LONGEST;
  }
}
