/** What is measured of a run: numbers that follow from its samples and events. */
import type { Field } from "../model/field.ts";
import type { RunEvent } from "../simulation/events.ts";
import type { Sink } from "../simulation/recorder.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Evaluate, Expression } from "./expression.ts";

export const OF_SAMPLES = ["final", "max", "min", "mean", "rms", "time", "first"] as const;
export const OF_EVENTS = ["event", "count"] as const;

/** What is measured, without its name. */
export type Measured =
  | { readonly kind: (typeof OF_SAMPLES)[number]; readonly of: Expression }
  | { readonly kind: "settle"; readonly of: Expression; readonly to: number; readonly within: number }
  | { readonly kind: (typeof OF_EVENTS)[number]; readonly event: string };
export type Measure = { readonly name: string } & Measured;

/** Watches one run; numbers that it does not have (an event that never was) are NaN. */
interface Watch {
  /** At every sample. */
  see?(t: number, row: Float64Array): void;
  end(row: Float64Array, events: readonly RunEvent[]): number;
}

/** Integral over time by trapezoids, and the time it took. */
function integral(f: Evaluate): { see(t: number, row: Float64Array): void; readonly mean: () => number } {
  let [sum, first, last, before] = [0, Number.NaN, Number.NaN, 0];
  return {
    see(t, row) {
      const value = f(row);
      if (Number.isNaN(first)) first = t;
      else sum += 0.5 * (before + value) * (t - last);
      last = t;
      before = value;
    },
    mean: () => (last > first ? sum / (last - first) : before),
  };
}

function watchOf(measure: Measured): Watch {
  if ("event" in measure) {
    const { kind, event } = measure;
    return {
      end(_, events) {
        const found = events.filter(({ name }) => name === event);
        return kind === "count" ? found.length : (found[0]?.t ?? Number.NaN);
      },
    };
  }
  const f = measure.of.evaluate;
  let [value, last] = [Number.NaN, 0];
  let hasBegun = false;
  const end = () => value;
  /** A sample that has no number leaves none for the whole run. */
  const extreme = (isBeyond: (v: number) => boolean): Watch => ({
    see(_, row) {
      const v = f(row);
      const hasNumber = !Number.isNaN(value);
      if (!hasBegun || (hasNumber && (isBeyond(v) || Number.isNaN(v)))) value = v;
      hasBegun = true;
    },
    end,
  });
  switch (measure.kind) {
    case "final":
      return { end: f };
    case "max":
      return extreme((v) => v > value);
    case "min":
      return extreme((v) => v < value);
    case "mean": {
      const { see, mean } = integral(f);
      return { see, end: mean };
    }
    case "rms": {
      const { see, mean } = integral((row) => {
        const v = f(row);
        return v * v;
      });
      return { see, end: () => Math.sqrt(Math.max(0, mean())) };
    }
    case "time": {
      // What holds at a sample holds until the next.
      let held = false;
      value = 0;
      return {
        see(t, row) {
          if (held) value += t - last;
          held = f(row) > 0;
          last = t;
        },
        end,
      };
    }
    case "first":
      return {
        see(t, row) {
          if (Number.isNaN(value) && f(row) > 0) value = t;
        },
        end,
      };
    case "settle": {
      const { to, within } = measure;
      return {
        see(t, row) {
          const isInside = Math.abs(f(row) - to) <= within;
          if (!isInside) value = Number.NaN;
          else if (Number.isNaN(value)) value = t;
        },
        end,
      };
    }
  }
}

/** Measures of one run as a sink of its samples; none are looked at where the end is enough. */
export class Meter implements Sink {
  private readonly watches: readonly Watch[];
  private readonly seeing: readonly Watch[];
  private readonly reads: readonly string[];

  constructor(measures: readonly Measure[]) {
    this.watches = measures.map(watchOf);
    this.seeing = this.watches.filter((w) => w.see !== undefined);
    this.reads = measures.flatMap((m, i) => ("of" in m && this.watches[i].see ? m.of.names : []));
  }

  get isNeeded(): boolean {
    return this.seeing.length > 0;
  }
  open(_channels: readonly Field[]): readonly string[] {
    return this.reads;
  }
  write(row: Float64Array): void {
    for (const watch of this.seeing) watch.see?.(row[0], row);
  }
  close(): void {}

  /** When the run is over. */
  values(simulation: Simulation): Float64Array {
    const row = simulation.sample();
    return Float64Array.from(this.watches, (watch) => watch.end(row, simulation.events));
  }
}
