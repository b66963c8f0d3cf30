import { copyTo } from "../math/arrays.ts";
import type { Field } from "../model/field.ts";
import type { InputSource } from "../model/input-source.ts";

/** One line of a scenario's inputs: from t on these inputs have these values, until a later line says otherwise. */
export interface TimelineEntry {
  readonly t: number;
  readonly inputs: Readonly<Record<string, number>>;
}

/** What inputs do between lines. */
export type Interpolation = "hold" | "linear";

/**
 * Inputs of a table sorted by time, held from line to line or led in straight lines; an input never named keeps its default,
 * before the first line all do, and after the last its values hold.
 */
export function timeline(
  fields: readonly Field[],
  entries: readonly TimelineEntry[],
  interpolate: Interpolation = "hold",
): InputSource {
  const rows: Float64Array[] = [];
  const row = new Float64Array(fields.map((f) => f.default ?? 0));
  const times = [Number.NEGATIVE_INFINITY];
  rows.push(row.slice());
  for (const entry of entries) {
    fields.forEach((f, i) => {
      row[i] = entry.inputs[f.name] ?? row[i];
    });
    times.push(entry.t);
    rows.push(row.slice());
  }
  let current = 0;
  return {
    update({ t }, u) {
      // Ticks are k * control_dt, whose rounding must not delay a line by a whole tick.
      const now = t + 1e-9;
      while (current > 0 && times[current] > now) current--;
      while (current + 1 < times.length && times[current + 1] <= now) current++;
      copyTo(u, rows[current]);
      if (interpolate === "hold" || current === 0 || current + 1 === rows.length) return;
      const part = (t - times[current]) / (times[current + 1] - times[current]);
      for (let i = 0; i < u.length; i++) u[i] += part * (rows[current + 1][i] - u[i]);
    },
  };
}
