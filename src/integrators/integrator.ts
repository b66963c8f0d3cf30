import type { Blocks } from "../math/block-triangular.ts";

/** dx = f(t, x): a model with its inputs, parameters and environment bound. */
export interface Rhs {
  (t: number, x: Float64Array, dx: Float64Array): void;
  /** Derivatives of dx by x, row by row, where the model offers them; false where it does not. */
  jacobian?(t: number, x: Float64Array, J: Float64Array): boolean;
  /** Which entries of the Jacobian may be other than zero, row by row, and what iterates faster; asked before every step. */
  newton?(): { readonly pattern: Uint8Array; readonly machine?: NewtonMachine } | undefined;
}

/** A step of radau as a WebAssembly kernel. */
export interface NewtonMachine {
  /** Radau's numbers (`placesOf`), in kernel memory. */
  readonly numbers: Float64Array<ArrayBuffer>;
  /** Other factors from here on. */
  take(factors: Blocks): void;
  /** Guess and iterations of a step from t; the verdict is among the numbers. */
  solve(t: number, h: number): void;
  /** Takes the step. */
  accept(): void;
}

/** Advances a state vector of one dimension, with its own work space. */
export interface Integrator {
  /** The classical Runge-Kutta method, which src/compile knows, too. */
  readonly isRk4?: boolean;
  /** Advances x in place from t by at most h and returns the time actually stepped (less than h only if adaptive). */
  step(f: Rhs, t: number, h: number, x: Float64Array): number;
  /** The equations are no longer those of the last step: an input jumped, or an event reset the state. */
  jump?(): void;
  /** What the next step remembers of the last ones, for snapshots. */
  readonly memory?: Float64Array;
  /** State inside the last step at the fraction theta of it. Absent: step again with a shorter h. */
  interpolate?(theta: number, out: Float64Array): void;
}

/** An integrator that cannot go on. */
export class StepSizeError extends Error {
  readonly t: number;
  /** Number of the state that is to blame, and why. */
  readonly state: number;
  readonly why: "stiffest" | "least accurate";
  readonly h: number;
  constructor(t: number, h: number, state: number, why: "stiffest" | "least accurate") {
    super(`step size fell to ${h.toExponential(1)} s`);
    this.name = "StepSizeError";
    this.t = t;
    this.h = h;
    this.state = state;
    this.why = why;
  }
}
