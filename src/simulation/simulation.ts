import type { Field } from "../model/field.ts";
import type { Sensed } from "../model/input-source.ts";
import type { RunEvent } from "./events.ts";

/**
 * A vehicle in its environment, advanced tick by tick; `createSimulation` makes one from a scenario. The arrays are its own: read
 * them, and copy what is to be kept.
 */
export interface Simulation extends Sensed {
  /** Fields of a sample: t, states, inputs, outputs, sensors, what a monitor adds, environment. */
  readonly channels: readonly Field[];
  readonly events: readonly RunEvent[];
  /** Inputs. */
  readonly u: Float64Array;
  /** Ticks and integration steps so far. */
  readonly tick: number;
  readonly steps: number;
  /** A terminal event has happened, or the simulation diverged. */
  readonly finished: boolean;
  /**
   * Advances one tick, or to the time given if that comes first; false when the simulation has finished.
   *
   * @throws RunError where the simulation diverges; the last good sample stays
   */
  step(until?: number): boolean;
  /** The current sample in the order of `channels`, valid until the next step; false leaves the outputs out of date. */
  sample(withOutputs?: boolean): Float64Array;
  /** Takes the vehicle back to its initial state; time goes on. */
  reset(): void;
  /** All that changes, bit for bit; `restore` brings it back. */
  snapshot(): Uint8Array;
  restore(snapshot: Uint8Array): void;
  /** Parameters in the order of the model's fields; they take effect with the next step. Throws an InputError. */
  setParameters(values: ArrayLike<number>): void;
  parameterValues(): Float64Array;
  /** Hash of the bits of all states at every sample so far. */
  digest(): string;
  /** Samples that a sensor has delivered so far. */
  delivered(sensor: string): number;
}
