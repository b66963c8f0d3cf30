/** The hands that fit a vehicle: with help where it can be flown that way, directly where not. */
import { InputError } from "../../../model/input-error.ts";
import type { Model } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import type { CarParameters } from "../../../vehicles/car/parameters.ts";
import { kindOf } from "../pilot.ts";
import { airplaneManualControl } from "./airplane.ts";
import { carManualControl } from "../../car/manual.ts";
import { directManualControl } from "../../../control/manual/direct.ts";
import type { ManualControl } from "../../../model/manual-control.ts";
import { multirotorManualControl } from "./multirotor.ts";
import { parafoilManualControl } from "../../parafoil/manual.ts";
import { vtolManualControl } from "./vtol.ts";

export function manualControlFor(model: Model, p: unknown, interval: number): ManualControl {
  if (model.name === "parafoil") return parafoilManualControl();
  if (model.name === "car") return carManualControl(p as CarParameters);
  if (model.name !== "aircraft") return directManualControl(model, p);
  const parameters = p as AircraftParameters;
  const { kind, lifters } = kindOf(parameters);
  try {
    if (kind === "multirotor") return multirotorManualControl(parameters, interval);
    if (kind === "vtol") return vtolManualControl(model, parameters, lifters, interval);
    return airplaneManualControl(model, parameters, interval);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const direct = directManualControl(model, p);
    return { ...direct, help: `${direct.help}, because ${error.problem}` };
  }
}
