/**
 * Four-wheel race car on a plane: Magic Formula tyres above walking pace, a bicycle of rolling wheels below. Equations of the
 * brains2 simulator with documented corrections: docs/car.md, docs/errata.md C1 onwards. ISO 8855: x forward, y left, yaw
 * counter-clockwise; wheels in the order FL FR RL RR.
 */
import { clamp } from "../../math/clamp.ts";
import { atan2, atanEach, cos, cosSin, hypot, sin, tanh } from "../../math/elementary.ts";
import { brains2Estimate } from "./brains2.ts";
import { rollingMotion, rollingSlope } from "./kinematic.ts";
import { A_X, A_Y, FRONT, MASS, OTHER_X, PER_AX, PER_AY, REAR, WheelLoads } from "./loads.ts";
import { type CarParameters, downforce, drag } from "./parameters.ts";
import { shapeForces } from "./tyres.ts";

// Places of the states and inputs (car.ts).
// biome-ignore format: a table
const X = 0, Y = 1, PHI = 2, V_X = 3, V_Y = 4, OMEGA = 5, DELTA = 6, TAU_FL = 7;
// biome-ignore format: a table
const U_DELTA = 0, U_TAU_FL = 1;
// <places of outputs>: scripts/embed-places.mjs writes them from outputs.ts
// biome-ignore format: a table
const Y_SPEED = 0, Y_A_X = 1, Y_A_Y = 2, Y_BETA = 3, Y_UNDERSTEER = 4, Y_F_DOWN = 5, Y_F_Z_FL = 6,
  Y_ALPHA_FL = 10, Y_F_X_FL = 14, Y_F_Y_FL = 18, Y_LIFTED_WHEELS = 22, Y_FORCE_X = 23,
  Y_FORCE_X_DRIVE = 24, Y_FORCE_X_SIDE = 25, Y_FORCE_X_DRAG = 26, Y_FORCE_Y = 27, Y_FORCE_Y_DRIVE = 28,
  Y_FORCE_Y_SIDE = 29, Y_MOMENT_Z = 30, Y_MOMENT_Z_DRIVE = 31, Y_MOMENT_Z_SIDE = 32;
// </places of outputs>

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
  const v_x = x[V_X];
  const v_y = x[V_Y];
  const omega = x[OMEGA];
  cosSin(x[PHI], heading, 0);
  dx[X] = v_x * heading[0] - v_y * heading[1];
  dx[Y] = v_x * heading[1] + v_y * heading[0];
  dx[PHI] = omega;
  const delta = x[DELTA];
  const rate = (clamp(u[U_DELTA], -p.steering_max, p.steering_max) - delta) / p.t_delta;
  const limit = p.compat === 1 ? Number.POSITIVE_INFINITY : p.steering_rate_max;
  dx[DELTA] = clamp(rate, -limit, limit);
  for (let i = 0; i < 4; i++)
    dx[TAU_FL + i] = (clamp(u[U_TAU_FL + i], -p.torque_max, p.torque_max) - x[TAU_FL + i]) / p.t_tau;
  dx[MODE] = 0;
  if (x[MODE] >= 0.5) slide(x, p, dx);
  else roll(x, p, dx);
  if (y !== undefined) writeOutputs(x, p, dx, y);
}

/** Tyres with slip: loads, side forces and accelerations of the same instant. */
function slide(x: Float64Array, p: CarParameters, dx: Float64Array): void {
  const v_x = x[V_X];
  const v_y = x[V_Y];
  const omega = x[OMEGA];
  cosSin(x[DELTA], steer, 0);
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
    F_x[i] = driveForce(p, x[TAU_FL + i], v_xw);
  }
  atanEach(alpha);
  prepareLoads(x, p);
  wheels.numbers[OTHER_X] = drag(p, v_x);
  shapeForces(wheels, p, alpha, F_x, F_y, steer);
  dx[V_X] = wheels.numbers[A_X] + v_y * omega;
  dx[V_Y] = wheels.numbers[A_Y] - v_x * omega;
  dx[OMEGA] =
    (0.5 * p.W * ((F_x[1] - F_x[0]) * cd - (F_y[1] - F_y[0]) * sd + F_x[3] - F_x[2]) +
      p.l_F * ((F_x[0] + F_x[1]) * sd + (F_y[0] + F_y[1]) * cd) -
      p.l_R * (F_y[2] + F_y[3])) /
    p.I_z;
}

/** Axle loads of weight and downforce, and how far accelerations shift them. */
function prepareLoads(x: Float64Array, p: CarParameters): void {
  const { numbers } = wheels;
  const L = p.l_F + p.l_R;
  const N = p.m * p.g + downforce(p, x[V_X]);
  const moment = p.m * p.z_CG;
  numbers[FRONT] = (p.l_R / L) * N;
  numbers[REAR] = (p.l_F / L) * N;
  numbers[PER_AX] = moment / L;
  numbers[PER_AY] = moment / p.W;
  numbers[MASS] = p.m;
}

/** Wheels that roll where they point: the velocity of the centre of mass lies at beta, and omega follows from it. */
function roll(x: Float64Array, p: CarParameters, dx: Float64Array): void {
  const { cb, sb, slope } = rollingSlope(p, x[DELTA]);
  const cd = cos(x[DELTA]);
  const v = x[V_X] * cb + x[V_Y] * sb;
  for (let i = 0; i < 4; i++) F_x[i] = driveForce(p, x[TAU_FL + i], v);
  const half = 0.5 * (F_x[0] + F_x[1] + F_x[2] + F_x[3]);
  const along = cb * (half + drag(p, x[V_X])) + (cb * cd + sb * sin(x[DELTA])) * half;
  const betaRate = slope * dx[DELTA];
  const vRate = along / p.m;
  dx[V_X] = vRate * cb - x[V_Y] * betaRate;
  dx[V_Y] = vRate * sb + x[V_X] * betaRate;
  dx[OMEGA] = dx[V_Y] / p.l_R;
}

function writeOutputs(x: Float64Array, p: CarParameters, dx: Float64Array, y: Float64Array): void {
  const v_x = x[V_X];
  const v_y = x[V_Y];
  const omega = x[OMEGA];
  const cd = cos(x[DELTA]);
  const sd = sin(x[DELTA]);
  const isSliding = x[MODE] >= 0.5;
  const a_x = dx[V_X] - v_y * omega;
  const a_y = dx[V_Y] + v_x * omega;
  const resistance = drag(p, v_x);
  if (!isSliding) constrain(x, p, dx, a_x, a_y);
  y[Y_SPEED] = hypot(v_x, v_y);
  y[Y_A_X] = a_x;
  y[Y_A_Y] = a_y;
  if (p.compat === 1) brains2Estimate(x, p, resistance, y);
  y[Y_BETA] = y[Y_SPEED] > 0 ? atan2(v_y, v_x) : 0;
  y[Y_UNDERSTEER] = isSliding
    ? x[DELTA] - atan2((v_x < 0 ? -1 : 1) * (p.l_F + p.l_R) * omega, Math.abs(v_x))
    : 0;
  y[Y_F_DOWN] = downforce(p, v_x);
  let lifted = 0;
  for (let i = 0; i < 4; i++) {
    y[Y_F_Z_FL + i] = wheels.F_z[i];
    y[Y_ALPHA_FL + i] = isSliding ? alpha[i] : 0;
    y[Y_F_X_FL + i] = F_x[i];
    y[Y_F_Y_FL + i] = F_y[i];
    if (!(wheels.F_z[i] > 0)) lifted++;
  }
  y[Y_LIFTED_WHEELS] = lifted;
  const frontDrive = F_x[0] + F_x[1];
  const frontSide = F_y[0] + F_y[1];
  const rearSide = F_y[2] + F_y[3];
  y[Y_FORCE_X_DRIVE] = frontDrive * cd + F_x[2] + F_x[3];
  y[Y_FORCE_X_SIDE] = -frontSide * sd;
  y[Y_FORCE_X_DRAG] = resistance;
  y[Y_FORCE_X] = y[Y_FORCE_X_DRIVE] + y[Y_FORCE_X_SIDE] + y[Y_FORCE_X_DRAG];
  y[Y_FORCE_Y_DRIVE] = frontDrive * sd;
  y[Y_FORCE_Y_SIDE] = frontSide * cd + rearSide;
  y[Y_FORCE_Y] = y[Y_FORCE_Y_DRIVE] + y[Y_FORCE_Y_SIDE];
  y[Y_MOMENT_Z_DRIVE] = 0.5 * p.W * ((F_x[1] - F_x[0]) * cd + F_x[3] - F_x[2]) + p.l_F * frontDrive * sd;
  y[Y_MOMENT_Z_SIDE] = -0.5 * p.W * (F_y[1] - F_y[0]) * sd + p.l_F * frontSide * cd - p.l_R * rearSide;
  y[Y_MOMENT_Z] = y[Y_MOMENT_Z_DRIVE] + y[Y_MOMENT_Z_SIDE];
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
  const front = (p.m * a_y * p.l_R + p.I_z * dx[OMEGA]) / (p.l_F + p.l_R);
  const rear = p.m * a_y - front;
  const frontTyres = (front - 2 * torque * sin(x[DELTA])) / cos(x[DELTA]);
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
