import type { Field } from "../model/field.ts";

/** Beyond these a state is absurd for any vehicle here: the other side of the earth, orbital speed, a turbine's spin. */
const LIMITS: Readonly<Record<string, number>> = { position: 1e7, velocity: 8e3, rate: 1e4, quaternion: 2 };

export function limitOf(field: Field): number {
  return LIMITS[field.kind ?? ""] ?? 1e12;
}

/** The simulation produced a value that cannot be. What came before it is kept. */
export class DivergenceError extends Error {
  readonly t: number;
  readonly state: string;
  readonly value: number;
  /** The last good values by state name. */
  readonly lastGood: Readonly<Record<string, number>>;
  constructor(t: number, state: Field, value: number, lastGood: Record<string, number>, advice: string) {
    const reason = Number.isFinite(value)
      ? `${state.name} = ${value.toPrecision(4)} ${state.unit} is absurd (limit ${limitOf(state)})`
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
