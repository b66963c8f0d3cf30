import type { Field } from "../../model/field.ts";
import { RIGID_BODY } from "../rigid-body.ts";
import { each } from "./parameters.ts";

/** Rigid body, rotor speeds, servo angles, elastic displacements of the contacts, charge taken from the battery. */
export function aircraftStates(N: number, S: number, C: number, isElectric: boolean): Field[] {
  return [
    ...RIGID_BODY,
    ...each(
      N,
      (k): Field => ({
        name: `rotor_${k}`,
        unit: "rad/s",
        meaning: `speed of rotor ${k} in its turning direction`,
        kind: "actuator",
        ...(isElectric ? {} : { follows: `rotor_${k}_cmd` }),
      }),
    ),
    ...each(
      S,
      (k): Field => ({
        name: `servo_${k}`,
        unit: "rad",
        meaning: `angle of servo ${k}`,
        kind: "actuator",
        follows: `servo_${k}_cmd`,
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
            kind: "store",
          } as Field,
        ]
      : []),
  ];
}

/** Commands and healths of the rotors, commands of the servos. */
export function aircraftInputs(N: number, S: number, isElectric: boolean): Field[] {
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
    ...each(S, (k) => ({
      name: `servo_${k}_cmd`,
      unit: "rad",
      meaning: `commanded angle of servo ${k}`,
      min: -3.2,
      max: 3.2,
      default: 0,
    })),
  ];
}
