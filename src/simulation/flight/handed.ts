import type { StickSource } from "../../control/hands/stick-source.ts";
import type { Source } from "../../control/source.ts";

/** Who flies: the scenario's source, hands, or somebody at the other end of a topic. */
export const [SCENARIO, HANDS, OUTSIDE] = [0, 1, 2];

/** Flown by another source until somebody takes over, which a reset of the vehicle does not undo. */
export function handed(
  sticks: StickSource,
  other: Source,
  taken: Float64Array,
  outside: Float64Array,
): Source {
  return {
    memory: [taken, outside, ...sticks.memory, ...(other.memory ?? [])],
    kept: [taken, outside, ...sticks.grip],
    update(sensed, u) {
      if (taken[0] === HANDS) sticks.update(sensed, u);
      else if (taken[0] === SCENARIO) other.update(sensed, u);
      else {
        sticks.move(sensed.t);
        for (let i = 0; i < u.length; i++) if (!Number.isNaN(outside[i])) u[i] = outside[i];
      }
    },
  };
}
