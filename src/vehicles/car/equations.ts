/**
 * Four-wheel race car on a plane: Magic Formula tyres above walking pace, a bicycle of rolling wheels below. Equations of the
 * brains2 simulator with its errata mended: docs/car.md, docs/errata.md C1 onwards. ISO 8855: x forward, y left, yaw
 * counter-clockwise; wheels in the order FL FR RL RR.
 */
import { clamp } from "../../math/clamp.ts";
import { atan2, atanEach, cos, cosSin, hypot, sin, tanh } from "../../math/elementary.ts";
import { brains2Estimate } from "./brains2.ts";
import { rollingMotion, rollingSlope } from "./kinematic.ts";
import { A_X, A_Y, FRONT, MASS, OTHER_X, PER_AX, PER_AY, REAR, WheelLoads } from "./loads.ts";
import { type CarParameters, downforce, drag } from "./parameters.ts";
import { shapeForces } from "./tyres.ts";

/** Place of the discrete state: rolling or sliding. */
export const MODE = 11;

const wheels = new WheelLoads();
const alpha = new Float64Array(4);
const F_x = new Float64Array(4);
const F_y = new Float64Array(4);
/** Cosine and sine of the steering angle and of the heading. */
const steer = new Float64Array(2);
const heading = new Float64Array(2);

/** Drive force of a torque; a negative torque is a brake, which opposes rolling and holds a standing wheel. */
const driveForce = (p: CarParameters, tau: number, v: number): number =>
  tau >= 0 || p.compat === 1 ? p.C_m0 * tau : p.C_m0 * tau * tanh(10 * v);

function derivative(
  x: Float64Array,
  u: Float64Array,
  p: CarParameters,
  _e: Float64Array,
  dx: Float64Array,
  y?: Float64Array,
): void {
  const v_x = x[3];
  const v_y = x[4];
  const omega = x[5];
  cosSin(x[2], heading, 0);
  dx[0] = v_x * heading[0] - v_y * heading[1];
  dx[1] = v_x * heading[1] + v_y * heading[0];
  dx[2] = omega;
  const delta = x[6];
  const rate = (clamp(u[0], -p.steering_max, p.steering_max) - delta) / p.t_delta;
  const limit = p.compat === 1 ? Number.POSITIVE_INFINITY : p.steering_rate_max;
  dx[6] = clamp(rate, -limit, limit);
  for (let i = 0; i < 4; i++) dx[7 + i] = (clamp(u[1 + i], -p.torque_max, p.torque_max) - x[7 + i]) / p.t_tau;
  dx[MODE] = 0;
  if (x[MODE] >= 0.5) slide(x, p, dx);
  else roll(x, p, dx);
  if (y !== undefined) writeOutputs(x, p, dx, y);
}

/** Tyres with slip: loads, side forces and accelerations of the same instant. */
function slide(x: Float64Array, p: CarParameters, dx: Float64Array): void {
  const v_x = x[3];
  const v_y = x[4];
  const omega = x[5];
  cosSin(x[6], steer, 0);
  const cd = steer[0];
  const sd = steer[1];
  const frontSide = v_y + p.l_F * omega;
  const rearSide = v_y - p.l_R * omega;
  for (let i = 0; i < 4; i++) {
    const along = v_x + (i % 2 === 0 ? -0.5 : 0.5) * p.W * omega;
    const isFront = i < 2;
    const v_xw = isFront ? along * cd + frontSide * sd : along;
    const v_yw = isFront ? frontSide * cd - along * sd : rearSide;
    alpha[i] = -v_yw / Math.max(Math.abs(v_xw), 0.001);
    F_x[i] = driveForce(p, x[7 + i], v_xw);
  }
  atanEach(alpha);
  prepareLoads(x, p);
  wheels.numbers[OTHER_X] = drag(p, v_x);
  shapeForces(wheels, p, alpha, F_x, F_y, steer);
  dx[3] = wheels.numbers[A_X] + v_y * omega;
  dx[4] = wheels.numbers[A_Y] - v_x * omega;
  dx[5] =
    (0.5 * p.W * ((F_x[1] - F_x[0]) * cd - (F_y[1] - F_y[0]) * sd + F_x[3] - F_x[2]) +
      p.l_F * ((F_x[0] + F_x[1]) * sd + (F_y[0] + F_y[1]) * cd) -
      p.l_R * (F_y[2] + F_y[3])) /
    p.I_z;
}

/** Axle loads of weight and downforce, and how far accelerations shift them. */
function prepareLoads(x: Float64Array, p: CarParameters): void {
  const { numbers } = wheels;
  const L = p.l_F + p.l_R;
  const N = p.m * p.g + downforce(p, x[3]);
  const moment = p.m * p.z_CG;
  numbers[FRONT] = (p.l_R / L) * N;
  numbers[REAR] = (p.l_F / L) * N;
  numbers[PER_AX] = moment / L;
  numbers[PER_AY] = moment / p.W;
  numbers[MASS] = p.m;
}

/** Wheels that roll where they point: the velocity of the centre of mass lies at beta, and omega follows from it. */
function roll(x: Float64Array, p: CarParameters, dx: Float64Array): void {
  const { cb, sb, slope } = rollingSlope(p, x[6]);
  const cd = cos(x[6]);
  const v = x[3] * cb + x[4] * sb;
  for (let i = 0; i < 4; i++) F_x[i] = driveForce(p, x[7 + i], v);
  const half = 0.5 * (F_x[0] + F_x[1] + F_x[2] + F_x[3]);
  const along = cb * (half + drag(p, x[3])) + (cb * cd + sb * sin(x[6])) * half;
  const betaRate = slope * dx[6];
  const vRate = along / p.m;
  dx[3] = vRate * cb - x[4] * betaRate;
  dx[4] = vRate * sb + x[3] * betaRate;
  dx[5] = dx[4] / p.l_R;
}

function writeOutputs(x: Float64Array, p: CarParameters, dx: Float64Array, y: Float64Array): void {
  const v_x = x[3];
  const v_y = x[4];
  const omega = x[5];
  const cd = cos(x[6]);
  const sd = sin(x[6]);
  const isSliding = x[MODE] >= 0.5;
  const a_x = dx[3] - v_y * omega;
  const a_y = dx[4] + v_x * omega;
  const resistance = drag(p, v_x);
  if (!isSliding) constrain(x, p, dx, a_x, a_y);
  y[0] = hypot(v_x, v_y);
  y[1] = a_x;
  y[2] = a_y;
  if (p.compat === 1) brains2Estimate(x, p, resistance, y);
  y[3] = y[0] > 0 ? atan2(v_y, v_x) : 0;
  y[4] = isSliding ? x[6] - atan2((v_x < 0 ? -1 : 1) * (p.l_F + p.l_R) * omega, Math.abs(v_x)) : 0;
  y[5] = downforce(p, v_x);
  let lifted = 0;
  for (let i = 0; i < 4; i++) {
    y[6 + i] = wheels.F_z[i];
    y[10 + i] = isSliding ? alpha[i] : 0;
    y[14 + i] = F_x[i];
    y[18 + i] = F_y[i];
    if (!(wheels.F_z[i] > 0)) lifted++;
  }
  y[22] = lifted;
  const frontDrive = F_x[0] + F_x[1];
  const frontSide = F_y[0] + F_y[1];
  const rearSide = F_y[2] + F_y[3];
  y[24] = frontDrive * cd + F_x[2] + F_x[3];
  y[25] = -frontSide * sd;
  y[26] = resistance;
  y[23] = y[24] + y[25] + y[26];
  y[28] = frontDrive * sd;
  y[29] = frontSide * cd + rearSide;
  y[27] = y[28] + y[29];
  y[31] = 0.5 * p.W * ((F_x[1] - F_x[0]) * cd + F_x[3] - F_x[2]) + p.l_F * frontDrive * sd;
  y[32] = -0.5 * p.W * (F_y[1] - F_y[0]) * sd + p.l_F * frontSide * cd - p.l_R * rearSide;
  y[30] = y[31] + y[32];
}

/** Side forces that hold rolling wheels on their way, by the balances of force and moment, shared out by load. */
function constrain(x: Float64Array, p: CarParameters, dx: Float64Array, a_x: number, a_y: number): void {
  prepareLoads(x, p);
  wheels.numbers[A_X] = a_x;
  wheels.numbers[A_Y] = a_y;
  wheels.settle(p.compat !== 1);
  const torque = (F_x[0] + F_x[1] + F_x[2] + F_x[3]) / 4;
  F_x.fill(torque);
  // Both axles across the car: the front's part is what turns it.
  const front = (p.m * a_y * p.l_R + p.I_z * dx[5]) / (p.l_F + p.l_R);
  const rear = p.m * a_y - front;
  const frontTyres = (front - 2 * torque * sin(x[6])) / cos(x[6]);
  for (let i = 0; i < 4; i++) {
    const pair = i < 2 ? 0 : 2;
    const axle = wheels.F_z[pair] + wheels.F_z[pair + 1];
    F_y[i] = axle > 0 ? ((i < 2 ? frontTyres : rear) * wheels.F_z[i]) / axle : 0;
  }
}

/** Rolling wheels stay on their way whatever the integration's rounding. */
function project(x: Float64Array, p: CarParameters): void {
  if (x[MODE] < 0.5 && p.compat !== 1) rollingMotion(x, p);
}

export const EQUATIONS = { derivative, project };
