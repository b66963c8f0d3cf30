/** Aircraft: a rigid body with any number of rotors and lifting surfaces; its equations: equations.ts. */
import { SLOTS } from "../../environment/boundaries.ts";
import { AIR } from "../../environment/fields.ts";
import type { Model } from "../../model/model.ts";
import { aircraftHandling } from "./controls.ts";
import { aircraftEquations } from "./equations.ts";
import { aircraftInputs, aircraftStates } from "./fields.ts";
import { IMPACT, validateStart } from "./ground.ts";
import { aircraftOutputs } from "./outputs.ts";
import {
  type AircraftParameters,
  aircraftParameters,
  aircraftTimeConstants,
  deriveAircraft,
  validateAircraft,
} from "./parameters.ts";
import type { AircraftShape } from "./shape.ts";

/** The aircraft model of a shape: a rigid body with rotors, lifting surfaces, servos, contacts and a battery in these numbers. */
export function aircraft(shape: AircraftShape): Model<AircraftParameters> {
  const N = shape.rotors;
  const C = shape.contacts ?? 0;
  const isElectric = Boolean(shape.battery);
  const S = shape.servos ?? 0;
  const W = shape.surfaces?.length ?? 0;
  const outputs = aircraftOutputs(shape);
  return {
    name: "aircraft",
    meaning: `rigid body with ${counted(N, "rotor")}${W > 0 ? ` and ${counted(W, "lifting surface")}` : ""}`,
    states: aircraftStates(N, S, C, isElectric),
    inputs: aircraftInputs(N, S, isElectric),
    outputs: outputs.fields,
    environment: AIR,
    boundarySlots: SLOTS,
    parameters: aircraftParameters(shape),
    ...aircraftEquations(shape),
    source: { file: "vehicles/aircraft/equations.ts", name: "aircraftEquations", arguments: [shape] },
    derive: deriveAircraft,
    validate: validateAircraft,
    timeConstants: aircraftTimeConstants,
    ...aircraftHandling(W, outputs),
    validateStart: validateStart,
    ...(C === 0 ? { events: [IMPACT] } : {}),
  };
}

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
