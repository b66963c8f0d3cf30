/** What bridges to autopilots have in common: they drive the clock, and say who waits for what. */
import type { Sticks } from "../../control/joystick.ts";
import type { Deck } from "../../deck/deck.ts";
import type { Place } from "../../environment/earth.ts";
import type { Field } from "../../model/field.ts";
import type { Vehicle } from "../../model/model.ts";
import type { Bridge } from "../server.ts";

export interface AutopilotOptions {
  readonly deck: Deck;
  readonly vehicle: Vehicle;
  readonly channels: readonly Field[];
  readonly home: Place;
  /** From tick to tick [s]. */
  readonly interval: number;
  readonly host: string;
  /** Of instance 0; others have their own. */
  readonly port: number;
  readonly report: (words: string) => void;
  /** Hands on sticks, if there are any. */
  readonly radio: () => Sticks | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/** A bridge whose peer decides when time goes on. */
export interface Driver extends Bridge {
  /** Goes on if it can; answers with when it wants to be asked again, at the latest [ms]. */
  turn(): number;
  /** Who waits for whom, if somebody does. */
  waitsFor(): string | undefined;
}

/** Counts which time it is, for people. */
export function nth(count: number): string {
  const tail = count % 100 > 10 && count % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][count % 10] ?? "th");
  return `${count}${tail}`;
}

/** Speed so far: simulated seconds per second of the time that the autopilot took part. */
export class RealTimeFactor {
  private simulated = 0;
  private real = 0;
  private last?: { readonly t: number; readonly now: number };

  /** Breaks longer than this are nobody's work [ms]. */
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
