import type { Field } from "../model/field.ts";
import type { InputSource } from "../model/input-source.ts";
import { type TimelineEntry, timeline } from "./timeline.ts";

const SUFFIX = "_health";
const COMMAND = "_cmd";
/** Stands for a motor that stops, beside healths from 0 (its blades are lost, the motor keeps turning) to 1. */
export const STOPPED = -1;

/** What can fail: `rotor_2` where the model has an input `rotor_2_health`. */
export function faultFields(inputs: readonly Field[]): readonly Field[] {
  return inputs.flatMap((f) =>
    f.name.endsWith(SUFFIX) ? [{ ...f, name: f.name.slice(0, -SUFFIX.length) }] : [],
  );
}

/** A source whose healths follow a timeline of faults, and whose stopped motors are commanded to zero speed. */
export function faulted(
  source: InputSource,
  inputs: readonly Field[],
  faults: readonly TimelineEntry[],
): InputSource {
  if (faults.length === 0) return source;
  const fields = faultFields(inputs);
  const places = fields.map((f) => inputs.findIndex((i) => i.name === `${f.name}${SUFFIX}`));
  const commands = fields.map((f) => inputs.findIndex((i) => i.name === `${f.name}${COMMAND}`));
  const told = new Float64Array(fields.length);
  const lines = timeline(fields, faults);
  return {
    memory: source.memory,
    survivesReset: source.survivesReset,
    update(sensed, u) {
      source.update(sensed, u);
      lines.update(sensed, told);
      places.forEach((place, i) => {
        const isStopped = told[i] === STOPPED;
        u[place] = isStopped ? 1 : told[i];
        if (isStopped && commands[i] >= 0) u[commands[i]] = 0;
      });
    },
  };
}
