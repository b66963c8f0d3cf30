/** Manual control: sticks and keys, and how they set the inputs of a vehicle. */
import type { Sensed } from "./input-source.ts";

/** A stick, between two ends. */
export interface Stick {
  readonly name: string;
  readonly meaning: string;
  readonly min: number;
  readonly max: number;
  /** Where it begins, and where it springs back to. */
  readonly rest: number;
  /** Goes back to its rest when let go; otherwise it stays. */
  readonly springs: boolean;
  /** How much of its range a key moves it [1/s]. */
  readonly speed: number;
}

/** What keys do: push sticks while held, or put them somewhere at once. Keys are codes of KeyboardEvent: places, not letters. */
export interface KeyAction {
  readonly keys: readonly string[];
  readonly meaning: string;
  /** Directions by stick: 1 towards its upper end, -1 towards the lower. */
  readonly pushes?: Readonly<Record<string, number>>;
  /** Positions by stick. */
  readonly puts?: Readonly<Record<string, number>>;
}

/** How sticks and keys set the inputs of a vehicle. */
export interface ManualControl {
  /** What the stability augmentation does, in one line. */
  readonly help: string;
  readonly sticks: readonly Stick[];
  readonly actions: readonly KeyAction[];
  readonly memory: readonly Float64Array[];
  /** Where the sticks are in a steady motion. */
  sticksAt?(x: Float64Array, u: Float64Array): readonly number[];
  /** Inputs from the sticks' positions, once a tick. */
  act(sensed: Sensed, sticks: Float64Array, u: Float64Array): void;
}

/** A stick that springs back to 0 from -1 to 1. */
export const sprung = (name: string, meaning: string, speed = 1.5): Stick => ({
  name,
  meaning,
  min: -1,
  max: 1,
  rest: 0,
  springs: true,
  speed,
});
