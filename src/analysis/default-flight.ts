/**
 * The flight of a vehicle without a scenario: trimmed from the start where that is possible, then a typical manoeuvre. `run` flies all
 * of it; `serve` and the Studio start there under manual control.
 */
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { DefaultFlight, Spec } from "../vehicles/vehicle-type.ts";
import { findTrim } from "./trim-search.ts";

/** Where a glide begins [m]. */
const GLIDE_FROM = 100;
/** A file that begins above this is followed [m]. */
const HIGH = 10;

/** A scenario with a typical flight of the vehicle. */
export const defaultFlight = (vehicle: Vehicle): DefaultFlight =>
  vehicle.type.defaultFlight?.(vehicle) ?? {
    scenario: { vehicle: vehicle.name },
    note: "its inputs stay as they are",
  };

/** Initial state for manual control: trimmed, with height to glide, where the vehicle flies. */
export function firstFlight(vehicle: Vehicle): Spec {
  const own = vehicle.type.firstFlight?.(vehicle);
  if (own) return own;
  const { name, model, initial } = vehicle;
  const isFlying = model.states.some((f) => f.name === "down");
  const isPlaced = (initial.down ?? 0) < -HIGH;
  return {
    vehicle: name,
    ...(isFlying && !isPlaced ? { initial: steadyStart(vehicle, {}, GLIDE_FROM) } : {}),
  };
}

/** The state of a trim by name, at a height; a vehicle that does not trim begins as its file says. */
export function steadyStart(
  vehicle: Vehicle,
  condition: { readonly speed?: number },
  altitude: number,
): Spec {
  const { x, isTrimmed } = findTrim(vehicle, condition, {}, undefined, "quick");
  return isTrimmed ? { ...moving(vehicle, x), altitude } : { ...vehicle.initial, altitude };
}

/** The state by name, without where it is and what only the model knows. */
function moving({ model }: Vehicle, x: Float64Array): Spec {
  const left = ["position", "internal", "discrete", "store"];
  const kept = model.states.flatMap((f, i) => (left.includes(f.kind ?? "") ? [] : [[f.name, x[i]]]));
  return Object.fromEntries(kept);
}

/** From a steady motion, at the usual height and without a track. */
export function flightFrom(vehicle: Vehicle, x: Float64Array): Spec {
  const { initial } = firstFlight(vehicle) as { initial?: { altitude?: number } };
  const altitude = initial?.altitude;
  return {
    vehicle: vehicle.name,
    initial: { ...moving(vehicle, x), ...(altitude === undefined ? {} : { altitude }) },
  };
}
