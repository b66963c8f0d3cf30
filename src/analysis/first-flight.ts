/** A scenario for a person who just wants to fly: steady from the first moment, where there is room. */
import { airplane } from "../control/fixed-wing/loops.ts";
import { kindOf } from "../control/pilot.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import { usualSpeed } from "./trim.ts";
import { findTrim } from "./trim-search.ts";

/** Above ground [m]: what hovers sees the ground, what glides has a while. */
const HEIGHTS = { multirotor: 3, vtol: 15, airplane: 60 } as const;
const GLIDER = 100;
/** Between commands, unless said otherwise [s]. */
const INTERVAL = 0.02;

type Words = Readonly<Record<string, unknown>>;

export function firstFlight(vehicle: Vehicle): Words {
  const { model, parameters, name } = vehicle;
  if (model.name === "car") return { vehicle: name, track: "autocross" };
  if (model.name !== "aircraft") {
    const isFlying = model.states.some((f) => f.name === "down");
    return { vehicle: name, ...(isFlying ? { initial: steady(vehicle, {}, GLIDER) } : {}) };
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
