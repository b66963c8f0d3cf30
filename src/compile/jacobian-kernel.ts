/** Derivatives by a compiled WebAssembly kernel. */
import type { Initialisation } from "./initialisation.ts";
import { kernelsOf } from "./kernel.ts";

/** Writes all derivatives into J, zeros and all. */
export type Jacobian = (
  x: Float64Array,
  u: Float64Array,
  p: unknown,
  e: Float64Array,
  J: Float64Array,
  dx?: Float64Array,
) => void;

/** A kernel for one vehicle at a time, and its memory layout. */
export interface JacobianCode {
  readonly module: Uint8Array;
  readonly initialisation: Initialisation;
  readonly shape: {
    readonly states: number;
    readonly columns: number;
    /** Of the environment, those that change from instant to instant. */
    readonly fields: number;
    /** Addresses of a vehicle's block, of its inputs and boundaries, and of the data behind it. */
    readonly block: number;
    readonly inputs: number;
    readonly boundaries: number;
    readonly end: number;
  };
}

export function jacobianKernel({ module, initialisation, shape }: JacobianCode): Jacobian {
  const { states: n, columns, fields, block, end: state } = shape;
  const around = state + 8 * n;
  const out = around + 8 * fields;
  const { memory, calls } = kernelsOf(module, out + 8 * n * (columns + 1))();
  const [xAt, uAt, bAt, eAt] = [state, shape.inputs, shape.boundaries, around].map((a) => a / 8);
  const result = memory.subarray(out / 8, out / 8 + n * columns);
  const rates = memory.subarray(out / 8 + n * columns, out / 8 + n * (columns + 1));
  initialisation.begin(memory);
  let prepared: unknown;
  return (x, u, p, e, J, dx) => {
    if (p !== prepared) initialisation.prepare(memory, block, 0, p);
    prepared = p;
    for (let i = 0; i < n; i++) memory[xAt + i] = x[i];
    for (let i = 0; i < u.length; i++) memory[uAt + i] = u[i];
    for (let i = 0; i < fields; i++) memory[eAt + i] = e[i];
    for (let i = fields; i < e.length; i++) memory[bAt + i - fields] = e[i];
    calls.jacobian(state, out, block, around);
    J.set(result);
    if (dx !== undefined) for (let i = 0; i < n; i++) dx[i] = rates[i];
  };
}
