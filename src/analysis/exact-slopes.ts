/** The model's own derivatives about a point, in minimal coordinates. */
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Coordinates } from "./coordinates.ts";

export interface ExactDerivatives {
  /** Of the rates of all coordinates. */
  byState(coordinate: number): Float64Array;
  byInput(input: number): Float64Array;
}

/** Undefined where the model has no derivatives of its own. */
export function exactDerivatives(
  { model, parameters }: Vehicle,
  coordinates: Coordinates,
  x: Float64Array,
  u: Float64Array,
  e: Float64Array,
): ExactDerivatives | undefined {
  const n = x.length;
  const columns = n + u.length;
  const J = new Float64Array(n * columns);
  const dx = new Float64Array(n);
  if (!model.jacobian?.("states and inputs", x, u, parameters, e, J, dx)) return undefined;
  const along = new Float64Array(columns);
  const ddx = new Float64Array(n);
  const slopes = (coordinate: number) => {
    ddx.fill(0);
    along.forEach((v, c) => {
      if (v !== 0) for (let i = 0; i < n; i++) ddx[i] += J[i * columns + c] * v;
    });
    const out = new Float64Array(coordinates.fields.length);
    coordinates.slopes(x, dx, coordinate, ddx, out);
    return out;
  };
  return {
    byState(coordinate) {
      along.fill(0);
      coordinates.tangent(x, coordinate, along);
      return slopes(coordinate);
    },
    byInput(input) {
      along.fill(0);
      along[n + input] = 1;
      return slopes(-1);
    },
  };
}
