/**
 * Six-degree-of-freedom parafoil: rigid canopy and payload, two brakes with first-order actuators. Equations of the ROS 2
 * parafoil simulator (parafoil_ws) with its errata mended: see docs/errata.md, P1 onwards.
 */
import { clamp } from "../../math/clamp.ts";
import { asin, atan2, exp } from "../../math/elementary.ts";
import { normalise, pitchOf, rollOf, yawOf } from "../../math/quaternion.ts";
import type { ParafoilParameters } from "./parameters.ts";

const clampUnit = (v: number): number => clamp(v, 0, 1);

function derivative(
  x: Float64Array,
  u: Float64Array,
  p: ParafoilParameters,
  e: Float64Array,
  dx: Float64Array,
  y?: Float64Array,
): void {
  const v_n = x[3];
  const v_e = x[4];
  const v_d = x[5];
  const scale = 1 / Math.sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
  const qw = x[6] * scale;
  const qx = x[7] * scale;
  const qy = x[8] * scale;
  const qz = x[9] * scale;
  const p_B = x[10];
  const q_B = x[11];
  const r_B = x[12];
  const brakeLeft = clampUnit(x[13]);
  const brakeRight = clampUnit(x[14]);
  const deltaS = 0.5 * (brakeLeft + brakeRight);
  const deltaA = brakeLeft - brakeRight;
  const wind_n = e[0];
  const wind_e = e[1];
  const wind_d = e[2];
  const rho = p.rho * e[3];

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

  dx[0] = v_n;
  dx[1] = v_e;
  dx[2] = v_d;

  // Newton in the world frame.
  const perMass = 1 / p.m;
  dx[3] = (r11 * Fx + r12 * Fy + r13 * Fz) * perMass;
  dx[4] = (r21 * Fx + r22 * Fy + r23 * Fz) * perMass;
  dx[5] = (r31 * Fx + r32 * Fy + r33 * Fz) * perMass + p.g;

  // q' = 1/2 q (0, w_B).
  dx[6] = -0.5 * (qx * p_B + qy * q_B + qz * r_B);
  dx[7] = 0.5 * (qw * p_B + qy * r_B - qz * q_B);
  dx[8] = 0.5 * (qw * q_B + qz * p_B - qx * r_B);
  dx[9] = 0.5 * (qw * r_B + qx * q_B - qy * p_B);

  // Euler's equations in principal axes.
  const I = p.I_B_diag;
  dx[10] = (Mx - (I.z - I.y) * q_B * r_B) * (1 / I.x);
  dx[11] = (My - (I.x - I.z) * r_B * p_B) * (1 / I.y);
  dx[12] = (Mz - (I.y - I.x) * p_B * q_B) * (1 / I.z);

  // Brakes follow their commands with a first-order lag.
  const perTau = 1 / p.tau_act;
  dx[13] = (clampUnit(u[0]) - brakeLeft) * perTau;
  dx[14] = (clampUnit(u[1]) - brakeRight) * perTau;

  if (y !== undefined) {
    y[0] = -x[2];
    y[1] = V;
    y[2] = Math.sqrt(v_n * v_n + v_e * v_e);
    y[3] = v_d;
    y[4] = alpha;
    y[5] = beta;
    y[6] = rollOf(qw, qx, qy, qz);
    y[7] = pitchOf(qw, qx, qy, qz);
    y[8] = yawOf(qw, qx, qy, qz);
    y[9] = r31 * p_B + r32 * q_B + r33 * r_B;
    y[10] = q_bar;
    y[11] = C_L;
    y[12] = p.c_L0;
    y[13] = p.c_La * alpha;
    y[14] = p.c_Lds * deltaS;
    y[15] = C_L - CL_linear;
    y[16] = C_D;
    y[17] = p.c_D0;
    y[18] = p.c_Da2 * alpha * alpha;
    y[19] = p.c_Dds * deltaS;
    y[20] = p.c_D_stall * (1 - g);
    y[21] = C_Y;
    y[22] = C_roll;
    y[23] = p.c_lp * p_B * p.b * halfOverV;
    y[24] = p.c_lda * deltaA;
    y[25] = p.c_lb * beta;
    y[26] = C_pitch;
    y[27] = p.c_m0;
    y[28] = p.c_ma * alpha;
    y[29] = p.c_mq * q_B * p.c * halfOverV;
    y[30] = p.c_mds * deltaS;
    y[31] = C_yaw;
    y[32] = p.c_nr * r_B * p.b * halfOverV;
    y[33] = p.c_nda * deltaA;
    y[34] = p.c_nb * beta;
    y[35] = weathercock;
    y[36] = Fx;
    y[37] = Fy;
    y[38] = Fz;
    y[39] = Fx_canopy;
    y[40] = Fy_canopy;
    y[41] = Fz_canopy;
    y[42] = Fx_payload;
    y[43] = Fy_payload;
    y[44] = Fz_payload;
    y[45] = Mx;
    y[46] = My;
    y[47] = Mz;
    y[48] = Mx_canopy;
    y[49] = My_canopy;
    y[50] = Mz_canopy;
    y[51] = Mx_pendulum;
    y[52] = My_pendulum;
    y[53] = 0;
    y[54] = Mx_canopyArm;
    y[55] = My_canopyArm;
    y[56] = Mz_canopyArm;
    y[57] = Mx_payloadArm;
    y[58] = My_payloadArm;
    y[59] = Mz_payloadArm;
    y[60] = Fx / p.m;
    y[61] = Fy / p.m;
    y[62] = Fz / p.m;
  }
}

function project(x: Float64Array): void {
  normalise(x, 6);
  x[13] = clampUnit(x[13]);
  x[14] = clampUnit(x[14]);
}

export const EQUATIONS = { derivative, project };
