import { tanh } from "../../math/elementary.ts";
import type { Field } from "../../model/field.ts";

const OFF_ON = { off: 0, on: 1 };

/** Names as in brains2's car_constants.yaml; `presets/formula-student.yaml` has the numbers and where they come from. */
export const PARAMETERS: readonly Field[] = [
  { name: "m", unit: "kg", meaning: "mass with driver", above: 0 },
  { name: "I_z", unit: "kg m^2", meaning: "yaw moment of inertia about the centre of mass", above: 0 },
  { name: "l_F", unit: "m", meaning: "centre of mass to front axle", above: 0 },
  { name: "l_R", unit: "m", meaning: "centre of mass to rear axle", above: 0 },
  { name: "W", unit: "m", meaning: "track width, the same front and rear", above: 0 },
  { name: "z_CG", unit: "m", meaning: "height of the centre of mass", min: 0 },
  { name: "C_m0", unit: "1/m", meaning: "drive force per wheel torque", above: 0 },
  { name: "C_r0", unit: "N", meaning: "rolling resistance", min: 0 },
  { name: "C_r1", unit: "N s/m", meaning: "linear drag", min: 0 },
  { name: "C_r2", unit: "N s^2/m^2", meaning: "quadratic drag", min: 0 },
  {
    name: "C_downforce",
    unit: "kg/m",
    meaning: "downforce: density times coefficient times area (force C_downforce v_x^2/2)",
    min: 0,
  },
  { name: "Ba", unit: "1/rad", meaning: "Magic Formula of the side force: stiffness factor", above: 0 },
  { name: "Ca", unit: "1", meaning: "Magic Formula of the side force: shape factor", above: 0, max: 2 },
  { name: "Da", unit: "1", meaning: "Magic Formula of the side force: peak friction", above: 0, max: 10 },
  { name: "Ea", unit: "1", meaning: "Magic Formula of the side force: curvature factor", max: 1 },
  { name: "t_tau", unit: "s", meaning: "time constant of the drive train", above: 0, lag: true },
  { name: "t_delta", unit: "s", meaning: "time constant of the steering actuator", above: 0, lag: true },
  { name: "torque_max", unit: "N m", meaning: "largest torque of a wheel, driving or braking", above: 0 },
  { name: "steering_max", unit: "rad", meaning: "largest steering angle", above: 0, max: 1.5 },
  {
    name: "steering_rate_max",
    unit: "rad/s",
    meaning: "largest steering rate (.inf: ideal)",
    above: 0,
    max: Number.POSITIVE_INFINITY,
  },
  { name: "g", unit: "m/s^2", meaning: "gravitational acceleration", above: 0, default: 9.81 },
  { name: "length", unit: "m", meaning: "length of the body, to detect hit cones", above: 0 },
  { name: "width", unit: "m", meaning: "width of the body, to detect hit cones", above: 0 },
  {
    name: "friction_ellipse",
    unit: "1",
    meaning: "drive and brake forces reduce the side force (combined slip)",
    choices: OFF_ON,
    default: 0,
  },
  {
    name: "longitudinal_limit",
    unit: "1",
    meaning: "no wheel drives or brakes with more than Ds times its load",
    choices: OFF_ON,
    default: 0,
  },
  {
    name: "load_sensitivity",
    unit: "1",
    meaning: "side force by the load-dependent coefficients instead of Ba, Da, Ea",
    choices: OFF_ON,
    default: 0,
  },
  {
    name: "Ds",
    unit: "1",
    meaning: "longitudinal peak friction (friction_ellipse, longitudinal_limit)",
    above: 0,
    max: 10,
    default: 1.6331764,
  },
  {
    name: "b1a",
    unit: "1/rad",
    meaning: "largest cornering stiffness over load (load_sensitivity)",
    above: 0,
    default: 37.9,
  },
  {
    name: "b2a",
    unit: "N",
    meaning: "load of the largest stiffness (load_sensitivity)",
    above: 0,
    default: 528,
  },
  { name: "d1a", unit: "1/N", meaning: "change of the peak with load (load_sensitivity)", default: -2.03e-4 },
  {
    name: "d2a",
    unit: "1",
    meaning: "peak friction at no load (load_sensitivity)",
    above: 0,
    default: 1.77,
  },
  {
    name: "e1a",
    unit: "1/N",
    meaning: "change of the curvature factor with load (load_sensitivity)",
    default: -2.24e-3,
  },
  { name: "e2a", unit: "1", meaning: "curvature factor at no load (load_sensitivity)", default: 1.81 },
  {
    name: "compat",
    unit: "1",
    meaning: "brains2: clip of the inputs, switch, loads and reported accelerations as the original has them",
    choices: { none: 0, brains2: 1 },
    default: 0,
  },
];

/** Parameters of a car, in SI units. */
export interface CarParameters {
  m: number;
  I_z: number;
  l_F: number;
  l_R: number;
  W: number;
  z_CG: number;
  C_m0: number;
  C_r0: number;
  C_r1: number;
  C_r2: number;
  C_downforce: number;
  Ba: number;
  Ca: number;
  Da: number;
  Ea: number;
  t_tau: number;
  t_delta: number;
  torque_max: number;
  steering_max: number;
  steering_rate_max: number;
  g: number;
  length: number;
  width: number;
  friction_ellipse: number;
  longitudinal_limit: number;
  load_sensitivity: number;
  Ds: number;
  b1a: number;
  b2a: number;
  d1a: number;
  d2a: number;
  e1a: number;
  e2a: number;
  compat: number;
}

/** Aerodynamic downforce; C_downforce holds density, coefficient and area. */
export const downforce = (p: CarParameters, v_x: number): number => 0.5 * p.C_downforce * v_x * v_x;

/** Rolling resistance and drag against motion, smooth through standstill. */
export const drag = (p: CarParameters, v_x: number): number =>
  -(p.C_r0 + p.C_r1 * Math.abs(v_x) + p.C_r2 * v_x * v_x) * tanh(10 * v_x);

/** The body's middle lies between the axles: so far before the centre of mass. */
export const middleOf = (p: CarParameters): number => (p.l_F - p.l_R) / 2;

/** The body's front end, before the centre of mass: what a light beam sees. */
export const noseOf = (p: CarParameters): number => middleOf(p) + p.length / 2;
