import type { Field } from "../model/field.ts";

/** The 13 states of a rigid body over a flat earth: position and velocity in NED, attitude q_NB, rates in body axes. */
export const RIGID_BODY: readonly Field[] = [
  { name: "north", unit: "m", meaning: "position north of the origin", kind: "position", cyclic: true },
  { name: "east", unit: "m", meaning: "position east of the origin", kind: "position", cyclic: true },
  {
    name: "down",
    unit: "m",
    meaning: "position below the origin (negative is altitude)",
    kind: "position",
    cyclic: true,
  },
  { name: "v_north", unit: "m/s", meaning: "velocity over ground, northward", kind: "velocity" },
  { name: "v_east", unit: "m/s", meaning: "velocity over ground, eastward", kind: "velocity" },
  { name: "v_down", unit: "m/s", meaning: "velocity over ground, downward (sink)", kind: "velocity" },
  {
    name: "q_w",
    unit: "1",
    meaning: "attitude quaternion q_NB (body to world), scalar part",
    kind: "quaternion",
    default: 1,
  },
  { name: "q_x", unit: "1", meaning: "attitude quaternion, forward", kind: "quaternion" },
  { name: "q_y", unit: "1", meaning: "attitude quaternion, right", kind: "quaternion" },
  { name: "q_z", unit: "1", meaning: "attitude quaternion, down", kind: "quaternion" },
  { name: "p", unit: "rad/s", meaning: "roll rate, right wing down positive", kind: "rate" },
  { name: "q", unit: "rad/s", meaning: "pitch rate, nose up positive", kind: "rate" },
  { name: "r", unit: "rad/s", meaning: "yaw rate, nose right positive", kind: "rate" },
];

// Places of these states in x. Equations that run in every step have constants of their own, which cost no load.
// biome-ignore format: a table
export const NORTH = 0, EAST = 1, DOWN = 2, V_NORTH = 3, V_EAST = 4, V_DOWN = 5, Q_W = 6, Q_X = 7, Q_Y = 8,
  Q_Z = 9, P_B = 10, Q_B = 11, R_B = 12;
