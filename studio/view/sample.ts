/** Samples by name, and between two of them. */
import type { Field } from "../../src/model/field.ts";

export type Get = (name: string) => number;

export class Samples {
  private readonly places: ReadonlyMap<string, number>;
  private readonly cyclic: ReadonlySet<number>;
  private before: Float64Array;
  private after: Float64Array;
  private arrived = 0;
  private interval = 20;
  readonly now: Float64Array;

  constructor(channels: readonly Field[]) {
    this.places = new Map(channels.map((c, i) => [c.name, i]));
    this.before = new Float64Array(channels.length);
    this.after = new Float64Array(channels.length);
    this.now = new Float64Array(channels.length);
    this.cyclic = new Set(["yaw", "roll", "phi"].flatMap((name) => this.places.get(name) ?? []));
  }

  /** A new sample, at a time of the page [ms]; where the flight has jumped nothing lies between. */
  take(row: Float64Array, time: number, isJump: boolean): void {
    this.before = isJump ? row : this.after;
    this.after = row;
    const gap = time - this.arrived;
    if (!isJump && gap < 200) this.interval += 0.2 * (gap - this.interval);
    this.arrived = time;
  }

  /** The sample to show at a time: one interval late, so that motion is even. */
  show(time: number): void {
    const { before, after, now } = this;
    const part = Math.min(1, Math.max(0, (time - this.arrived) / Math.max(1, this.interval)));
    for (let i = 0; i < now.length; i++) now[i] = before[i] + part * (after[i] - before[i]);
    for (const i of this.cyclic) if (Math.abs(after[i] - before[i]) > 3) now[i] = after[i];
  }

  readonly get: Get = (name) => {
    const i = this.places.get(name);
    return i === undefined ? Number.NaN : this.now[i];
  };
}
