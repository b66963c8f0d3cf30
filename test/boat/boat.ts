/**
 * A boat in the plane with two fixed thrusters: surge, sway and yaw with added mass and linear and quadratic damping, after Fossen,
 * Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 6 (3 DOF manoeuvring model, diagonal added mass).
 */
import { cos, sin } from "../../src/math/elementary.ts";
import type { Field } from "../../src/model/field.ts";
import type { Model } from "../../src/model/model.ts";

export interface BoatParameters {
  m: number;
  I_z: number;
  /** Added mass in surge and sway, added inertia in yaw. */
  added: { x: number; y: number; z: number };
  drag: { x: number; y: number; z: number };
  drag2: { x: number };
  /** Distance between the thrusters, and how far behind the centre of mass they are. */
  beam: number;
  stern: number;
  thrust_max: number;
  t_thrust: number;
}

const [X, Y, PHI, V_X, V_Y, OMEGA, LEFT, RIGHT] = [0, 1, 2, 3, 4, 5, 6, 7];
const thrust = (name: string, meaning: string): Field => ({
  name,
  unit: "N",
  meaning,
  min: -1000,
  max: 1000,
  default: 0,
});

export const boat: Model<BoatParameters> = {
  name: "boat",
  meaning: "a hull with two thrusters, in the plane",
  states: [
    { name: "X", unit: "m", meaning: "eastward", kind: "position", cyclic: true },
    { name: "Y", unit: "m", meaning: "northward", kind: "position", cyclic: true },
    {
      name: "phi",
      unit: "rad",
      meaning: "heading, counter-clockwise from east",
      kind: "position",
      cyclic: true,
    },
    { name: "v_x", unit: "m/s", meaning: "surge, forward", kind: "velocity" },
    { name: "v_y", unit: "m/s", meaning: "sway, to port", kind: "velocity" },
    { name: "omega", unit: "rad/s", meaning: "yaw rate, to port", kind: "rate" },
    { ...thrust("thrust_left", "of the port thruster"), kind: "actuator", follows: "thrust_left_cmd" },
    { ...thrust("thrust_right", "of the starboard thruster"), kind: "actuator", follows: "thrust_right_cmd" },
  ],
  inputs: [
    thrust("thrust_left_cmd", "asked of the port thruster"),
    thrust("thrust_right_cmd", "asked of the starboard thruster"),
  ],
  outputs: [
    { name: "speed", unit: "m/s", meaning: "through the water" },
    { name: "moment_z", unit: "N m", meaning: "of the thrusters about the centre of mass" },
  ],
  environment: [],
  parameters: [
    { name: "m", unit: "kg", meaning: "mass", above: 0 },
    { name: "I_z", unit: "kg m^2", meaning: "moment of inertia in yaw", above: 0 },
    { name: "added.x", unit: "kg", meaning: "added mass in surge", min: 0 },
    { name: "added.y", unit: "kg", meaning: "added mass in sway", min: 0 },
    { name: "added.z", unit: "kg m^2", meaning: "added inertia in yaw", min: 0 },
    { name: "drag.x", unit: "kg/s", meaning: "linear damping in surge", min: 0 },
    { name: "drag.y", unit: "kg/s", meaning: "linear damping in sway", min: 0 },
    { name: "drag.z", unit: "kg m^2/s", meaning: "linear damping in yaw", min: 0 },
    { name: "drag2.x", unit: "kg/m", meaning: "quadratic damping in surge", min: 0 },
    { name: "beam", unit: "m", meaning: "between the thrusters", above: 0 },
    { name: "stern", unit: "m", meaning: "from the centre of mass back to the thrusters", min: 0 },
    { name: "thrust_max", unit: "N", meaning: "largest thrust of one thruster", above: 0, max: 1000 },
    { name: "t_thrust", unit: "s", meaning: "time constant of the thrusters", above: 0, lag: true },
  ],
  derivative(x, u, p, _e, dx, y) {
    const [mx, my, Iz] = [p.m + p.added.x, p.m + p.added.y, p.I_z + p.added.z];
    const [v, w, r] = [x[V_X], x[V_Y], x[OMEGA]];
    const moment = 0.5 * p.beam * (x[RIGHT] - x[LEFT]);
    dx[X] = v * cos(x[PHI]) - w * sin(x[PHI]);
    dx[Y] = v * sin(x[PHI]) + w * cos(x[PHI]);
    dx[PHI] = r;
    // Coriolis and added mass: the Munk moment is (my - mx) v w.
    dx[V_X] = (x[LEFT] + x[RIGHT] - p.drag.x * v - p.drag2.x * v * Math.abs(v) + my * w * r) / mx;
    dx[V_Y] = (-p.drag.y * w - mx * v * r) / my;
    dx[OMEGA] = (moment - p.drag.z * r - (my - mx) * v * w) / Iz;
    dx[LEFT] = (limited(u[0], p) - x[LEFT]) / p.t_thrust;
    dx[RIGHT] = (limited(u[1], p) - x[RIGHT]) / p.t_thrust;
    if (y) {
      y[0] = Math.sqrt(v * v + w * w);
      y[1] = moment;
    }
  },
  controls: (p) =>
    ["thrust_left", "thrust_right"].map((name) => ({
      name,
      inputs: [`${name}_cmd`],
      min: -p.thrust_max,
      max: p.thrust_max,
      limits: { max: "thrust_max" },
      neutral: 0,
      isPropulsion: true,
    })),
};

const limited = (command: number, { thrust_max }: BoatParameters): number =>
  Math.min(thrust_max, Math.max(-thrust_max, command));
