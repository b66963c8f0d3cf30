/** One evaluation of a model, and how two are compared. */
import type { Field } from "../../model/field.ts";
import type { Model } from "../../model/model.ts";
import { makeParameters, pack } from "../../model/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { Sample } from "./sample.ts";

interface Evaluated {
  readonly dx: Float64Array;
  readonly y: Float64Array;
}

export function evaluate(model: Model, p: unknown, { x, u, e }: Sample): Evaluated {
  const dx = new Float64Array(model.states.length);
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, u, p, e, dx, y);
  return { dx, y };
}

/** Parameters with some of them changed. */
export function changed({ model, parameters }: Vehicle, changes: Readonly<Record<string, number>>): unknown {
  if (Object.keys(changes).length === 0) return parameters;
  const values = pack(model.parameters, parameters);
  model.parameters.forEach((f, i) => {
    const own = changes[f.name] ?? changes[f.name.replace(/\.\d+\./g, ".*.")];
    if (own !== undefined) values[i] = own;
  });
  return makeParameters(model, values);
}

/** The field in which two results differ most beyond a tolerance, of the size of the largest value of the same unit. */
export function difference(
  fields: readonly Field[],
  a: Float64Array,
  b: Float64Array,
  tolerance: number,
): { readonly field: Field; readonly a: number; readonly b: number } | undefined {
  const sizes: Record<string, number> = {};
  fields.forEach((f, i) => {
    sizes[f.unit] = Math.max(sizes[f.unit] ?? 0, Math.abs(a[i]) || 0, Math.abs(b[i]) || 0);
  });
  let worst: { field: Field; a: number; b: number; part: number } | undefined;
  fields.forEach((field, i) => {
    const part = Math.abs(a[i] - b[i]) / (sizes[field.unit] || 1);
    const isSame = a[i] === b[i] || (Number.isNaN(a[i]) && Number.isNaN(b[i]));
    if (!isSame && !(part <= tolerance) && !(worst && part <= worst.part))
      worst = { field, a: a[i], b: b[i], part };
  });
  return worst;
}
