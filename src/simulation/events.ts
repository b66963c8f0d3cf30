/** Events are located this closely [s]. */
const TIME_TOLERANCE = 1e-10;

/** Something that happened, and when. */
export interface RunEvent {
  readonly name: string;
  readonly t: number;
}

/** Bisection for the time within a step at which the guard has just turned from negative to not negative. */
export function locate(
  guard: (x: Float64Array) => number,
  stateWithin: (s: number, taken: number, out: Float64Array) => void,
  taken: number,
  scratch: Float64Array,
): number {
  let before = 0;
  let after = taken;
  while (after - before > TIME_TOLERANCE) {
    const middle = 0.5 * (before + after);
    stateWithin(middle, taken, scratch);
    if (guard(scratch) >= 0) after = middle;
    else before = middle;
  }
  return after;
}
