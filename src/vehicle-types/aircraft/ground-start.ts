/** A vehicle that stands: level, at rest, its lowest contact on the ground. What has nothing to stand on begins as its file says. */
import type { Vehicle } from "../../model/model.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";

export function groundStart({ model, parameters, initial }: Vehicle): Readonly<Record<string, number>> {
  if (model.name !== "aircraft") return initial;
  const { contacts = {} } = parameters as AircraftParameters;
  const lowest = Object.values(contacts).map(({ position, radius }) => position.z + (radius ?? 0));
  if (lowest.length === 0) return initial;
  return { altitude: Math.max(...lowest) };
}
