import type { Field } from "../model/field.ts";

/** Somebody beside the vehicle who sees every sample and keeps a record of his own: a marshal at a track. */
export interface Watcher {
  readonly fields: readonly Field[];
  /** Names of what he may report. */
  readonly events: readonly string[];
  readonly memory: readonly Float64Array[];
  /** Sees the state at t; answers true where the run is over. */
  watch(t: number, x: Float64Array, out: Float64Array, report: (name: string, t: number) => void): boolean;
  /** The vehicle was taken back to its start. */
  reset(): void;
}
