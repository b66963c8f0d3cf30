import type { StickSource } from "../../control/manual/stick-source.ts";
import type { InputSource } from "../../model/input-source.ts";

/** Selects the source of the inputs: the scenario's, manual control, or an external controller at a topic. */
export const [SCENARIO, MANUAL, OUTSIDE] = [0, 1, 2];

/** Starts with the scenario's source; a switch to manual or external control survives a reset of the vehicle. */
export function inputSelector(
  sticks: StickSource,
  other: InputSource,
  taken: Float64Array,
  outside: Float64Array,
): InputSource {
  return {
    memory: [taken, outside, ...sticks.memory, ...(other.memory ?? [])],
    survivesReset: [taken, outside, ...sticks.grip],
    update(sensed, u) {
      if (taken[0] === MANUAL) sticks.update(sensed, u);
      else if (taken[0] === SCENARIO) other.update(sensed, u);
      else {
        sticks.advance(sensed.t);
        for (let i = 0; i < u.length; i++) if (!Number.isNaN(outside[i])) u[i] = outside[i];
      }
    },
  };
}
