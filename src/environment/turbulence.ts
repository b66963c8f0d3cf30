/** Spacing of the noise grid [s]. Fixed, so that a realisation does not depend on integrator, step or control_dt. */
export const GRID = 0.01;

/** A random process on the grid: asked for its points in order. */
export interface Turbulence {
  /** Adds the velocities at grid points k, k + 1, ... to out from `offset` on, three numbers each. */
  next(k: number, count: number, out: Float64Array, offset: number): void;
  readonly memory: Float64Array;
}
