/** Requests to stop, after which what was done is kept; shells are told by 128 and the signal's number. */
import { constants } from "node:os";

export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type Signal = (typeof SIGNALS)[number];

export const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/** Work that was broken off by a signal, and what is left of it. */
export class Interrupted extends Error {
  readonly code: number;

  constructor(message: string, signal: Signal) {
    super(message);
    this.code = exitCodeOf(signal);
  }
}
