import type { Blocks } from "../math/block-triangular.ts";
import type { Field } from "./field.ts";

/** A zero crossing that matters: landing, bounce, lap. It happens when the guard rises through zero. */
export interface ModelEvent<P> {
  readonly name: string;
  /** Ends the run. */
  readonly terminal?: boolean;
  /** Of no interest in a list of what happened. */
  readonly isQuiet?: boolean;
  guard(x: Float64Array, u: Float64Array, p: P, e: Float64Array): number;
  /** A number that tells how it was: the speed of an impact. */
  value?(x: Float64Array, p: P, e: Float64Array): number;
  reset?(x: Float64Array, p: P): void;
}

/** An input, or several that move together, by which a vehicle is held in steady motion. */
export interface Control {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Its value at rest. */
  readonly neutral: number;
  /** Drives the vehicle: a rotor, a wheel's torque. What has none of these left glides or coasts. */
  readonly isPropulsion?: boolean;
  /** What it does grows with its square, as with a rotor's speed. */
  readonly isSquare?: boolean;
  /** Parameters that say how far it goes. */
  readonly limits?: { readonly min?: string; readonly max?: string };
  /** For hovering: at rest in forward flight as long as that goes without it. */
  readonly isForHover?: boolean;
}

/** A parameter that is invalid, though it is in its range. */
export interface InvalidParameter {
  readonly field: string;
  readonly problem: string;
  readonly allowed?: string;
}

/** The same object as long as it holds. */
export interface Newton {
  /** Entries of the Jacobian by the states that may be other than zero, row by row. */
  readonly pattern: Uint8Array;
  /** Differences are taken though `jacobian` may be there: not every program has it, and all should take the same steps. */
  readonly byDifferences?: boolean;
  /** Steps of radau (integrators/newton.ts) as a WebAssembly kernel. */
  readonly kernel?: NewtonKernel;
}
export interface NewtonKernel {
  /** Radau's numbers, in kernel memory. */
  readonly numbers: Float64Array<ArrayBuffer>;
  take(factors: Blocks): void;
  setInputs(u: Float64Array): void;
  /** Of one of the three stages. */
  setSurroundings(stage: number, e: Float64Array): void;
  solve(): void;
  accept(): void;
}

/**
 * A dynamic system: named states x, inputs u, environment e, parameters p, and one pure function. Integrators, analysis,
 * sensors, files and bridges know nothing else of a vehicle.
 */
export interface Model<P = unknown> {
  readonly name: string;
  readonly meaning: string;
  readonly states: readonly Field[];
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  /** Environment fields at each instant: wind, air. */
  readonly environment: readonly Field[];
  /** How many boundaries it can see at once; their slots (environment/boundaries.ts) follow the fields in e. */
  readonly boundarySlots?: number;
  /** Names may be nested by dots; `parameters.ts` turns them into the object P. */
  readonly parameters: readonly Field[];
  /**
   * dx = f(x, u, p, e), and the outputs y where wanted. Time enters only through u and e. Allocates nothing and normalises
   * the quaternion itself.
   */
  derivative(
    x: Float64Array,
    u: Float64Array,
    p: P,
    e: Float64Array,
    dx: Float64Array,
    y?: Float64Array,
  ): void;
  /**
   * Derivatives of dx, row by row into J: by the states, by states and inputs side by side, or by the parameters; and dx itself where
   * wanted. False where there are none: then, as without it, differences are taken. src/compile makes it from the source of `derivative`.
   */
  jacobian?(
    by: "states" | "states and inputs" | "parameters",
    x: Float64Array,
    u: Float64Array,
    p: P,
    e: Float64Array,
    J: Float64Array,
    dx?: Float64Array,
  ): boolean;
  /** For implicit integrators: what is known of the Jacobian, and of solving for a step; each owner gets its own. Src/compile makes it, too. */
  newton?(owner: object, p: P, e: Float64Array): Newton | undefined;
  /** Completes parameters by what follows from them (unit axes, inverse inertia), once after they are made. */
  derive?(p: P): void;
  /** What is wrong with parameters that are each in range: a zero axis, a table that is not sorted. */
  validate?(p: P): InvalidParameter | undefined;
  /** Time constants that follow from several parameters together; explicit integrators need steps shorter than them. */
  timeConstants?(p: P): readonly { readonly field: string; readonly seconds: number }[];
  /** Warnings: parameters that are allowed but unlikely to be intended. */
  warnings?(p: P): readonly string[];
  /** Controls that hold it in steady motion, and their ranges. */
  controls?(p: P): readonly Control[];
  /** Its definition of coordinated flight: zero side force, or zero sideslip. */
  coordination?(p: P): "side force" | "sideslip";
  /** Angle of attack left to the stall [rad], negative beyond it. */
  stallMargin?(x: Float64Array, p: P, y: Float64Array): number;
  /** Its own names of common modes of motion. */
  readonly modeNames?: Readonly<Record<string, string>>;
  /** Stiff: some time constants are far shorter than those of interest; runs use an implicit integrator by default. */
  readonly stiff?: boolean;
  /** Completes a state to start from: discrete states that follow from the others. */
  completeState?(x: Float64Array, p: P): void;
  /** Why a run cannot begin like this: inside the ground. */
  validateStart?(x: Float64Array, p: P, e: Float64Array): string | undefined;
  /** After each step: unit quaternion, actuator limits. */
  project?(x: Float64Array, p: P): void;
  /** At the start of each tick: discrete states change here and in events, and inputs may be limited for the tick. */
  onTick?(x: Float64Array, u: Float64Array, p: P, e: Float64Array, dt: number): void;
  readonly events?: readonly ModelEvent<P>[];
  /** Where its equations stand below src/, for src/compile. */
  readonly source?: EquationsSource;
}

/** An object of functions (derivative, project) by its file and name, or the function that makes it. */
export interface EquationsSource {
  readonly file: string;
  readonly name: string;
  /** Of the function that makes it. */
  readonly arguments?: readonly unknown[];
}

/** Place of a field by its name; -1 where there is none. */
export function indexOf(fields: readonly Field[], name: string): number {
  return fields.findIndex((f) => f.name === name);
}
