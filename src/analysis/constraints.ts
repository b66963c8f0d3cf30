/** Conditions of a steady motion that are equations of their own, each zero where it is met. */
import { hypot, sin } from "../math/elementary.ts";
import { toBody } from "../math/quaternion.ts";
import { Q_W, V_NORTH } from "../vehicles/rigid-body.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { isRigidBody, type Rate } from "./motion.ts";
import type { Condition } from "./trim.ts";

export interface Constraint extends Rate {
  of(): number;
  /** Its derivative by an unknown of the motion, or by something else (-1), along which states and rates change so. */
  slope(unknown: number, along: Float64Array, rates: Float64Array): number;
}

/** A motion z, the state it was written into and its rates. */
interface Instant {
  readonly vehicle: Vehicle;
  readonly z: Float64Array;
  readonly x: Float64Array;
  readonly dx: Float64Array;
}

/** Below this a speed has no direction [m/s]. */
const SLOWEST = 1e-9;
const across = new Float64Array(3);
const attitude = new Float64Array(4);
const felt = new Float64Array(6);

export function constraintsOf(
  { speed, sideslip, lateral, isCoordinated }: Condition,
  { vehicle, z, x, dx }: Instant,
): Constraint[] {
  const isFlight = isRigidBody(vehicle.model);
  const velocities = isFlight ? 3 : 2;
  const total = () => (isFlight ? hypot(hypot(z[0], z[1]), z[2]) : hypot(z[0], z[1]));
  const totalSlope = (unknown: number) =>
    unknown < 0 || unknown >= velocities ? 0 : z[unknown] / Math.max(total(), SLOWEST);
  const list: Constraint[] = [];
  if (speed !== undefined && speed !== 0)
    list.push({
      name: isFlight ? "airspeed" : "speed",
      unit: "m/s",
      of: () => total() - speed,
      slope: totalSlope,
    });
  if (sideslip !== undefined)
    list.push({
      name: "sideslip",
      unit: "1",
      of: () => (isFlight ? partAcross(x, x) : z[1]) - sin(sideslip) * total(),
      slope: (unknown, along) =>
        (isFlight ? slopeAcross(x, x, along, along) : along[4]) - sin(sideslip) * totalSlope(unknown),
    });
  if (isCoordinated) {
    const { g } = vehicle.parameters as { g: number };
    /** Acceleration without gravity. */
    const specificForce = () => {
      felt.set(dx.subarray(V_NORTH, Q_W), 3);
      felt[5] -= g;
      return felt;
    };
    list.push({
      name: "lateral specific force",
      unit: "m/s^2",
      of: () => partAcross(x, specificForce()),
      slope: (_, along, rates) => slopeAcross(x, specificForce(), along, rates),
    });
  }
  if (lateral !== undefined)
    list.push({
      name: "lateral acceleration",
      unit: "m/s^2",
      of: () => z[0] * z[2] - lateral,
      slope: (unknown) => (unknown === 0 ? z[2] : unknown === 2 ? z[0] : 0),
    });
  return list;
}

/** How much of a vector lies across the body; it stands where a state has its velocity. */
function partAcross(x: Float64Array, vector: Float64Array): number {
  toBody(x, Q_W, vector, V_NORTH, across, 0);
  return across[1];
}

/** The derivative of that where the state and the vector change so. */
function slopeAcross(
  x: Float64Array,
  vector: Float64Array,
  along: Float64Array,
  change: Float64Array,
): number {
  let slope = partAcross(x, change);
  // Attitude enters by its square, of which differences are exact.
  for (const side of [1, -1]) {
    for (let i = 0; i < 4; i++) attitude[i] = x[6 + i] + side * along[6 + i];
    toBody(attitude, 0, vector, 3, across, 0);
    slope += (side * across[1]) / 2;
  }
  return slope;
}
