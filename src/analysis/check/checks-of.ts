import type { Model } from "../../model/model.ts";
import type { ModelChecks } from "../../model/model-checks.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { VehicleType } from "../../vehicles/vehicle-type.ts";

/** By type and model: two types may share a model. */
const known = new WeakMap<VehicleType, WeakMap<Model, ModelChecks<unknown>>>();

/** What `check` may assume of a vehicle's model, made once for each model of a type. */
export function checksOf({ type, model }: Pick<Vehicle, "type" | "model">): ModelChecks<unknown> | undefined {
  const ofType = known.get(type) ?? new WeakMap<Model, ModelChecks<unknown>>();
  known.set(type, ofType);
  const checks = ofType.get(model) ?? type.checks?.(model);
  if (checks) ofType.set(model, checks);
  return checks;
}
