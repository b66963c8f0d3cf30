import { perModel } from "../../vehicles/per-model.ts";

/** What `check` may assume of a vehicle's model, where its type says so. */
export const checksOf = perModel(({ type, model }) => type.checks?.(model));
