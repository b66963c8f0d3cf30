/**
 * Handles a client's requests within its share of processor time; reading no faster makes TCP slow
 * it down.
 */
import type { WebSocket } from "ws";

/** Of real time, and at once [ms]. */
const SHARE = 0.05;
const BURST = 5;

/** The remaining time budget of a client. */
export class Allowance {
  private left = BURST;
  private at: number;

  constructor(now: number) {
    this.at = now;
  }
  /** How long to wait until something is left [ms]; 0 if there is. */
  wait(now: number): number {
    this.left = Math.min(BURST, this.left + (now - this.at) * SHARE);
    this.at = now;
    return this.left > 0 ? 0 : Math.ceil((1 - this.left) / SHARE);
  }
  spend(ms: number): void {
    this.left -= ms;
  }
}

export class FairQueue {
  private readonly socket: WebSocket;
  private readonly allowance = new Allowance(performance.now());
  private waiting: (() => void)[] = [];
  private timer?: NodeJS.Timeout;

  constructor(socket: WebSocket) {
    this.socket = socket;
  }

  take(work: () => void): void {
    this.waiting.push(work);
    if (this.timer === undefined) this.work();
  }

  private work(): void {
    const { socket, waiting, allowance } = this;
    this.timer = undefined;
    let done = 0;
    let wait = 0;
    for (let now = performance.now(); done < waiting.length; ) {
      wait = allowance.wait(now);
      if (wait > 0) break;
      waiting[done++]();
      const after = performance.now();
      allowance.spend(after - now);
      now = after;
    }
    waiting.splice(0, done);
    if (waiting.length === 0) socket.resume();
    else {
      socket.pause();
      this.timer = setTimeout(() => this.work(), wait);
    }
  }

  end(): void {
    clearTimeout(this.timer);
    this.waiting = [];
  }
}
