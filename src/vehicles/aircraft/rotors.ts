/** All rotors of an aircraft together: battery, angular momentum, ground and wall effect, outputs. */
import { SLOTS } from "../../environment/boundaries.ts";
import { openCircuitVoltage } from "../../parts/battery.ts";
import { boundaryForce, EFFECTS } from "../../parts/boundary-effect.ts";
import { electricAcceleration, limitedCommand, limitedDuty, motorCurrent } from "../../parts/motor.ts";
import { LAWS } from "../../parts/rotor.ts";
import type { AircraftParameters } from "./parameters.ts";

/**
 * What is kept per rotor: force (0-2), moment (3-5), force of boundaries (6-8), all in body axes, thrust (9), shaft torque (10),
 * shaft power (11), advance ratio (12), current (13).
 */
export const ROTOR = 14;
/** Sums over rotors: force (0-2), moment (3-5), angular momentum (6-8), body axes; force that is a wind (9-11), world axes. */
export const SUMS = 12;

/**
 * The battery's voltage under load (0) and the current drawn from it (1): V = V_oc - R_b sum(duty i), where the motors' currents
 * i = (V duty - K omega)/R are linear in V.
 */
export function supply(
  p: AircraftParameters,
  N: number,
  x: Float64Array,
  charge: number,
  u: Float64Array,
  battery: Float64Array,
): void {
  let conductance = 0;
  let generated = 0;
  for (let k = 1; k <= N; k++) {
    const { motor } = p.rotors[k];
    const duty = limitedDuty(u[k - 1]);
    conductance += (duty * duty) / motor.R;
    generated += (duty * motor.K * x[12 + k]) / motor.R;
  }
  const { resistance } = p.battery;
  battery[0] =
    (openCircuitVoltage(p.battery, x[charge]) + resistance * generated) / (1 + resistance * conductance);
  battery[1] = battery[0] * conductance - generated;
}

/** Electric motors turn their rotors. */
export function drive(
  p: AircraftParameters,
  N: number,
  battery: Float64Array,
  x: Float64Array,
  u: Float64Array,
  dx: Float64Array,
  rotors: Float64Array,
): void {
  for (let k = 1; k <= N; k++) {
    const rotor = p.rotors[k];
    const at = ROTOR * (k - 1);
    const omega = x[12 + k];
    const current = motorCurrent(rotor, omega, limitedDuty(u[k - 1]), battery[0]);
    dx[12 + k] = electricAcceleration(rotor, omega, current, rotors[at + 10]);
    rotors[at + 13] = current;
  }
}

/** Moment on the body from what spins the rotors up, and their angular momentum. */
export function spin(
  p: AircraftParameters,
  N: number,
  x: Float64Array,
  u: Float64Array,
  dx: Float64Array,
  rotors: Float64Array,
  sums: Float64Array,
): void {
  for (let i = 3; i < 9; i++) sums[i] = 0;
  for (let k = 1; k <= N; k++) {
    const rotor = p.rotors[k];
    const at = ROTOR * (k - 1);
    const inertia = rotor.direction * rotor.inertia;
    const omega = rotor.isIdeal === 1 ? limitedCommand(rotor.maxRotVelocity, u[k - 1]) : x[12 + k];
    for (let i = 0; i < 3; i++) {
      const a = i === 0 ? rotor.axis.x : i === 1 ? rotor.axis.y : rotor.axis.z;
      const reaction = -inertia * dx[12 + k] * a;
      rotors[at + 3 + i] += reaction;
      sums[3 + i] += reaction;
      sums[6 + i] += inertia * omega * a;
    }
  }
}

const hub = new Float64Array(3);
const thrust = new Float64Array(3);
const push = new Float64Array(3);

/** Ground, ceiling and walls answer each thrust at its hub; R is the rotation matrix row by row. */
export function evaluateBoundaries(
  p: AircraftParameters,
  N: number,
  x: Float64Array,
  e: Float64Array,
  first: number,
  R: Float64Array,
  rotors: Float64Array,
  sums: Float64Array,
): void {
  const { law } = p.boundary;
  for (let i = 0; i < 6; i++) sums[i] = 0;
  for (let i = 9; i < 12; i++) sums[i] = 0;
  for (let k = 1; k <= N; k++) {
    const rotor = p.rotors[k];
    const at = ROTOR * (k - 1);
    if (!(rotor.radius > 0) || law === EFFECTS.off) continue;
    const { x: ax, y: ay, z: az } = rotor.axis;
    const { x: rx, y: ry, z: rz } = rotor.position;
    const T = rotors[at + 9];
    for (let i = 0; i < 3; i++) {
      hub[i] = x[i] + R[3 * i] * rx + R[3 * i + 1] * ry + R[3 * i + 2] * rz;
      thrust[i] = T * (R[3 * i] * ax + R[3 * i + 1] * ay + R[3 * i + 2] * az);
    }
    boundaryForce(p.boundary, rotor, e, first, SLOTS, hub, thrust, push);
    if (law === EFFECTS.wind) {
      for (let i = 0; i < 3; i++) sums[9 + i] += push[i];
      continue;
    }
    const bx = R[0] * push[0] + R[3] * push[1] + R[6] * push[2];
    const by = R[1] * push[0] + R[4] * push[1] + R[7] * push[2];
    const bz = R[2] * push[0] + R[5] * push[1] + R[8] * push[2];
    rotors[at + 6] = bx;
    rotors[at + 7] = by;
    rotors[at + 8] = bz;
    sums[0] += bx;
    sums[1] += by;
    sums[2] += bz;
    sums[3] += ry * bz - rz * by;
    sums[4] += rz * bx - rx * bz;
    sums[5] += rx * by - ry * bx;
  }
}

/** The rotors' outputs, each from its place in y on (outputs.ts has their order). */
export function writeRotorOutputs(
  p: AircraftParameters,
  N: number,
  isElectric: boolean,
  rotors: Float64Array,
  places: Int32Array,
  y: Float64Array,
): void {
  for (let k = 1; k <= N; k++) {
    const rotor = p.rotors[k];
    const { x: rx, y: ry, z: rz } = rotor.position;
    const at = ROTOR * (k - 1);
    const o = places[k];
    for (let i = 0; i < 6; i++) y[o + i] = rotors[at + i];
    const bx = rotors[at + 6];
    const by = rotors[at + 7];
    const bz = rotors[at + 8];
    y[o + 6] = bx;
    y[o + 7] = by;
    y[o + 8] = bz;
    y[o + 9] = ry * bz - rz * by;
    y[o + 10] = rz * bx - rx * bz;
    y[o + 11] = rx * by - ry * bx;
    y[o + 12] = rotors[at + 9];
    y[o + 13] = rotors[at + 10];
    y[o + 14] = rotors[at + 11];
    let next = o + 15;
    if (rotor.propeller !== undefined) {
      const J = rotors[at + 12];
      const { first, last } = rotor.propeller;
      y[next] = J;
      y[next + 1] = rotor.law !== LAWS.propeller ? 0 : J > last ? J - last : J < first ? J - first : 0;
      next += 2;
    }
    if (isElectric) y[next] = rotors[at + 13];
  }
}
