/**
 * Actuators whose rate no input commands directly: rotors on electric motors take the speed at which motor and air agree. In steady
 * motion each stands where its own rate vanishes, so trim eliminates them: a rotor accelerates a thousand times faster than an aircraft,
 * and a search that weighs both alike looks at nothing else.
 */
import { factorise, solve } from "../math/lu.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** Default initial speed [rad/s]. */
const USUAL_SPEED = 100;
const MOST_ROUNDS = 80;
/** Parts of the speed: for differences; settled; and settled where rounding allows no more. */
const STEP = 1e-6;
const EXACT = 1e-14;
const ROUNDING = 1e-10;
/** Newton's matrix is kept as long as each step is so much shorter than the one before. */
const SHRINKING = 0.05;

export class UnslavedActuators {
  /** Their states. */
  readonly states: readonly number[];
  private readonly rates: Float64Array;
  private readonly change: Float64Array;
  private readonly matrix: Float64Array;
  private readonly pivot: Int32Array;
  private hasMatrix = false;

  constructor({ states }: Vehicle["model"]) {
    this.states = states.flatMap((f, i) => (f.kind === "actuator" && f.follows === undefined ? [i] : []));
    const n = this.states.length;
    this.rates = new Float64Array(n);
    this.change = new Float64Array(n);
    this.matrix = new Float64Array(n * n);
    this.pivot = new Int32Array(n);
  }

  begin(x: Float64Array): void {
    for (const i of this.states) x[i] = USUAL_SPEED;
  }

  /** Newton's method on their rates alone; `evaluate` writes dx from x. Leaves both at the last point. */
  settle(x: Float64Array, dx: Float64Array, evaluate: () => void): void {
    const { states, rates, change } = this;
    const n = states.length;
    if (n === 0) return;
    let before = Number.POSITIVE_INFINITY;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      for (let k = 0; k < n; k++) rates[k] = dx[states[k]];
      if (!this.hasMatrix) this.form(x, dx, evaluate);
      if (!this.hasMatrix || !rates.every(Number.isFinite)) {
        // Nothing to go by: the next evaluation begins anew.
        this.hasMatrix = false;
        this.begin(x);
        evaluate();
        return;
      }
      for (let k = 0; k < n; k++) change[k] = -rates[k];
      solve(this.matrix, n, this.pivot, change);
      let size = 0;
      for (let k = 0; k < n; k++) {
        const v = x[states[k]];
        const largest = 0.5 * Math.abs(v) + USUAL_SPEED;
        const step = Math.max(-largest, Math.min(largest, change[k]));
        size = Math.max(size, Math.abs(step) / Math.max(1, Math.abs(v)));
        x[states[k]] = v + step;
      }
      evaluate();
      if (!(size > EXACT) || (size < ROUNDING && size >= before)) return;
      if (size > SHRINKING * before) this.hasMatrix = false;
      before = size;
    }
  }

  /** Derivatives of their rates by themselves, factorised. */
  private form(x: Float64Array, dx: Float64Array, evaluate: () => void): void {
    const { states, rates, matrix, pivot } = this;
    const n = states.length;
    for (let j = 0; j < n; j++) {
      const v = x[states[j]];
      const h = STEP * Math.max(1, Math.abs(v));
      x[states[j]] = v + h;
      evaluate();
      x[states[j]] = v;
      for (let k = 0; k < n; k++) matrix[k * n + j] = (dx[states[k]] - rates[k]) / h;
    }
    this.hasMatrix = factorise(matrix, n, pivot);
  }
}
