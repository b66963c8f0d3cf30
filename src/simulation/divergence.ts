import { type Field, largestOf } from "../model/field.ts";

/** A run that cannot go on, for reasons told to a person. */
export class RunError extends Error {}

/** The simulation produced a value that cannot be. What came before it is kept. */
export class DivergenceError extends RunError {
  readonly t: number;
  readonly state: string;
  readonly value: number;
  /** The last good values by state name. */
  readonly lastGood: Readonly<Record<string, number>>;
  constructor(t: number, state: Field, value: number, lastGood: Record<string, number>, advice: string) {
    const reason = Number.isFinite(value)
      ? `${state.name} = ${value.toPrecision(4)} ${state.unit} is absurd (limit ${largestOf(state)})`
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
