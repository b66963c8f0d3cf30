import { hypot } from "../math/elementary.ts";
import type { Wiring } from "../model/autopilots.ts";
import type { Model } from "../model/model.ts";
import { makeParameters, pack, valueText } from "../model/parameters.ts";
import type { VehicleType } from "./vehicle-type.ts";

/** A model with numbers: what a vehicle file describes. */
export interface Vehicle<P = unknown> {
  readonly name: string;
  readonly description: string;
  /** Everything about its type besides the equations. */
  readonly type: VehicleType<P>;
  readonly model: Model<P>;
  readonly parameters: P;
  /** Start of a run that does not say otherwise, by state name. */
  readonly initial: Readonly<Record<string, number>>;
  /** Display names by field: servo_1 is the left elevon. */
  readonly labels: Readonly<Record<string, string>>;
  /** What the outputs of autopilots move. */
  readonly autopilots?: Wiring;
  /** Where each parameter's number comes from. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Changed parameters that a description lists by name; more are counted. */
const MOST_LISTED = 3;

/** A vehicle with some of its parameters changed, by name. */
export function withValues<P>(vehicle: Vehicle<P>, changes: Readonly<Record<string, number>>): Vehicle<P> {
  const { model } = vehicle;
  const values = pack(model.parameters, vehicle.parameters).map(
    (v, i) => changes[model.parameters[i].name] ?? v,
  );
  return { ...vehicle, parameters: makeParameters(model, values) };
}

/** The same, and its description and sources say what was changed. */
export function withParameters<P>(
  vehicle: Vehicle<P>,
  changes: Readonly<Record<string, number>>,
): Vehicle<P> {
  const other = withValues(vehicle, changes);
  const changed = vehicle.model.parameters.filter((f) => changes[f.name] !== undefined);
  if (changed.length === 0) return other;
  const listed = changed.slice(0, MOST_LISTED).map((f) => `${f.name} = ${valueText(f, changes[f.name])}`);
  const more = changed.length > MOST_LISTED ? ` and ${changed.length - MOST_LISTED} more` : "";
  return {
    ...other,
    description: `${vehicle.description} (changed: ${listed.join(", ")}${more})`,
    sources: { ...vehicle.sources, ...Object.fromEntries(changed.map((f) => [f.name, "changed here"])) },
  };
}

/** Default speed: that of the initial state in its file [m/s]. */
export function usualSpeed({ initial }: Vehicle): number {
  const { v_north = 0, v_down = 0, v_x = 0 } = initial;
  return hypot(hypot(v_north, v_down), v_x);
}
