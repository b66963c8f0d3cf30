import type { StepSizeError } from "../integrators/integrator.ts";
import { type Field, largestOf } from "../model/field.ts";

/** A run that cannot continue; its message is for users. */
export class RunError extends Error {}

/** The simulation produced a value that is not finite or implausibly large. Samples before it are kept. */
export class DivergenceError extends RunError {
  readonly t: number;
  readonly state: string;
  readonly value: number;
  /** The last good values by state name. */
  readonly lastGood: Readonly<Record<string, number>>;
  constructor(t: number, state: Field, value: number, lastGood: Record<string, number>, advice: string) {
    const reason = Number.isFinite(value)
      ? `${state.name} = ${value.toPrecision(4)} ${state.unit} is implausible (limit ${largestOf(state)})`
      : `${state.name} (${state.meaning}) became ${value}`;
    super(
      `the simulation diverged at t = ${t.toPrecision(6)} s: ${reason}; the last good sample had ${state.name} = ` +
        `${lastGood[state.name]?.toPrecision(6)} ${state.unit}. ${advice}`,
    );
    this.name = "DivergenceError";
    this.t = t;
    this.state = state.name;
    this.value = value;
    this.lastGood = lastGood;
  }
}

/** Names the state furthest beyond its limit, in the last step that was finite: before it infected the others. */
export function divergence(
  t: number,
  states: readonly Field[],
  at: {
    readonly x: Float64Array;
    readonly limits: Float64Array;
    readonly before: Float64Array;
    readonly lastGood: Float64Array;
  },
  step: number,
): DivergenceError {
  const { x, limits, before, lastGood } = at;
  const seen = x.every(Number.isFinite) ? x : before;
  let worst = 0;
  for (let k = 1; k < x.length; k++)
    if (Math.abs(seen[k]) / limits[k] > Math.abs(seen[worst]) / limits[worst]) worst = k;
  const good = Object.fromEntries(states.map((f, k) => [f.name, lastGood[k]]));
  const advice =
    `Try a smaller dt (now ${step} s) or the integrator dopri5, and look at the initial state and the parameters ` +
    "that were changed.";
  return new DivergenceError(t, states[worst], x[worst], good, advice);
}

/** Steps became too short to go on. */
export function singular(error: StepSizeError, states: readonly Field[], x: Float64Array): RunError {
  const { name, unit } = states[error.state];
  return new RunError(
    `at t = ${error.t} s the ${error.message}; ${error.why} is ${name} = ${x[error.state].toPrecision(4)} ${unit}: the ` +
      "solution has a singularity there, the rates chatter about a discontinuity (rk4 steps over it), or the tolerance is below rounding error",
  );
}

export const tooStiff = (t: number, steps: number): RunError =>
  new RunError(
    `${steps} steps were not enough for the tick at t = ${t} s: the problem is too stiff for this integrator ` +
      "and tolerance, or the rates chatter about a discontinuity; look for a very short time constant, loosen the tolerance, or use rk4",
  );

export const endless = (event: string, t: number): RunError =>
  new RunError(
    `event "${event}" triggers endlessly at t = ${t} s: its reset does not make the guard negative`,
  );

/** Whether a state is beyond its limit or not finite. */
export function isAbsurd(x: Float64Array, limits: Float64Array): boolean {
  for (let i = 0; i < x.length; i++) if (!(Math.abs(x[i]) <= limits[i])) return true;
  return false;
}
