/**
 * Sticks that keys push and gamepads hold. They move at ticks only and only by what `push`, `hold` and `put` say, so the log of
 * these flies the same again.
 */
import { InputError } from "../../model/input-error.ts";
import type { InputSource, Sensed } from "../../model/input-source.ts";
import type { ManualControl } from "../../model/manual-control.ts";

/** A released stick is 0, a pushed one -1 or 1, a held one HELD. */
const HELD = 2;
/** Springs are so much faster than keys. */
const SPRING = 2;

export type StickMotion = "push" | "hold" | "put";

export class StickSource implements InputSource {
  readonly memory: readonly Float64Array[];
  /** The part of the memory that holds the sticks, without that of the stability augmentation. */
  readonly grip: readonly Float64Array[];
  readonly positions: Float64Array;
  private readonly grips: Float64Array;
  private readonly movedAt = Float64Array.of(Number.NaN);
  private readonly control: ManualControl;
  private readonly interval: number;

  constructor(hands: ManualControl, interval: number) {
    this.control = hands;
    this.interval = interval;
    this.positions = Float64Array.from(hands.sticks, (s) => s.rest);
    this.grips = new Float64Array(hands.sticks.length);
    this.grip = [this.positions, this.grips, this.movedAt];
    this.memory = [...this.grip, ...hands.memory];
  }

  /** push: a direction, 0 lets go; hold: a position kept until it is pushed; put: a position, let go at once. */
  moveStick(stick: number, kind: StickMotion, value: number): void {
    const { sticks } = this.control;
    if (sticks[stick] === undefined || !Number.isFinite(value))
      throw new InputError(`stick ${stick} cannot be ${kind === "push" ? "pushed" : "put"} to ${value}`, {
        allowed: sticks.map((s, i) => `${i} (${s.name}, ${s.min} to ${s.max})`).join(", "),
      });
    const { min, max } = sticks[stick];
    if (kind === "push") this.grips[stick] = Math.sign(value);
    else {
      this.grips[stick] = kind === "hold" ? HELD : 0;
      this.positions[stick] = Math.min(max, Math.max(min, value));
    }
  }

  /** Sticks that are being pushed. */
  pushed(): number[] {
    return [...this.grips].flatMap((grip, i) => (grip === 0 || grip === HELD ? [] : [i]));
  }

  update(sensed: Sensed, u: Float64Array): void {
    this.advance(sensed.t);
    this.control.act(sensed, this.positions, u);
  }

  /** Where keys and springs have moved them by now; once a tick. */
  advance(t: number): void {
    const { positions, grips, movedAt } = this;
    if (movedAt[0] === t) return;
    movedAt[0] = t;
    this.control.sticks.forEach(({ min, max, rest, springs, speed }, i) => {
      const way = speed * (max - min) * this.interval;
      if (grips[i] === HELD) return;
      if (grips[i] !== 0) positions[i] = Math.min(max, Math.max(min, positions[i] + grips[i] * way));
      else if (springs) {
        const back = SPRING * way;
        positions[i] += Math.min(back, Math.max(-back, rest - positions[i]));
      }
    });
  }
}
