/** Derivatives of what trim solves for, by the chain rule: the model's own for the rates, the motion's for the state. */
import { factorise, solve } from "../math/lu.ts";
import type { Control } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Constraint } from "./constraints.ts";
import type { Motion, Unknown } from "./motion.ts";

/** A trim with its unknowns written into states and inputs. */
export interface Placed {
  readonly vehicle: Vehicle;
  readonly motion: Motion;
  /** Of the motion, then free controls. */
  readonly unknowns: readonly Unknown[];
  readonly free: readonly Control[];
  /** Inputs of each free control, states that follow inputs, and states of actuators that no input commands. */
  readonly places: readonly (readonly number[])[];
  readonly followers: readonly (readonly [state: number, input: number])[];
  readonly unslaved: readonly number[];
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly u: Float64Array;
  readonly e: Float64Array;
  readonly dx: Float64Array;
  /** How many residuals there are: the motion's rates, constraints. */
  readonly rows: number;
  readonly constraints: readonly Constraint[];
}

/** Controls that act by their square count as at least this. */
const LEAST = 1e-3;

/** Writes them row by row into J; false where the model has no derivatives of its own. Its work arrays are reused. */
export function residualSlopesOf(at: Placed): (J: Float64Array) => boolean {
  const { vehicle, motion, x, u, dx, e, z, unknowns, unslaved, constraints, rows } = at;
  const { model, parameters } = vehicle;
  const columns = x.length + u.length;
  const slopes = new Float64Array(x.length * columns);
  const along = new Float64Array(columns);
  const rates = new Float64Array(x.length);
  const r = new Float64Array(rows);
  const places = motion.places;
  const own = new Float64Array(unslaved.length * unslaved.length);
  const pivot = new Int32Array(unslaved.length);
  const carried = new Float64Array(unslaved.length);
  const count = unknowns.length;
  const moved = new Int32Array(columns);
  return (J) => {
    if (!model.jacobian?.("states and inputs", x, u, parameters, e, slopes, dx)) return false;
    unslaved.forEach((row, k) => {
      unslaved.forEach((column, i) => {
        own[k * unslaved.length + i] = slopes[row * columns + column];
      });
    });
    if (unslaved.length > 0 && !factorise(own, unslaved.length, pivot)) return false;
    for (let j = 0; j < count; j++) {
      if (unknowns[j].lower === unknowns[j].upper) continue;
      along.fill(0);
      tangent(at, j, along);
      // Actuators that no input commands are carried along so that their rates stay zero: their slopes are -W^-1 b.
      unslaved.forEach((row, k) => {
        carried[k] = 0;
        for (let c = 0; c < columns; c++) carried[k] -= slopes[row * columns + c] * along[c];
      });
      solve(own, unslaved.length, pivot, carried);
      unslaved.forEach((state, k) => {
        along[state] = carried[k];
      });
      let some = 0;
      for (let c = 0; c < columns; c++) if (along[c] !== 0) moved[some++] = c;
      for (let k = 0; k < places.length; k++) {
        const first = places[k] * columns;
        let sum = 0;
        for (let i = 0; i < some; i++) sum += slopes[first + moved[i]] * along[moved[i]];
        rates[places[k]] = sum;
      }
      const unknown = j < z.length ? j : -1;
      motion.slopes(z, unknown, rates, r);
      for (let k = 0; k < constraints.length; k++)
        r[places.length + k] = constraints[k].slope(unknown, along, rates);
      for (let i = 0; i < rows; i++) J[i * count + j] = r[i];
    }
    return true;
  };
}

/** Derivatives of states, then inputs, by an unknown. */
function tangent({ motion, free, places, followers, x, u, z }: Placed, j: number, out: Float64Array): void {
  const control = j - z.length;
  if (control < 0) motion.tangent(x, z, j, out);
  else {
    // Of a square the root; at rest that has no slope, and any will do that leads away.
    const { isSquare } = free[control];
    for (const place of places[control])
      out[x.length + place] = isSquare ? 0.5 / Math.max(u[place], LEAST) : 1;
    for (const [state, input] of followers) out[state] = out[x.length + input];
  }
}
