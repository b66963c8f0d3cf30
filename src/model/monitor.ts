import type { Field } from "./field.ts";

/** Reports an event, with a number where it has one: the speed of an impact. */
export type ReportEvent = (name: string, t: number, value?: number) => void;

/** Observes every sample, keeps a record of its own and reports events: a lap timer. */
export interface Monitor {
  readonly fields: readonly Field[];
  /** Names of the events that it may report. */
  readonly events: readonly string[];
  readonly memory: readonly Float64Array[];
  /** Sees the state at t; answers true where the run is over. */
  observe(t: number, x: Float64Array, out: Float64Array, report: ReportEvent): boolean;
  /** The vehicle was taken back to its start. */
  reset(): void;
}

/** Several as one, each with its own part of the fields. */
export function combineMonitors(list: readonly (Monitor | undefined)[]): Monitor | undefined {
  const all = list.filter((w) => w !== undefined);
  if (all.length < 2) return all[0];
  const firsts = all.map((_, i) => all.slice(0, i).reduce((sum, w) => sum + w.fields.length, 0));
  return {
    fields: all.flatMap((w) => w.fields),
    events: [...new Set(all.flatMap((w) => w.events))],
    memory: all.flatMap((w) => w.memory),
    observe(t, x, out, report) {
      let isOver = false;
      all.forEach((w, i) => {
        if (w.observe(t, x, out.subarray(firsts[i], firsts[i] + w.fields.length), report)) isOver = true;
      });
      return isOver;
    },
    reset() {
      for (const w of all) w.reset();
    },
  };
}
