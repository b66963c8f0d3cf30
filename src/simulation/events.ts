/** Events are located this closely [s]. */
const TIME_TOLERANCE = 1e-10;

/** Something that happened, and when. */
export interface RunEvent {
  readonly name: string;
  readonly t: number;
  /** Of an impact or touchdown the closing speed [m/s], of a tip-over the tilt [rad]. */
  readonly value?: number;
}

/** Events as numbers, for snapshots: place of the name, time, value or NaN. */
export const packEvents = (events: readonly RunEvent[], names: readonly string[]): Float64Array =>
  Float64Array.from(events.flatMap(({ name, t, value = Number.NaN }) => [names.indexOf(name), t, value]));

export const unpackEvents = (numbers: Float64Array, names: readonly string[]): RunEvent[] =>
  Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [name, t, value] = numbers.subarray(3 * i, 3 * i + 3);
    return { name: names[name], t, ...(Number.isNaN(value) ? {} : { value }) };
  });

/**
 * Bisection for the time within a step at which the guard has just turned from negative to not negative. Where the step begins
 * at zero (after a reset) the negative side is looked for inside; a guard that never leaves zero answers 0.
 */
export function locate(guard: (s: number) => number, taken: number, guardAtStart: number): number {
  let before = 0;
  let after = taken;
  if (guardAtStart >= 0) {
    let s = taken / 2;
    while (s > TIME_TOLERANCE && !(guard(s) < 0)) {
      after = s;
      s /= 2;
    }
    if (s <= TIME_TOLERANCE) return 0;
    before = s;
  }
  while (after - before > TIME_TOLERANCE) {
    const middle = 0.5 * (before + after);
    if (guard(middle) >= 0) after = middle;
    else before = middle;
  }
  return after;
}
