import { Jitter } from "./jitter.ts";

/**
 * Ties simulated time to a clock: how many ticks are due. The only place where a simulation meets the wall clock, which the
 * caller brings (milliseconds, as performance.now).
 */
export class Pacer {
  private readonly controlDt: number;
  private readonly now: () => number;
  private speed_: number;
  private origin: number;
  private done = 0;
  /** Those whose lateness is known; some come twice. */
  private timed = 0;
  /** Ticks that were dropped, ever. */
  lost = 0;
  /** How late the others came. */
  readonly jitter = new Jitter();
  /** After a pause longer than this (a suspended laptop, a hidden tab) the lost time is dropped, not caught up. */
  private readonly longest: number;

  constructor(controlDt: number, now: () => number, speed = 1, longestGap = 0.25) {
    this.controlDt = controlDt;
    this.now = now;
    this.speed_ = speed;
    this.longest = longestGap;
    this.origin = now();
  }

  /** Simulated seconds per second. */
  set speed(speed: number) {
    this.restart();
    this.speed_ = speed;
  }

  /** Ticks to step now so that simulated time keeps up. */
  due(): number {
    const behind = ((this.now() - this.origin) / 1000) * this.speed_ - this.done * this.controlDt;
    if (behind > Math.max(this.longest * this.speed_, 2 * this.controlDt)) {
      this.lost += Math.max(0, Math.floor(behind / this.controlDt) - 1);
      this.restart();
      return 1;
    }
    const ticks = Math.max(0, Math.floor(behind / this.controlDt + 1e-9));
    for (let k = 1; k <= ticks; k++)
      if (this.done + k > this.timed)
        this.jitter.add((Math.max(0, behind - k * this.controlDt) / this.speed_) * 1000);
    this.done += ticks;
    this.timed = Math.max(this.timed, this.done);
    return ticks;
  }

  /** Takes one tick if it is due: for who can take but one at a time. Time lost by others is not caught up. */
  takeOne(): boolean {
    const behind = ((this.now() - this.origin) / 1000) * this.speed_ - this.done * this.controlDt;
    if (behind < (1 - 1e-9) * this.controlDt) return false;
    if (behind > Math.max(this.longest * this.speed_, 2 * this.controlDt)) this.restart();
    else this.done++;
    return true;
  }

  /** Until the next tick is due [ms]. */
  untilDue(): number {
    const next = this.origin + (((this.done + 1) * this.controlDt) / this.speed_) * 1000;
    return Math.max(0, next - this.now());
  }

  /** Ticks that were due and could not be stepped in time: they stay due. */
  giveBack(ticks: number): void {
    this.done -= ticks;
  }

  /** From now on; what was due is forgotten. */
  restart(): void {
    this.origin = this.now();
    this.done = 0;
    this.timed = 0;
  }
}
