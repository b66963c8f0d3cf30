/** The `SessionInfo` of a flight and of a log. */

import { pack, unpack } from "../model/parameters.ts";
import type { Flight } from "../simulation/flight/flight.ts";
import type { VehicleSpec } from "../vehicle-types/vehicle-spec.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { Log } from "./open-log.ts";
import type { SessionInfo } from "./protocol.ts";

function ofVehicle({ name, type, sources, model, parameters }: Vehicle) {
  return {
    name,
    sources,
    model: type.name,
    inputs: model.inputs,
    parameters: model.parameters,
    original: pack(model.parameters, parameters),
  };
}

/** `drivenBy` names the autopilot in control, if any. */
export function flightInfo(flight: Flight, named: string | VehicleSpec, drivenBy?: string): SessionInfo {
  const { vehicle, manual, simulation, parameters } = flight;
  return {
    ...ofVehicle(vehicle),
    vehicle: named,
    channels: simulation.channels,
    values: parameters,
    shape: unpack(vehicle.model.parameters, parameters),
    scenario: flight.spec,
    sticks: manual.sticks,
    actions: manual.actions,
    help: drivenBy ? `${drivenBy} interprets the sticks according to its flight mode` : manual.help,
    boundaries: flight.scenario.boundaries,
    track: flight.scenario.track,
    controlDt: flight.scenario.controlDt,
    isLog: false,
    drivenBy,
  };
}

export function logInfo(file: string, { vehicle, named, channels }: Log, controlDt: number): SessionInfo {
  const own = ofVehicle(vehicle);
  return {
    ...own,
    name: file,
    vehicle: named,
    channels,
    values: own.original,
    shape: unpack(vehicle.model.parameters, own.original),
    scenario: {},
    sticks: [],
    actions: [],
    help: `a log of ${vehicle.name}, for playback only`,
    boundaries: [],
    controlDt,
    isLog: true,
  };
}
