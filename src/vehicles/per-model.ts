import type { Model } from "../model/model.ts";
import type { VehicleType } from "./vehicle-type.ts";

/** A type and one of its models: two types may share a model, and a type may make many. */
export interface ModelOfType {
  readonly type: VehicleType;
  readonly model: Model;
}

/** What is made once for each model of a type, and kept as long as both are. */
export function perModel<T>(make: (of: ModelOfType) => T): (of: ModelOfType) => T {
  const made = new WeakMap<VehicleType, WeakMap<Model, { readonly value: T }>>();
  return ({ type, model }) => {
    const ofType = made.get(type) ?? new WeakMap<Model, { readonly value: T }>();
    made.set(type, ofType);
    const found = ofType.get(model) ?? { value: make({ type, model }) };
    ofType.set(model, found);
    return found.value;
  };
}
