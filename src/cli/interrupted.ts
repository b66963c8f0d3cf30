/** Signals that stop a run but keep its results; the exit code is 128 plus the signal's number. */
import { constants } from "node:os";

export const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type Signal = (typeof SIGNALS)[number];

export const exitCodeOf = (signal: Signal): number => 128 + constants.signals[signal];

/** Work interrupted by a signal; the message says how to continue. */
export class Interrupted extends Error {
  readonly code: number;

  constructor(message: string, signal: Signal) {
    super(message);
    this.code = exitCodeOf(signal);
  }
}
