/** Spacing of the noise grid [s]. Fixed, so that a realisation does not depend on integrator, step or control_dt. */
export const GRID = 0.01;

/** A random process on the grid: asked for its points in order. */
export interface Turbulence {
  /** Adds the velocity at grid point k to out[offset..offset+2]. */
  next(k: number, out: Float64Array, offset: number): void;
  readonly memory: Float64Array;
}
