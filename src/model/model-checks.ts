/** Declarations of a model for its checks: its range of validity, accepted exceptions and why, and reference results. */

export type CheckName =
  | "finite"
  | "continuous"
  | "effect"
  | "units"
  | "galilean"
  | "heading"
  | "mirror"
  | "passive"
  | "balance"
  | "density"
  | "limits"
  | "speed"
  | "boundaries"
  | "events"
  | "witness"
  | "sign";

/** Something that is known not to hold, and why that is accepted. */
export interface Exception<P> {
  readonly check: CheckName;
  readonly reason: string;
  /** Parameters or inputs that may be without effect on the equations. */
  readonly fields?: RegExp;
  /** Vehicles of which it is true; of all where it does not say. */
  applies?(p: P): boolean;
  /** Parameters with which the check does hold; they are set for it. */
  readonly without?: Readonly<Record<string, number>>;
  /** States of which it is not asked. */
  outside?(x: Float64Array, u: Float64Array, p: P, y: Float64Array): boolean;
}

/** A state with a published result. */
export interface ReferenceCase {
  readonly source: string;
  /** A preset's name, or what a vehicle file says. */
  readonly vehicle: string | Readonly<Record<string, unknown>>;
  /** In the order of the model's fields; what is left out at the end is as usual. */
  readonly state: readonly number[];
  readonly inputs: readonly number[];
  readonly wind?: readonly [number, number, number];
  /** Flat ground unless others are given. */
  readonly boundaries?: readonly {
    readonly name: string;
    readonly point: readonly [number, number, number];
    readonly normal: readonly [number, number, number];
  }[];
  readonly derivative: readonly number[];
  readonly outputs?: Readonly<Record<string, number>>;
}

/** How left and right change places: partner and sign of each state and input, in their order; rigid bodies mirror themselves. */
export interface Mirror {
  readonly states: readonly (readonly [number, number])[];
  readonly inputs: readonly (readonly [number, number])[];
}

/** Two sides of a law that must be the same. */
export interface Balance {
  readonly name: string;
  readonly left: number;
  readonly right: number;
  /** Size of what is balanced. */
  readonly size: number;
}

/** What `check` may assume of a model, and the results that it must reproduce. */
export interface ModelChecks<P> {
  /** States for which it is valid: airspeed or v_x, flow angles, and rates. */
  readonly domain: {
    readonly speed: readonly [number, number];
    readonly alpha: readonly [number, number];
    readonly beta: readonly [number, number];
    readonly rate: number;
  };
  /** Or why the two sides differ, and parameters with which they do not. */
  mirror?(p: P): Mirror | { readonly reason: string; readonly without?: Readonly<Record<string, number>> };
  balances?(
    x: Float64Array,
    u: Float64Array,
    p: P,
    e: Float64Array,
    dx: Float64Array,
    y: Float64Array,
  ): readonly Balance[];
  readonly exceptions: readonly Exception<P>[];
  readonly referenceCases: readonly ReferenceCase[];
}
