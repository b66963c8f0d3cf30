/** Aircraft with rotors and wings in any number. */
import { aircraftChecks } from "../vehicles/aircraft/checks.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import { aircraftFor } from "../vehicles/aircraft/shape.ts";
import { aircraftPresets } from "../vehicles/presets.generated.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { airframeFigures, stabilityNumbers } from "./aircraft/airframe.ts";
import { defaultFlight, firstFlight } from "./aircraft/default-flight.ts";
import { groundStart } from "./aircraft/ground-start.ts";
import { impactMonitor } from "./aircraft/impact-monitor.ts";
import { aircraftManualControl } from "./aircraft/manual/manual-control.ts";
import { kindOf } from "./aircraft/pilot.ts";
import { type AircraftBlocks, aircraftBlocks, aircraftInputs } from "./aircraft/scenario-blocks.ts";
import { aircraftTopics } from "./aircraft/topics.ts";

const GROUPS = { multirotor: "multirotors", airplane: "aeroplanes", vtol: "hovers and cruises" };

/** Aircraft with rotors and wings in any number. */
export const aircraftType: VehicleType<AircraftParameters, AircraftBlocks> = {
  name: "aircraft",
  model: aircraftFor,
  presets: aircraftPresets,
  wording: { moved: "flown", speed: "airspeed" },
  sweepAxes: ({ model, parameters }) => ({
    polar: ["airspeed", "climb", "turn"],
    turn: "turn",
    envelope: ["airspeed", model.coordination?.(parameters) === "side force" ? "turn" : "climb"],
  }),
  checks: aircraftChecks,
  scenarioBlocks: aircraftBlocks,
  group: ({ parameters }) => GROUPS[kindOf(parameters).kind],
  firstFlight,
  defaultFlight,
  groundStart,
  inputSource: aircraftInputs,
  manualControl: aircraftManualControl,
  monitor: impactMonitor,
  topics: aircraftTopics,
  flightNumbers: stabilityNumbers,
  figures: airframeFigures,
};

/** The vehicle as an aircraft, if it is one. */
export const asAircraft = (vehicle: Vehicle): Vehicle<AircraftParameters> | undefined =>
  vehicle.type === aircraftType ? (vehicle as Vehicle<AircraftParameters>) : undefined;
