import type { ModelChecks } from "../../model/model-checks.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

const known = new WeakMap<object, ModelChecks<unknown> | undefined>();

/** What `check` may assume of a vehicle's model, made once for each model. */
export function checksOf({ type, model }: Pick<Vehicle, "type" | "model">): ModelChecks<unknown> | undefined {
  if (!known.has(model)) known.set(model, type.checks?.(model));
  return known.get(model);
}
