/** An aircraft that stands: level, at rest, its lowest contact on the ground. An aircraft without contacts starts as its file says. */
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

export function groundStart({
  parameters,
  initial,
}: Vehicle<AircraftParameters>): Readonly<Record<string, number>> {
  const lowest = Object.values(parameters.contacts ?? {}).map(
    ({ position, radius }) => position.z + (radius ?? 0),
  );
  if (lowest.length === 0) return {};
  const velocities = Object.keys(initial).filter((name) => name.startsWith("v_"));
  return { ...Object.fromEntries(velocities.map((name) => [name, 0])), altitude: Math.max(...lowest) };
}
