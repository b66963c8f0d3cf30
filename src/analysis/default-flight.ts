/**
 * The flight of a vehicle without a scenario: steady from the first moment, where there is room, and then what it is for. `run` flies all of
 * it; `serve` and the Studio begin there and hand it to a person.
 */
import { airplane } from "../vehicle-types/aircraft/fixed-wing/loops.ts";
import { kindOf, pilotFor } from "../vehicle-types/aircraft/pilot.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import { hasBrakes } from "./polar.ts";
import { usualSpeed } from "./trim.ts";
import { findTrim } from "./trim-search.ts";

/** Above ground [m]: what hovers sees the ground, what glides has a while. */
const HEIGHTS = { multirotor: 3, vtol: 15, airplane: 60 } as const;
const GLIDER = 100;
/** Between commands [s]: of the loops that are asked for a cruise, and of the pilot. */
const INTERVAL = 0.02;
const PILOT_INTERVAL = 0.01;

type Words = Readonly<Record<string, unknown>>;

export interface DefaultFlight {
  readonly words: Words;
  /** What was assumed. */
  readonly note: string;
}

/** Part of the friction that a driver uses in a car that he does not know: soft tyres answer late. */
const CAREFUL = 0.75;

/** A scenario that shows what the vehicle is for. */
export function defaultFlight(vehicle: Vehicle): DefaultFlight {
  const { model, parameters, name } = vehicle;
  const begin = firstFlight(vehicle);
  if (model.name === "car")
    return {
      words: { ...begin, duration: 120, laps: 1, driver: { grip: CAREFUL } },
      note: "it drives a lap of the autocross",
    };
  if (model.name !== "aircraft")
    return {
      words: { vehicle: name },
      note: hasBrakes(vehicle) ? "it glides with its brakes released" : "its inputs stay as they are",
    };
  const p = parameters as AircraftParameters;
  const { kind } = kindOf(p);
  const plan = planOf(vehicle, kind);
  const words = { ...begin, duration: plan.duration, control_dt: PILOT_INTERVAL, pilot: plan.pilot };
  try {
    // Whether anybody can fly it is for the pilot to say.
    pilotFor(model, p, [], PILOT_INTERVAL);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { words: begin, note: `nobody flies it: ${error.problem}` };
  }
  return { words, note: plan.note };
}

function planOf(
  vehicle: Vehicle,
  kind: keyof typeof HEIGHTS,
): { duration: number; pilot: Words[]; note: string } {
  if (kind === "multirotor")
    return {
      duration: 40,
      pilot: [
        { t: 0, hold: { north: 0, east: 0, altitude: 5, yaw: 0 } },
        { t: 6, goto: { north: 10, east: 0, altitude: 5 } },
        { t: 15, goto: { north: 0, east: 0, altitude: 5 } },
        { t: 24, land: true },
      ],
      note: "it hovers, flies 10 m north and back, and lands",
    };
  const cruise = Number(cruiseOf(vehicle).toFixed(1));
  if (kind === "airplane") {
    const { surfaces = {} } = vehicle.parameters as AircraftParameters;
    const hasPropulsion = Object.keys((vehicle.parameters as AircraftParameters).rotors ?? {}).length > 0;
    // A turn of a fifth of g, which any wing can do.
    const radius = Math.max(30, Math.round((5 * cruise * cruise) / 9.81));
    const height = HEIGHTS.airplane;
    const way = hasPropulsion ? "cruises" : "glides";
    return {
      duration: Object.keys(surfaces).length > 0 ? 60 : 30,
      pilot: [
        { t: 0, hold: { altitude: height, yaw: 0 }, airspeed: cruise },
        { t: 15, loiter: { radius, turn: "right", altitude: height }, airspeed: cruise },
      ],
      note: `it ${way} north at ${cruise.toFixed(1)} m/s, and circles`,
    };
  }
  return {
    duration: 110,
    pilot: [
      { t: 0, hold: { north: 0, east: 0, altitude: 20, yaw: 0 } },
      { t: 8, hold: { altitude: 20, yaw: 0 }, airspeed: cruise },
      {
        t: 25,
        loiter: { radius: Math.max(80, Math.round((5 * cruise * cruise) / 9.81)), altitude: 30 },
        airspeed: cruise,
      },
      { t: 50, hold: { altitude: 15 } },
      { t: 70, land: true },
    ],
    note: `it hovers, flies on its wings at ${cruise.toFixed(1)} m/s, circles, hovers again and lands`,
  };
}

/** Where the flight begins, for a person who just wants to fly: steady from the first moment, where there is room. */
export function firstFlight(vehicle: Vehicle): Words {
  const { model, parameters, name } = vehicle;
  if (model.name === "car") return { vehicle: name, track: "autocross" };
  if (model.name !== "aircraft") {
    const isFlying = model.states.some((f) => f.name === "down");
    // A file that says where it begins is followed.
    const isSaid = (vehicle.initial.down ?? 0) < -10;
    return { vehicle: name, ...(isFlying && !isSaid ? { initial: steady(vehicle, {}, GLIDER) } : {}) };
  }
  const { kind } = kindOf(parameters as AircraftParameters);
  const speed = kind === "airplane" ? cruiseOf(vehicle) : 0;
  return {
    vehicle: name,
    initial: steady(vehicle, kind === "airplane" && speed > 0 ? { speed } : {}, HEIGHTS[kind]),
  };
}

/** Where its loops cruise, or what its file says where they cannot fly it. */
function cruiseOf(vehicle: Vehicle): number {
  try {
    return airplane(vehicle.model, vehicle.parameters as AircraftParameters, INTERVAL).cruise;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return usualSpeed(vehicle);
  }
}

/** The state of a trim by name, as far as it is not where it is; a vehicle that does not trim begins as its file says. */
function steady(vehicle: Vehicle, condition: { readonly speed?: number }, altitude: number): Words {
  const { x, isTrimmed } = findTrim(vehicle, condition, {}, undefined, "quick");
  return isTrimmed ? { ...moving(vehicle, x), altitude } : { ...vehicle.initial, altitude };
}

/** The state by name, without where it is and what only it knows. */
function moving({ model }: Vehicle, x: Float64Array): Words {
  const left = ["position", "internal", "discrete", "store"];
  const kept = model.states.flatMap((f, i) => (left.includes(f.kind ?? "") ? [] : [[f.name, x[i]]]));
  return Object.fromEntries(kept);
}

/** From a steady motion, at the usual height and without a track. */
export function flightFrom(vehicle: Vehicle, x: Float64Array): Words {
  const { initial } = firstFlight(vehicle) as { initial?: { altitude?: number } };
  const altitude = initial?.altitude;
  return {
    vehicle: vehicle.name,
    initial: { ...moving(vehicle, x), ...(altitude === undefined ? {} : { altitude }) },
  };
}
