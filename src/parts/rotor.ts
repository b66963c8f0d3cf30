/**
 * Rotor laws as Gazebo has them: thrust along the axis, drag torque against the turning, H-force and rolling moment by the flow
 * across the disc. Speeds are positive in the rotor's own turning direction.
 */
import { type Field, vector } from "../model/field.ts";

export const LAWS = { "gazebo-classic": 0, gz: 1 } as const;

/** Parameters of one rotor, named as in Gazebo's SDF; positions and axes in body axes (forward, right, down). */
export const ROTOR_PARAMETERS: readonly Field[] = [
  { name: "law", unit: "1", meaning: "how thrust depends on the flow", choices: LAWS, default: 0 },
  ...vector("position", { unit: "m", meaning: "hub from the centre of mass" }),
  ...vector("axis", { unit: "1", meaning: "direction of the thrust (any length)" }),
  {
    name: "direction",
    unit: "1",
    meaning: "turning direction seen from the thrust's end",
    choices: { ccw: 1, cw: -1 },
  },
  {
    name: "reversible",
    unit: "1",
    meaning: "backward rotation thrusts backward",
    choices: { off: 0, on: 1 },
    default: 0,
  },
  { name: "motorConstant", unit: "kg m", meaning: "thrust over speed squared", min: 0 },
  { name: "momentConstant", unit: "m", meaning: "drag torque over thrust", min: 0 },
  {
    name: "rotorDragCoefficient",
    unit: "kg",
    meaning: "H-force over speed and cross flow",
    min: 0,
    default: 0,
  },
  {
    name: "rollingMomentCoefficient",
    unit: "kg m",
    meaning: "rolling moment over speed and cross flow",
    min: 0,
    default: 0,
  },
  { name: "maxRotVelocity", unit: "rad/s", meaning: "largest speed a command can ask for", above: 0 },
  {
    name: "maxRelativeAirspeed",
    unit: "m/s",
    meaning: "axial airspeed at which thrust vanishes (gazebo-classic)",
    above: 0,
    max: Number.POSITIVE_INFINITY,
    default: 25,
  },
  { name: "timeConstantUp", unit: "s", meaning: "lag when speeding up", min: 0, default: 0.0125, lag: true },
  {
    name: "timeConstantDown",
    unit: "s",
    meaning: "lag when slowing down",
    min: 0,
    default: 0.025,
    lag: true,
  },
];

export interface RotorParameters {
  law: number;
  position: { x: number; y: number; z: number };
  axis: { x: number; y: number; z: number };
  direction: number;
  reversible: number;
  motorConstant: number;
  momentConstant: number;
  rotorDragCoefficient: number;
  rollingMomentCoefficient: number;
  maxRotVelocity: number;
  maxRelativeAirspeed: number;
  timeConstantUp: number;
  timeConstantDown: number;
}

/** Thrust before the axial flow takes its part; the drag torque follows it. */
export function staticThrust(p: RotorParameters, omega: number): number {
  const thrust = p.motorConstant * omega * Math.abs(omega);
  return p.law === LAWS["gazebo-classic"] && p.reversible === 0 ? Math.abs(thrust) : thrust;
}

/** Gazebo classic lets thrust fall linearly with the magnitude of the axial airspeed; gz does not. */
export function axialFactor(p: RotorParameters, v_parallel: number): number {
  const s = 1 - Math.abs(v_parallel) / p.maxRelativeAirspeed;
  return p.law === LAWS["gazebo-classic"] ? (s > 0 ? s : 0) : 1;
}

/** The rolling moment's sign follows the turning direction in Gazebo classic only. */
export function rollingDirection(p: RotorParameters): number {
  return p.law === LAWS["gazebo-classic"] ? p.direction : 1;
}

/** First-order lag towards the command, faster or slower up than down; without a time constant the speed is the command. */
export function rotorAcceleration(p: RotorParameters, omega: number, command: number): number {
  const target = command < p.maxRotVelocity ? command : p.maxRotVelocity;
  const tau = target > omega ? p.timeConstantUp : p.timeConstantDown;
  return (target - omega) / tau;
}
