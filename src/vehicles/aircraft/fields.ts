import type { Field } from "../../model/field.ts";
import { RIGID_BODY } from "../rigid-body.ts";
import { each } from "./parameters.ts";

/** Rigid body, rotor speeds, elastic displacements of the contacts, charge taken from the battery. */
export function aircraftStates(N: number, C: number, isElectric: boolean): Field[] {
  return [
    ...RIGID_BODY,
    ...each(
      N,
      (k): Field => ({
        name: `rotor_${k}`,
        unit: "rad/s",
        meaning: `speed of rotor ${k} in its turning direction`,
        kind: "actuator",
      }),
    ),
    ...each(C, (k): Field[] =>
      ["along", "across"].map((way) => ({
        name: `contact_${k}_${way}`,
        unit: "m",
        meaning: `elastic displacement of contact ${k} ${way} forward`,
        kind: "internal",
      })),
    ).flat(),
    ...(isElectric
      ? [
          {
            name: "battery_used",
            unit: "A s",
            meaning: "charge taken from the battery",
          } as Field,
        ]
      : []),
  ];
}

/** Commands and healths of the rotors. */
export function aircraftInputs(N: number, isElectric: boolean): Field[] {
  return [
    ...each(
      N,
      (k): Field =>
        isElectric
          ? {
              name: `rotor_${k}_cmd`,
              unit: "1",
              meaning: `duty of motor ${k}, part of the battery's voltage`,
              min: 0,
              max: 1,
              default: 0,
            }
          : { name: `rotor_${k}_cmd`, unit: "rad/s", meaning: `commanded speed of rotor ${k}`, default: 0 },
    ),
    ...each(N, (k) => ({
      name: `rotor_${k}_health`,
      unit: "1",
      meaning: `part of its loads that rotor ${k} still makes`,
      min: 0,
      max: 1,
      default: 1,
    })),
  ];
}
