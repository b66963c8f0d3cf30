/**
 * Rotor laws: thrust along the axis, drag torque against the turning, H-force and rolling moment by the flow across the disc.
 * Two as Gazebo has them, one from propeller tables. Speeds are positive in the rotor's own turning direction.
 */
import { type Field, vector } from "../model/field.ts";
import { coefficient, type PropellerParameters } from "./propeller.ts";

export const LAWS = { "gazebo-classic": 0, gz: 1, propeller: 2 } as const;
const TWO_PI = 6.283185307179586;

/** Parameters of one rotor, named as in Gazebo's SDF; positions and axes in body axes (forward, right, down). */
export const ROTOR_PARAMETERS: readonly Field[] = [
  { name: "law", unit: "1", meaning: "how thrust depends on the flow", choices: LAWS, default: 0 },
  ...vector("position", { unit: "m", meaning: "hub from the centre of mass" }),
  { name: "axis.x", unit: "1", meaning: "direction of the thrust (any length), x", default: 0 },
  { name: "axis.y", unit: "1", meaning: "direction of the thrust (any length), y", default: 0 },
  { name: "axis.z", unit: "1", meaning: "direction of the thrust (any length), z", default: -1 },
  {
    name: "direction",
    unit: "1",
    meaning: "turning direction seen from the thrust's end",
    choices: { ccw: 1, cw: -1 },
  },
  {
    name: "reversible",
    unit: "1",
    meaning: "backward rotation thrusts backward (gazebo-classic)",
    choices: { off: 0, on: 1 },
    default: 0,
  },
  { name: "radius", unit: "m", meaning: "disc radius, for ground effect (0: none)", min: 0, default: 0 },
  {
    name: "motorConstant",
    unit: "kg m",
    meaning: "thrust over speed squared: C_T rho D^4 / 4 pi^2",
    min: 0,
    default: 0,
  },
  {
    name: "momentConstant",
    unit: "m",
    meaning: "drag torque over thrust: C_Q D / C_T",
    min: 0,
    default: 0,
  },
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
  {
    name: "maxRelativeAirspeed",
    unit: "m/s",
    meaning: "axial airspeed at which thrust vanishes (gazebo-classic)",
    above: 0,
    max: Number.POSITIVE_INFINITY,
    default: 25,
  },
  {
    name: "installation",
    unit: "1",
    meaning: "part of thrust and torque left by arms in the wake",
    min: 0,
    max: 1,
    default: 1,
  },
  {
    name: "inertia",
    unit: "kg m^2",
    meaning: "of rotor and propeller about the axis: gyroscopic torque and reaction to spinning up",
    min: 0,
    default: 0,
  },
];

export interface RotorParameters {
  law: number;
  position: { x: number; y: number; z: number };
  axis: { x: number; y: number; z: number };
  direction: number;
  reversible: number;
  radius: number;
  motorConstant: number;
  momentConstant: number;
  rotorDragCoefficient: number;
  rollingMomentCoefficient: number;
  maxRelativeAirspeed: number;
  installation: number;
  inertia: number;
  propeller: PropellerParameters;
}

/** Where `rotorLoads` writes what. */
export const LOADS = 9;
export const THRUST = 6;
export const SHAFT_TORQUE = 7;
export const ADVANCE_RATIO = 8;

/**
 * Force at the hub (0-2), couple (3-5), both in body axes, thrust (6), torque that the shaft must overcome (7) and advance ratio
 * (8), of a rotor whose hub moves through the air with (hx, hy, hz).
 */
export function rotorLoads(
  p: RotorParameters,
  omega: number,
  hx: number,
  hy: number,
  hz: number,
  rho: number,
  densityRatio: number,
  health: number,
  out: Float64Array,
): void {
  const { x: ax, y: ay, z: az } = p.axis;
  const along = hx * ax + hy * ay + hz * az;
  const cx = hx - along * ax;
  const cy = hy - along * ay;
  const cz = hz - along * az;
  const speed = Math.abs(omega);

  let T = 0;
  let Q = 0;
  let J = 0;
  let turning = p.direction;
  if (p.law === LAWS.propeller) {
    // A propeller that moves backwards or turns backwards has no table: static data, or nothing.
    const { propeller } = p;
    const D = propeller.diameter;
    const n = (omega > 0 ? omega : 0) / TWO_PI;
    J = n > 0 && along > 0 ? along / (n * D) : 0;
    const q = rho * n * n * D * D * D * D;
    T = coefficient(propeller, propeller.tableCT, J) * q;
    Q = (coefficient(propeller, propeller.tableCP, J) * q * D) / TWO_PI;
  } else {
    // Gazebo classic lets thrust fall with the magnitude of the axial airspeed, but not the torque; gz has neither this nor
    // the turning direction in its rolling moment.
    const classic = p.law === LAWS["gazebo-classic"];
    const signed = densityRatio * p.motorConstant * omega * speed;
    const T0 = classic && p.reversible === 0 ? Math.abs(signed) : signed;
    const s = 1 - Math.abs(along) / p.maxRelativeAirspeed;
    T = classic ? (s > 0 ? s * T0 : 0) : T0;
    Q = T0 * p.momentConstant;
    turning = classic ? p.direction : 1;
  }
  Q *= health;
  const left = health * p.installation;
  T *= left;
  const H = health * densityRatio * speed * p.rotorDragCoefficient;
  const R = -health * densityRatio * speed * turning * p.rollingMomentCoefficient;
  const couple = -p.direction * Q * p.installation;
  out[0] = T * ax - H * cx;
  out[1] = T * ay - H * cy;
  out[2] = T * az - H * cz;
  out[3] = couple * ax + R * cx;
  out[4] = couple * ay + R * cy;
  out[5] = couple * az + R * cz;
  out[THRUST] = T;
  out[SHAFT_TORQUE] = Q;
  out[ADVANCE_RATIO] = J;
}
