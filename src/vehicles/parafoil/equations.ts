/**
 * Six-degree-of-freedom parafoil: rigid canopy and payload, two brakes with first-order actuators. Equations of the ROS 2
 * parafoil simulator (parafoil_ws) with documented corrections: see docs/errata.md, P1 onwards.
 */
import { clamp } from "../../math/clamp.ts";
import { asin, atan2, exp } from "../../math/elementary.ts";
import { normalise, pitchOf, rollOf, yawOf } from "../../math/quaternion.ts";
import type { ParafoilParameters } from "./parameters.ts";

// Places of the states (rigid-body.ts, parafoil.ts), inputs and environment.
// biome-ignore format: a table
const NORTH = 0, EAST = 1, DOWN = 2, V_NORTH = 3, V_EAST = 4, V_DOWN = 5, Q_W = 6, Q_X = 7, Q_Y = 8,
  Q_Z = 9, P_B = 10, Q_B = 11, R_B = 12, BRAKE_LEFT = 13, BRAKE_RIGHT = 14;
// biome-ignore format: a table
const BRAKE_LEFT_CMD = 0, BRAKE_RIGHT_CMD = 1;
// biome-ignore format: a table
const WIND_NORTH = 0, WIND_EAST = 1, WIND_DOWN = 2, DENSITY_RATIO = 3;
// <places of outputs>: scripts/embed-places.mjs writes them from outputs.ts
// biome-ignore format: a table
const Y_ALTITUDE = 0, Y_AIRSPEED = 1, Y_HORIZONTAL_SPEED = 2, Y_SINK = 3, Y_ALPHA = 4, Y_BETA = 5,
  Y_ROLL = 6, Y_PITCH = 7, Y_YAW = 8, Y_TURN_RATE = 9, Y_DYNAMIC_PRESSURE = 10, Y_C_L = 11, Y_C_L_0 = 12,
  Y_C_L_ALPHA = 13, Y_C_L_BRAKE = 14, Y_C_L_STALL = 15, Y_C_D = 16, Y_C_D_0 = 17, Y_C_D_ALPHA = 18,
  Y_C_D_BRAKE = 19, Y_C_D_STALL = 20, Y_C_Y = 21, Y_C_ROLL = 22, Y_C_ROLL_P = 23, Y_C_ROLL_BRAKE = 24,
  Y_C_ROLL_BETA = 25, Y_C_PITCH = 26, Y_C_PITCH_0 = 27, Y_C_PITCH_ALPHA = 28, Y_C_PITCH_Q = 29,
  Y_C_PITCH_BRAKE = 30, Y_C_YAW = 31, Y_C_YAW_R = 32, Y_C_YAW_BRAKE = 33, Y_C_YAW_BETA = 34,
  Y_C_YAW_WEATHERCOCK = 35, Y_FORCE_X = 36, Y_FORCE_Y = 37, Y_FORCE_Z = 38, Y_FORCE_CANOPY_X = 39,
  Y_FORCE_CANOPY_Y = 40, Y_FORCE_CANOPY_Z = 41, Y_FORCE_PAYLOAD_X = 42, Y_FORCE_PAYLOAD_Y = 43,
  Y_FORCE_PAYLOAD_Z = 44, Y_MOMENT_X = 45, Y_MOMENT_Y = 46, Y_MOMENT_Z = 47, Y_MOMENT_CANOPY_X = 48,
  Y_MOMENT_CANOPY_Y = 49, Y_MOMENT_CANOPY_Z = 50, Y_MOMENT_PENDULUM_X = 51, Y_MOMENT_PENDULUM_Y = 52,
  Y_MOMENT_PENDULUM_Z = 53, Y_MOMENT_CANOPY_ARM_X = 54, Y_MOMENT_CANOPY_ARM_Y = 55,
  Y_MOMENT_CANOPY_ARM_Z = 56, Y_MOMENT_PAYLOAD_ARM_X = 57, Y_MOMENT_PAYLOAD_ARM_Y = 58,
  Y_MOMENT_PAYLOAD_ARM_Z = 59, Y_SPECIFIC_FORCE_X = 60, Y_SPECIFIC_FORCE_Y = 61, Y_SPECIFIC_FORCE_Z = 62;
// </places of outputs>

const clampUnit = (v: number): number => clamp(v, 0, 1);

function derivative(
  x: Float64Array,
  u: Float64Array,
  p: ParafoilParameters,
  e: Float64Array,
  dx: Float64Array,
  y?: Float64Array,
): void {
  const v_n = x[V_NORTH];
  const v_e = x[V_EAST];
  const v_d = x[V_DOWN];
  const scale = 1 / Math.sqrt(x[Q_W] * x[Q_W] + x[Q_X] * x[Q_X] + x[Q_Y] * x[Q_Y] + x[Q_Z] * x[Q_Z]);
  const qw = x[Q_W] * scale;
  const qx = x[Q_X] * scale;
  const qy = x[Q_Y] * scale;
  const qz = x[Q_Z] * scale;
  const p_B = x[P_B];
  const q_B = x[Q_B];
  const r_B = x[R_B];
  const brakeLeft = clampUnit(x[BRAKE_LEFT]);
  const brakeRight = clampUnit(x[BRAKE_RIGHT]);
  const deltaS = 0.5 * (brakeLeft + brakeRight);
  const deltaA = brakeLeft - brakeRight;
  const wind_n = e[WIND_NORTH];
  const wind_e = e[WIND_EAST];
  const wind_d = e[WIND_DOWN];
  const rho = p.rho * e[DENSITY_RATIO];

  // Rotation matrix R_NB of the attitude; its transpose takes world vectors into the body.
  const r11 = 1 - 2 * (qy * qy + qz * qz);
  const r12 = 2 * (qx * qy - qw * qz);
  const r13 = 2 * (qx * qz + qw * qy);
  const r21 = 2 * (qx * qy + qw * qz);
  const r22 = 1 - 2 * (qx * qx + qz * qz);
  const r23 = 2 * (qy * qz - qw * qx);
  const r31 = 2 * (qx * qz - qw * qy);
  const r32 = 2 * (qy * qz + qw * qx);
  const r33 = 1 - 2 * (qx * qx + qy * qy);

  // Velocity through the air, in body axes, and the flow angles. The forward speed keeps its sign but never vanishes.
  const a_n = v_n - wind_n;
  const a_e = v_e - wind_e;
  const a_d = v_d - wind_d;
  const u_B = r11 * a_n + r21 * a_e + r31 * a_d;
  const v_B = r12 * a_n + r22 * a_e + r32 * a_d;
  const w_B = r13 * a_n + r23 * a_e + r33 * a_d;
  const V = Math.sqrt(u_B * u_B + v_B * v_B + w_B * w_B);
  const V_safe = V > p.V_min ? V : p.V_min;
  const u_abs = Math.abs(u_B) > p.eps ? Math.abs(u_B) : p.eps;
  const u_safe = u_B < 0 ? -u_abs : u_abs;
  const alpha = atan2(w_B, u_safe);
  const sinBeta = v_B / (V > p.eps ? V : p.eps);
  const beta = asin(clamp(sinBeta, -1, 1));
  const perV_plane = 1 / Math.sqrt(u_safe * u_safe + w_B * w_B);
  const cosAlpha = u_safe * perV_plane;
  const sinAlpha = w_B * perV_plane;
  const q_bar = 0.5 * rho * V_safe * V_safe;

  // Brakes lower the stall onset; past it lift fades to 30 % and drag rises (docs/errata.md P1).
  const onset = p.alpha_stall - p.alpha_stall_brake * deltaS;
  const stall = (alpha - onset) * (1 / p.alpha_stall_width);
  const g = stall > 0 ? exp(-stall * stall) : 1;
  const CL_linear = p.c_L0 + p.c_La * alpha + p.c_Lds * deltaS;
  const C_L = CL_linear * (0.3 + 0.7 * g);
  const C_D = p.c_D0 + p.c_Da2 * alpha * alpha + p.c_Dds * deltaS + p.c_D_stall * (1 - g);
  const C_Y = p.c_Yb * beta;

  // Lift and drag lie in the plane of symmetry (no rotation by beta), side force along the body's right.
  const lift = q_bar * p.S * C_L;
  const drag = q_bar * p.S * C_D;
  const Fx_canopy = lift * sinAlpha - drag * cosAlpha;
  const Fy_canopy = q_bar * p.S * C_Y;
  const Fz_canopy = -drag * sinAlpha - lift * cosAlpha;

  // The payload's drag opposes the true velocity through the air.
  const k_payload = -0.5 * rho * p.c_D_pd * p.S_pd * V;
  const Fx_payload = k_payload * u_B;
  const Fy_payload = k_payload * v_B;
  const Fz_payload = k_payload * w_B;
  const Fx = Fx_canopy + Fx_payload;
  const Fy = Fy_canopy + Fy_payload;
  const Fz = Fz_canopy + Fz_payload;

  // Moment coefficients; rates are made dimensionless by half the span or chord over the airspeed. The weathercock term sees
  // the wind over ground, so it is not Galilean invariant: a calibrated property of the source.
  const perV = 1 / V_safe;
  const halfOverV = 0.5 * perV;
  const windRight = r12 * wind_n + r22 * wind_e + r32 * wind_d;
  const C_roll = p.c_lp * p_B * p.b * halfOverV + p.c_lda * deltaA + p.c_lb * beta;
  const C_pitch = p.c_m0 + p.c_ma * alpha + p.c_mq * q_B * p.c * halfOverV + p.c_mds * deltaS;
  const weathercock = p.c_n_weath * windRight * perV;
  const C_yaw = p.c_nr * r_B * p.b * halfOverV + p.c_nda * deltaA + p.c_nb * beta + weathercock;
  const Mx_canopy = q_bar * p.S * p.b * C_roll;
  const My_canopy = q_bar * p.S * p.c * C_pitch;
  const Mz_canopy = q_bar * p.S * p.b * C_yaw;

  // Either the payload's weight below the centre of mass, (0, 0, L) x m g in body axes, or the lever arms of the forces.
  let Mx = Mx_canopy;
  let My = My_canopy;
  let Mz = Mz_canopy;
  let Mx_pendulum = 0;
  let My_pendulum = 0;
  let Mx_canopyArm = 0;
  let My_canopyArm = 0;
  let Mz_canopyArm = 0;
  let Mx_payloadArm = 0;
  let My_payloadArm = 0;
  let Mz_payloadArm = 0;
  if (p.lever_arms === 1) {
    Mx_canopyArm = p.r_canopy_B.y * Fz_canopy - p.r_canopy_B.z * Fy_canopy;
    My_canopyArm = p.r_canopy_B.z * Fx_canopy - p.r_canopy_B.x * Fz_canopy;
    Mz_canopyArm = p.r_canopy_B.x * Fy_canopy - p.r_canopy_B.y * Fx_canopy;
    Mx_payloadArm = p.r_pd_B.y * Fz_payload - p.r_pd_B.z * Fy_payload;
    My_payloadArm = p.r_pd_B.z * Fx_payload - p.r_pd_B.x * Fz_payload;
    Mz_payloadArm = p.r_pd_B.x * Fy_payload - p.r_pd_B.y * Fx_payload;
    Mx += Mx_canopyArm + Mx_payloadArm;
    My += My_canopyArm + My_payloadArm;
    Mz += Mz_canopyArm + Mz_payloadArm;
  } else {
    const k_pendulum = p.m_payload * p.g * p.line_length;
    Mx_pendulum = -k_pendulum * r32;
    My_pendulum = k_pendulum * r31;
    Mx += Mx_pendulum;
    My += My_pendulum;
  }

  dx[NORTH] = v_n;
  dx[EAST] = v_e;
  dx[DOWN] = v_d;

  // Newton in the world frame.
  const perMass = 1 / p.m;
  dx[V_NORTH] = (r11 * Fx + r12 * Fy + r13 * Fz) * perMass;
  dx[V_EAST] = (r21 * Fx + r22 * Fy + r23 * Fz) * perMass;
  dx[V_DOWN] = (r31 * Fx + r32 * Fy + r33 * Fz) * perMass + p.g;

  // q' = 1/2 q (0, w_B).
  dx[Q_W] = -0.5 * (qx * p_B + qy * q_B + qz * r_B);
  dx[Q_X] = 0.5 * (qw * p_B + qy * r_B - qz * q_B);
  dx[Q_Y] = 0.5 * (qw * q_B + qz * p_B - qx * r_B);
  dx[Q_Z] = 0.5 * (qw * r_B + qx * q_B - qy * p_B);

  // Euler's equations in principal axes.
  const I = p.I_B_diag;
  dx[P_B] = (Mx - (I.z - I.y) * q_B * r_B) * (1 / I.x);
  dx[Q_B] = (My - (I.x - I.z) * r_B * p_B) * (1 / I.y);
  dx[R_B] = (Mz - (I.y - I.x) * p_B * q_B) * (1 / I.z);

  // Brakes follow their commands with a first-order lag.
  const perTau = 1 / p.tau_act;
  dx[BRAKE_LEFT] = (clampUnit(u[BRAKE_LEFT_CMD]) - brakeLeft) * perTau;
  dx[BRAKE_RIGHT] = (clampUnit(u[BRAKE_RIGHT_CMD]) - brakeRight) * perTau;

  if (y !== undefined) {
    y[Y_ALTITUDE] = -x[DOWN];
    y[Y_AIRSPEED] = V;
    y[Y_HORIZONTAL_SPEED] = Math.sqrt(v_n * v_n + v_e * v_e);
    y[Y_SINK] = v_d;
    y[Y_ALPHA] = alpha;
    y[Y_BETA] = beta;
    y[Y_ROLL] = rollOf(qw, qx, qy, qz);
    y[Y_PITCH] = pitchOf(qw, qx, qy, qz);
    y[Y_YAW] = yawOf(qw, qx, qy, qz);
    y[Y_TURN_RATE] = r31 * p_B + r32 * q_B + r33 * r_B;
    y[Y_DYNAMIC_PRESSURE] = q_bar;
    y[Y_C_L] = C_L;
    y[Y_C_L_0] = p.c_L0;
    y[Y_C_L_ALPHA] = p.c_La * alpha;
    y[Y_C_L_BRAKE] = p.c_Lds * deltaS;
    y[Y_C_L_STALL] = C_L - CL_linear;
    y[Y_C_D] = C_D;
    y[Y_C_D_0] = p.c_D0;
    y[Y_C_D_ALPHA] = p.c_Da2 * alpha * alpha;
    y[Y_C_D_BRAKE] = p.c_Dds * deltaS;
    y[Y_C_D_STALL] = p.c_D_stall * (1 - g);
    y[Y_C_Y] = C_Y;
    y[Y_C_ROLL] = C_roll;
    y[Y_C_ROLL_P] = p.c_lp * p_B * p.b * halfOverV;
    y[Y_C_ROLL_BRAKE] = p.c_lda * deltaA;
    y[Y_C_ROLL_BETA] = p.c_lb * beta;
    y[Y_C_PITCH] = C_pitch;
    y[Y_C_PITCH_0] = p.c_m0;
    y[Y_C_PITCH_ALPHA] = p.c_ma * alpha;
    y[Y_C_PITCH_Q] = p.c_mq * q_B * p.c * halfOverV;
    y[Y_C_PITCH_BRAKE] = p.c_mds * deltaS;
    y[Y_C_YAW] = C_yaw;
    y[Y_C_YAW_R] = p.c_nr * r_B * p.b * halfOverV;
    y[Y_C_YAW_BRAKE] = p.c_nda * deltaA;
    y[Y_C_YAW_BETA] = p.c_nb * beta;
    y[Y_C_YAW_WEATHERCOCK] = weathercock;
    y[Y_FORCE_X] = Fx;
    y[Y_FORCE_Y] = Fy;
    y[Y_FORCE_Z] = Fz;
    y[Y_FORCE_CANOPY_X] = Fx_canopy;
    y[Y_FORCE_CANOPY_Y] = Fy_canopy;
    y[Y_FORCE_CANOPY_Z] = Fz_canopy;
    y[Y_FORCE_PAYLOAD_X] = Fx_payload;
    y[Y_FORCE_PAYLOAD_Y] = Fy_payload;
    y[Y_FORCE_PAYLOAD_Z] = Fz_payload;
    y[Y_MOMENT_X] = Mx;
    y[Y_MOMENT_Y] = My;
    y[Y_MOMENT_Z] = Mz;
    y[Y_MOMENT_CANOPY_X] = Mx_canopy;
    y[Y_MOMENT_CANOPY_Y] = My_canopy;
    y[Y_MOMENT_CANOPY_Z] = Mz_canopy;
    y[Y_MOMENT_PENDULUM_X] = Mx_pendulum;
    y[Y_MOMENT_PENDULUM_Y] = My_pendulum;
    y[Y_MOMENT_PENDULUM_Z] = 0;
    y[Y_MOMENT_CANOPY_ARM_X] = Mx_canopyArm;
    y[Y_MOMENT_CANOPY_ARM_Y] = My_canopyArm;
    y[Y_MOMENT_CANOPY_ARM_Z] = Mz_canopyArm;
    y[Y_MOMENT_PAYLOAD_ARM_X] = Mx_payloadArm;
    y[Y_MOMENT_PAYLOAD_ARM_Y] = My_payloadArm;
    y[Y_MOMENT_PAYLOAD_ARM_Z] = Mz_payloadArm;
    y[Y_SPECIFIC_FORCE_X] = Fx / p.m;
    y[Y_SPECIFIC_FORCE_Y] = Fy / p.m;
    y[Y_SPECIFIC_FORCE_Z] = Fz / p.m;
  }
}

function project(x: Float64Array): void {
  normalise(x, Q_W);
  x[BRAKE_LEFT] = clampUnit(x[BRAKE_LEFT]);
  x[BRAKE_RIGHT] = clampUnit(x[BRAKE_RIGHT]);
}

export const EQUATIONS = { derivative, project };
