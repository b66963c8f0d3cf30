/** The hands that fit a vehicle: with help where it can be flown that way, directly where not. */
import { InputError } from "../../model/input-error.ts";
import type { Model } from "../../model/model.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import { kindOf } from "../pilot.ts";
import { airplaneHands } from "./airplane.ts";
import { carHands } from "./car.ts";
import { directHands } from "./direct.ts";
import type { Hands } from "./hands.ts";
import { multirotorHands } from "./multirotor.ts";
import { parafoilHands } from "./parafoil.ts";
import { vtolHands } from "./vtol.ts";

export function handsFor(model: Model, p: unknown, interval: number): Hands {
  if (model.name === "parafoil") return parafoilHands();
  if (model.name === "car") return carHands(p as CarParameters);
  if (model.name !== "aircraft") return directHands(model, p);
  const parameters = p as AircraftParameters;
  const { kind, lifters } = kindOf(parameters);
  try {
    if (kind === "multirotor") return multirotorHands(parameters, interval);
    if (kind === "vtol") return vtolHands(model, parameters, lifters, interval);
    return airplaneHands(model, parameters, interval);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const direct = directHands(model, p);
    return { ...direct, help: `${direct.help}, because ${error.problem}` };
  }
}
