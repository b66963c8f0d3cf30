/**
 * Derivatives of what trim solves for, by the chain rule: the model's own for the rates, the motion's for the state. What is made of both is
 * smooth and cheap, so that differences along the tangent do for it.
 */
import type { Control, Vehicle } from "../model/model.ts";
import type { Motion, Unknown } from "./motion.ts";

/** A trim with its unknowns written into states and inputs. */
export interface Placed {
  readonly vehicle: Vehicle;
  readonly motion: Motion;
  /** Of the motion, then free controls, then actuators that have their own mind. */
  readonly unknowns: readonly Unknown[];
  readonly free: readonly Control[];
  /** Inputs of each free control, states that follow inputs, and states that follow nothing. */
  readonly places: readonly (readonly number[])[];
  readonly followers: readonly (readonly [state: number, input: number])[];
  readonly willful: readonly number[];
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
  readonly dx: Float64Array;
  /** Residuals from z, x and dx. */
  measure(r: Float64Array): void;
}

/** Of an unknown's size, for differences along the tangent. */
const STEP = 1e-5;
/** Controls that act by their square count as at least this. */
const LEAST = 1e-3;

/** Row by row into J; false where the model does not tell its derivatives. */
export function residualSlopes(at: Placed, rows: number, J: Float64Array): boolean {
  const { vehicle, x, u, dx, e, z, unknowns } = at;
  const { model, parameters } = vehicle;
  const slopes = new Float64Array(x.length * (x.length + u.length));
  if (!model.jacobian?.("states and inputs", x, u, parameters, e, slopes, dx)) return false;
  const [x0, dx0, z0] = [x.slice(), dx.slice(), z.slice()];
  const [byX, rates, byU] = [x.length, x.length, u.length].map((n) => new Float64Array(n));
  const [up, down] = [new Float64Array(rows), new Float64Array(rows)];
  const along = (j: number, h: number, r: Float64Array) => {
    if (j < z.length) z[j] = z0[j] + h;
    for (let i = 0; i < x.length; i++) {
      x[i] = x0[i] + h * byX[i];
      dx[i] = dx0[i] + h * rates[i];
    }
    at.measure(r);
    if (j < z.length) z[j] = z0[j];
  };
  unknowns.forEach(({ lower, upper, scale }, j) => {
    if (lower === upper) return;
    for (const list of [byX, byU, rates]) list.fill(0);
    x.set(x0);
    tangent(at, j, byX, byU);
    addProduct(rates, slopes, 0, byX);
    addProduct(rates, slopes, x.length, byU);
    along(j, STEP * scale, up);
    along(j, -STEP * scale, down);
    for (let i = 0; i < rows; i++) J[i * unknowns.length + j] = (up[i] - down[i]) / (2 * STEP * scale);
  });
  return true;
}

/** Derivatives of states and inputs by an unknown. */
function tangent(
  { motion, free, places, followers, willful, x, u, z }: Placed,
  j: number,
  byX: Float64Array,
  byU: Float64Array,
): void {
  const control = j - z.length;
  if (control < 0) motion.tangent(x, z, j, byX);
  else if (control >= free.length) byX[willful[control - free.length]] = 1;
  else {
    // Of a square the root; at rest that has no slope, and any will do that leads away.
    const { isSquare } = free[control];
    for (const place of places[control]) byU[place] = isSquare ? 0.5 / Math.max(u[place], LEAST) : 1;
    for (const [state, input] of followers) byX[state] = byU[input];
  }
}

/** out += M v, M being the columns of a table from `first` on. */
function addProduct(out: Float64Array, table: Float64Array, first: number, v: Float64Array): void {
  const columns = table.length / out.length;
  for (let j = 0; j < v.length; j++)
    if (v[j] !== 0) for (let i = 0; i < out.length; i++) out[i] += table[i * columns + first + j] * v[j];
}
