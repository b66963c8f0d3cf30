/** The default flights of aircraft: hover, out and back; cruise and circle; or both, with the transitions between. */
import { steadyStart } from "../../analysis/default-flight.ts";
import { InputError } from "../../model/input-error.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { usualSpeed } from "../../vehicles/vehicle.ts";
import type { DefaultFlight, Spec } from "../../vehicles/vehicle-type.ts";
import { airplane } from "./fixed-wing/loops.ts";
import { kindOf, pilotFor } from "./pilot.ts";

type Aircraft = Vehicle<AircraftParameters>;

/** Heights of the start above ground [m]: a multirotor sees the ground, an aeroplane has room. */
const HEIGHTS = { multirotor: 3, vtol: 15, airplane: 60 } as const;
/** Between decisions [s]: of the loops that are asked for their cruise, and of the pilot. */
const LOOP_INTERVAL = 0.02;
const PILOT_INTERVAL = 0.01;
/** In the circle, parts of g: any wing can do that. */
const LATERAL = 0.2;

interface Plan {
  readonly duration: number;
  readonly pilot: readonly Spec[];
  readonly note: string;
}

/** Steady from the first moment. */
export function firstFlight(vehicle: Aircraft): Spec {
  const { kind } = kindOf(vehicle.parameters);
  const speed = kind === "airplane" ? cruiseOf(vehicle) : 0;
  return {
    vehicle: vehicle.name,
    initial: steadyStart(vehicle, kind === "airplane" && speed > 0 ? { speed } : {}, HEIGHTS[kind]),
  };
}

export function defaultFlight(vehicle: Aircraft): DefaultFlight {
  const { model, parameters } = vehicle;
  const begin = firstFlight(vehicle);
  const { duration, pilot, note } = PLANS[kindOf(parameters).kind](vehicle);
  try {
    // The pilot decides whether it can be flown.
    pilotFor(model, parameters, [], PILOT_INTERVAL);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { scenario: begin, note: `no pilot flies it: ${error.problem}` };
  }
  return { scenario: { ...begin, duration, control_dt: PILOT_INTERVAL, pilot }, note };
}

const PLANS: Readonly<Record<keyof typeof HEIGHTS, (vehicle: Aircraft) => Plan>> = {
  multirotor: () => ({
    duration: 40,
    pilot: [
      { t: 0, hold: { north: 0, east: 0, altitude: 5, yaw: 0 } },
      { t: 6, goto: { north: 10, east: 0, altitude: 5 } },
      { t: 15, goto: { north: 0, east: 0, altitude: 5 } },
      { t: 24, land: true },
    ],
    note: "it hovers, flies 10 m north and back, and lands",
  }),
  airplane(vehicle) {
    const { surfaces = {}, rotors = {} } = vehicle.parameters;
    const airspeed = roundedCruise(vehicle);
    const altitude = HEIGHTS.airplane;
    const moves = Object.keys(rotors).length > 0 ? "cruises" : "glides";
    return {
      duration: Object.keys(surfaces).length > 0 ? 60 : 30,
      pilot: [
        { t: 0, hold: { altitude, yaw: 0 }, airspeed },
        { t: 15, loiter: { radius: circle(airspeed, 30), turn: "right", altitude }, airspeed },
      ],
      note: `it ${moves} north at ${airspeed.toFixed(1)} m/s, and circles`,
    };
  },
  vtol(vehicle) {
    const airspeed = roundedCruise(vehicle);
    return {
      duration: 110,
      pilot: [
        { t: 0, hold: { north: 0, east: 0, altitude: 20, yaw: 0 } },
        { t: 8, hold: { altitude: 20, yaw: 0 }, airspeed },
        { t: 25, loiter: { radius: circle(airspeed, 80), altitude: 30 }, airspeed },
        { t: 50, hold: { altitude: 15 } },
        { t: 70, land: true },
      ],
      note: `it hovers, flies on its wings at ${airspeed.toFixed(1)} m/s, circles, hovers again and lands`,
    };
  },
};

/** Radius of the circle [m]. */
const circle = (airspeed: number, least: number): number =>
  Math.max(least, Math.round(((1 / LATERAL) * airspeed * airspeed) / 9.81));

const roundedCruise = (vehicle: Aircraft): number => Number(cruiseOf(vehicle).toFixed(1));

/** The cruise speed of its loops, or the file's initial speed where they cannot fly it. */
function cruiseOf(vehicle: Aircraft): number {
  try {
    return airplane(vehicle.model, vehicle.parameters, LOOP_INTERVAL).cruise;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return usualSpeed(vehicle);
  }
}
