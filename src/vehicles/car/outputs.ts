import type { Field } from "../../model/field.ts";

export const WHEELS = ["FL", "FR", "RL", "RR"] as const;
const NAMES = { FL: "front left", FR: "front right", RL: "rear left", RR: "rear right" };

const each = (name: string, unit: string, meaning: string, rest: Partial<Field> = {}): Field[] =>
  WHEELS.map((w) => ({ name: `${name}_${w}`, unit, meaning: `${meaning}, ${NAMES[w]}`, ...rest }));

const force = (name: string, unit: string, meaning: string, parent?: string): Field => ({
  name,
  unit,
  meaning,
  parent,
});

/** In the order in which `derivative` writes them. */
export const OUTPUTS: readonly Field[] = [
  { name: "speed", unit: "m/s", meaning: "speed over ground" },
  { name: "a_x", unit: "m/s^2", meaning: "acceleration along the car, v_x' - v_y omega" },
  { name: "a_y", unit: "m/s^2", meaning: "acceleration to the left, v_y' + v_x omega" },
  { name: "beta", unit: "rad", meaning: "sideslip angle: direction of motion left of the nose" },
  {
    name: "understeer",
    unit: "rad",
    meaning: "steering angle beyond that of slip-free cornering, delta - atan(L omega/v_x)",
  },
  { name: "F_down", unit: "N", meaning: "aerodynamic downforce" },
  ...each("F_z", "N", "wheel load"),
  ...each("alpha", "rad", "slip angle (positive pushes to the left)"),
  ...each("F_x", "N", "drive or brake force along the wheel"),
  ...each("F_y", "N", "side force of the tyre, to the wheel's left"),
  {
    name: "lifted_wheels",
    unit: "1",
    meaning: "wheels without load",
    alarm: "a wheel lifts off the ground",
  },
  force("force_x", "N", "force along the car"),
  force("force_x_drive", "N", "by driving and braking wheels", "force_x"),
  force("force_x_side", "N", "by the tyres' side forces", "force_x"),
  force("force_x_drag", "N", "by drag and rolling resistance", "force_x"),
  force("force_y", "N", "force to the left"),
  force("force_y_drive", "N", "by driving and braking wheels", "force_y"),
  force("force_y_side", "N", "by the tyres' side forces", "force_y"),
  force("moment_z", "N m", "yawing moment, counter-clockwise"),
  force("moment_z_drive", "N m", "by driving and braking wheels", "moment_z"),
  force("moment_z_side", "N m", "by the tyres' side forces", "moment_z"),
];
