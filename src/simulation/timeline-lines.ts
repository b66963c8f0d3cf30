/** Lines of a scenario by time: inputs, faults, the pilot's and events. */
import type { TimelineEntry } from "../control/timeline.ts";
import type { Document } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";

export type Lines = readonly Record<string, number | undefined>[];

/** Throws where times do not increase. */
export function readTimeline(lines: Lines, source: Document, block: string): TimelineEntry[] {
  let last = Number.NEGATIVE_INFINITY;
  return lines.map(({ t = 0, ...named }, i) => {
    const complain = (problem: string) =>
      new InputError(problem, {
        file: source.file,
        ...source.locate([block, i, "t"]),
        field: `${block}.[${i}].t`,
        value: t,
        allowed: "times that increase from line to line",
      });
    if (t === last) throw complain(`the time ${t} s appears twice in the timeline`);
    if (t < last) throw complain(`${t} s comes after ${last} s`);
    last = t;
    const inputs = Object.fromEntries(
      Object.entries(named).filter((e): e is [string, number] => e[1] !== undefined),
    );
    return { t, inputs };
  });
}
