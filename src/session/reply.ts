/** Replies to queries about the current flight or log. */
import { explainAt } from "../analysis/explain.ts";
import { writeVehicle, writtenVehicle } from "../formats/vehicle-yaml.ts";
import { InputError } from "../model/input-error.ts";
import type { Flight } from "../simulation/flight/flight.ts";
import { preset, presetNames } from "../vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../vehicles/vehicle.ts";
import { exportCsv } from "./csv-export.ts";
import { seriesOf } from "./history.ts";
import type { Playback } from "./playback.ts";
import type { CatalogueEntry, Query, QueryReplies } from "./protocol.ts";

export function replyTo(query: Query, playback?: Playback, flight?: Flight): QueryReplies[Query["type"]] {
  if (query.type === "catalogue") return catalogue();
  if (playback === undefined) throw new InputError("no simulation is running");
  if (query.type === "history") return seriesOf(playback, query.names, query.from, query.to, query.most);
  if (query.type === "sample") return playback.sampleAt(playback.record.tickAt(query.t)).slice();
  if (query.type === "csv") return exportCsv(playback, query.names);
  if (flight === undefined) throw new InputError("not available for a log; choose a vehicle to fly");
  if (query.type === "log") return flight.log();
  if (query.type === "yaml") return writeVehicle(writtenVehicle(vehicleNow(flight)));
  const { simulation } = flight;
  return explainAt(vehicleNow(flight), simulation.x, simulation.u, simulation.e);
}

/** Vehicles that ship, in groups. */
const catalogue = (): CatalogueEntry[] =>
  presetNames()
    .map(preset)
    .map((vehicle) => ({ name: vehicle.name, group: vehicle.type.group?.(vehicle) ?? vehicle.type.name }));

/** The vehicle with its parameters as they are. */
function vehicleNow({ vehicle, parameters }: Flight): Vehicle {
  return withParameters(
    vehicle,
    Object.fromEntries(vehicle.model.parameters.map((f, i) => [f.name, parameters[i]])),
  );
}
