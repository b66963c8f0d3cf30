/**
 * Rotor laws: thrust along the axis, drag torque against the turning, H-force and rolling moment by the flow across the disc.
 * Two as Gazebo has them, one from propeller tables. Speeds are positive in the rotor's own turning direction.
 */
import { type Field, vector } from "../model/field.ts";
import { deriveLag, type LagParameters } from "./motor.ts";
import { coefficient, derivePropeller, type PropellerParameters } from "./propeller.ts";

export const LAWS = { "gazebo-classic": 0, gz: 1, propeller: 2 } as const;
const TWO_PI = 6.283185307179586;
/** Slower than this a propeller stands: its advance ratio means nothing [rad/s]. */
const SLOWEST = 1;

/** Parameters of one rotor, named as in Gazebo's SDF; positions and axes in body axes (forward, right, down). */
export const ROTOR_PARAMETERS: readonly Field[] = [
  { name: "law", unit: "1", meaning: "how thrust depends on the flow", choices: LAWS, default: 0 },
  ...vector("position", { unit: "m", meaning: "hub from the centre of mass", min: -50, max: 50 }),
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
    meaning: "axial airspeed at which thrust is zero (gazebo-classic)",
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
    meaning: "inertia of rotor and propeller about the axis: gyroscopic torque and reaction to spinning up",
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
  /** Derived: all that the equations need, side by side (`rotorRow`). */
  row: Float64Array;
  propeller: PropellerParameters;
}

/** A unit axis, and the row. */
export function deriveRotor(p: RotorParameters & LagParameters): void {
  const { axis } = p;
  const length = Math.sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  axis.x /= length;
  axis.y /= length;
  axis.z /= length;
  if (p.propeller) derivePropeller(p.propeller);
  deriveLag(p);
  p.row = rotorRow(p);
}

/**
 * A rotor's numbers as the equations read them, in one block of memory (scattered ones cost a quarter of the speed): position
 * (0-2), axis (3-5), law (6), motorConstant (7), sign of the thrust when turning backwards (8), thrust lost per axial airspeed
 * (9), installation (10), momentConstant (11), H-force (12), signed rolling moment (13), signed torque over shaft torque (14),
 * fastest command (15), rates of the lag up and down (16, 17), 1 without lag (18).
 *
 * Gazebo's laws differ in it: in classic, thrust falls linearly with the magnitude of the axial airspeed, and a rotor that is not
 * reversible thrusts forward whichever way it turns; in gz the rolling moment does not follow the turning direction.
 */
function rotorRow(p: RotorParameters & LagParameters): Float64Array {
  const isClassic = p.law === LAWS["gazebo-classic"];
  return Float64Array.of(
    ...[p.position.x, p.position.y, p.position.z, p.axis.x, p.axis.y, p.axis.z, p.law, p.motorConstant],
    isClassic && p.reversible === 0 ? 1 : -1,
    isClassic ? 1 / p.maxRelativeAirspeed : 0,
    ...[p.installation, p.momentConstant, p.rotorDragCoefficient],
    (p.law === LAWS.gz ? 1 : p.direction) * p.rollingMomentCoefficient,
    -p.direction * p.installation,
    ...[p.maxRotVelocity, p.rateUp, p.rateDown, p.isIdeal],
  );
}

/** Thrust before the axial flow takes its part, and from which the drag torque follows (Gazebo's laws). */
export function staticThrust(motorConstant: number, backward: number, omega: number): number {
  const thrust = motorConstant * omega * omega;
  return omega < 0 ? backward * thrust : thrust;
}

/** The part of the thrust that the axial flow leaves. */
export function axialFactor(fading: number, along: number): number {
  const s = 1 - Math.abs(along) * fading;
  return s > 0 ? s : 0;
}

/**
 * Thrust (0), torque at the shaft (1) and advance ratio (2) from the table. What moves or turns backwards has none: static data,
 * or nothing.
 */
export function propellerLoads(
  p: RotorParameters,
  rho: number,
  omega: number,
  along: number,
  out: Float64Array,
): void {
  const { propeller } = p;
  const D = propeller.diameter;
  const n = omega > SLOWEST ? omega / TWO_PI : 0;
  const J = n > 0 && along > 0 ? along / (n * D) : 0;
  const q = rho * n * n * D * D * D * D;
  out[0] = coefficient(propeller, propeller.tableCT, J) * q;
  out[1] = (coefficient(propeller, propeller.tableCP, J) * q * D) / TWO_PI;
  out[2] = J;
}
