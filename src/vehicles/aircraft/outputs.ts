import { arrow, type Field } from "../../model/field.ts";
import { each } from "./parameters.ts";
import type { AircraftShape } from "./shape.ts";
import { surfaceOutputs } from "./surfaces.ts";

/** Those that every aircraft has, before the outputs of its parts. */
export const BODY_OUTPUTS: readonly Field[] = [
  { name: "altitude", unit: "m", meaning: "height above the origin" },
  { name: "airspeed", unit: "m/s", meaning: "true airspeed" },
  { name: "horizontal_speed", unit: "m/s", meaning: "speed over ground" },
  { name: "sink", unit: "m/s", meaning: "vertical speed, downward" },
  { name: "roll", unit: "rad", meaning: "bank angle, right side down positive" },
  { name: "pitch", unit: "rad", meaning: "pitch angle, nose up positive" },
  { name: "yaw", unit: "rad", meaning: "heading of the nose, clockwise from north", cyclic: true },
  ...arrow("force", "N", "total force without weight", "body"),
  ...arrow("moment", "N m", "total moment about the centre of mass", "body"),
  ...arrow("specific_force", "m/s^2", "what an ideal accelerometer at the centre of mass reads", "body"),
  ...arrow("force_drag", "N", "drag of the body", "body", "force"),
  { name: "power", unit: "W", meaning: "mechanical power at all rotor shafts" },
];

function rotorOutputs(k: number, hasTable: boolean, isElectric: boolean): Field[] {
  return [
    ...arrow(`force_rotor_${k}`, "N", `thrust and H-force of rotor ${k}`, "body", "force"),
    ...arrow(`moment_rotor_${k}`, "N m", `moment of rotor ${k} about the centre of mass`, "body", "moment"),
    ...arrow(`force_boundary_${k}`, "N", `ground, ceiling and wall effect on rotor ${k}`, "body", "force"),
    ...arrow(`moment_boundary_${k}`, "N m", `its moment about the centre of mass`, "body", "moment"),
    { name: `thrust_${k}`, unit: "N", meaning: `thrust of rotor ${k}` },
    { name: `torque_${k}`, unit: "N m", meaning: `aerodynamic torque at the shaft of rotor ${k}` },
    { name: `power_${k}`, unit: "W", meaning: `mechanical power at the shaft of rotor ${k}` },
    ...(hasTable
      ? [
          { name: `advance_ratio_${k}`, unit: "1", meaning: `advance ratio of rotor ${k}` },
          {
            name: `beyond_table_${k}`,
            unit: "1",
            meaning: `advance ratio of rotor ${k} outside its propeller table, by so much`,
            alarm: `the propeller table of rotor ${k} was extrapolated`,
          },
        ]
      : []),
    ...(isElectric ? [{ name: `current_${k}`, unit: "A", meaning: `winding current of motor ${k}` }] : []),
  ];
}

export interface AircraftOutputs {
  readonly fields: readonly Field[];
  /** Places of each rotor's (from 1) and lifting surface's (from 0), of the contacts' and the battery's outputs. */
  readonly rotors: Int32Array;
  readonly surfaces: Int32Array;
  readonly contacts: number;
  readonly battery: number;
}

/** The outputs of an aircraft of a shape. */
export function aircraftOutputs({
  rotors,
  tables,
  surfaces = [],
  contacts = 0,
  battery,
}: AircraftShape): AircraftOutputs {
  const fields: Field[] = [...BODY_OUTPUTS];
  const places = new Int32Array(rotors + 1);
  each(rotors, (k) => {
    places[k] = fields.length;
    fields.push(...rotorOutputs(k, (tables?.[k - 1] ?? 0) > 0, Boolean(battery)));
  });
  const wings = new Int32Array(surfaces.length);
  surfaces.forEach((surface, i) => {
    wings[i] = fields.length;
    fields.push(...surfaceOutputs(surface, i + 1));
  });
  const first = fields.length;
  each(contacts, (k) => {
    fields.push(
      ...arrow(`force_contact_${k}`, "N", `ground reaction at contact ${k}`, "body", "force"),
      ...arrow(`moment_contact_${k}`, "N m", `its moment about the centre of mass`, "body", "moment"),
    );
  });
  const last = fields.length;
  if (battery)
    fields.push(
      { name: "battery_voltage", unit: "V", meaning: "at the battery's terminals" },
      { name: "battery_current", unit: "A", meaning: "drawn from the battery" },
      {
        name: "battery_overdrawn",
        unit: "A s",
        meaning: "charge taken beyond the capacity",
        alarm: "the battery was empty",
      },
    );
  return { fields, rotors: places, surfaces: wings, contacts: first, battery: last };
}
