/** Sticks with stability augmentation where the aircraft can be flown that way, directly to the controls where not. */
import { directManualControl } from "../../../control/manual/direct.ts";
import { InputError } from "../../../model/input-error.ts";
import type { ManualControl } from "../../../model/manual-control.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import type { Vehicle } from "../../../vehicles/vehicle.ts";
import { kindOf } from "../pilot.ts";
import { airplaneManualControl } from "./airplane.ts";
import { multirotorManualControl } from "./multirotor.ts";
import { vtolManualControl } from "./vtol.ts";

export function aircraftManualControl(
  { model, parameters }: Vehicle<AircraftParameters>,
  interval: number,
): ManualControl {
  const { kind, lifters } = kindOf(parameters);
  try {
    if (kind === "multirotor") return multirotorManualControl(parameters, interval);
    if (kind === "vtol") return vtolManualControl(model, parameters, lifters, interval);
    return airplaneManualControl(model, parameters, interval);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const direct = directManualControl(model, parameters);
    return { ...direct, help: `${direct.help}, because ${error.problem}` };
  }
}
