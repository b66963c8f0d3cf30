/**
 * The equations of an aircraft: a rigid body with any number of rotors and lifting surfaces, drag against the air, and contacts that stand on
 * the ground. Where forces act and which signs they have: docs/conventions.md; the laws of the parts: src/parts.
 */
import { clearance, isEmpty, SLOT, SLOTS } from "../../environment/boundaries.ts";
import { AIR } from "../../environment/fields.ts";
import { normalise, pitchOf, rollOf, yawOf } from "../../math/quaternion.ts";
import type { Model } from "../../model/model.ts";
import { advancedLiftDrag } from "../../parts/advanced-lift-drag.ts";
import { EFFECTS } from "../../parts/boundary-effect.ts";
import { CONTACT_LOADS, contactLoads, FORGETTING, slip } from "../../parts/contact.ts";
import { liftDrag } from "../../parts/lift-drag.ts";
import { lagAcceleration, limitedCommand } from "../../parts/motor.ts";
import { axialFactor, LAWS, propellerLoads, staticThrust } from "../../parts/rotor.ts";
import { limitedAngle, moveServos, servoAngles } from "../../parts/servo.ts";
import { isAnyNear } from "./ground.ts";
import { aircraftOutputs } from "./outputs.ts";
import type { AircraftParameters } from "./parameters.ts";
import { drive, evaluateBoundaries, ROTOR, SUMS, spin, supply, writeRotorOutputs } from "./rotors.ts";
import type { AircraftShape } from "./shape.ts";
import { SURFACE_LAWS } from "./surfaces.ts";

/** Place of the attitude among the states; behind the rigid body stand rotor speeds, servo angles, contacts, charge. */
const ATTITUDE = 6;
const ROTORS = 13;
// <places of outputs>: scripts/embed-places.mjs writes them from outputs.ts
// biome-ignore format: a table
const Y_ALTITUDE = 0, Y_AIRSPEED = 1, Y_HORIZONTAL_SPEED = 2, Y_SINK = 3, Y_ROLL = 4, Y_PITCH = 5,
  Y_YAW = 6, Y_FORCE_X = 7, Y_FORCE_Y = 8, Y_FORCE_Z = 9, Y_MOMENT_X = 10, Y_MOMENT_Y = 11,
  Y_MOMENT_Z = 12, Y_SPECIFIC_FORCE_X = 13, Y_SPECIFIC_FORCE_Y = 14, Y_SPECIFIC_FORCE_Z = 15,
  Y_FORCE_DRAG_X = 16, Y_FORCE_DRAG_Y = 17, Y_FORCE_DRAG_Z = 18, Y_POWER = 19;
// </places of outputs>

/** First boundary slot in e. */
const FIRST_SLOT: number = AIR.length;
const SECOND_SLOT: number = FIRST_SLOT + SLOT;
// V8 folds only a module's own constants.
const FADE: number = FORGETTING;
const PROPELLER: number = LAWS.propeller;
const PLAIN: number = SURFACE_LAWS["lift-drag"];

/** For one shape, with a work space of its own. */
export function aircraftEquations(shape: AircraftShape) {
  const N = shape.rotors;
  const C = shape.contacts ?? 0;
  const isElectric = Boolean(shape.battery);
  const S = shape.servos ?? 0;
  const W = shape.surfaces?.length ?? 0;
  const SERVOS = ROTORS + N;
  const CONTACTS = SERVOS + S;
  const CHARGE = CONTACTS + 2 * C;
  const outputs = aircraftOutputs(shape);
  const R = new Float64Array(9);
  const table = new Float64Array(3);
  const battery = isElectric ? new Float64Array(2) : undefined;
  const rotors = new Float64Array(N * ROTOR);
  const sums = new Float64Array(SUMS);
  const touch = new Float64Array(CONTACT_LOADS);
  const flow = new Float64Array(7);
  const loads = new Float64Array(6);
  const ideal = new Float64Array(S);

  function derivative(
    x: Float64Array,
    u: Float64Array,
    p: AircraftParameters,
    e: Float64Array,
    dx: Float64Array,
    y?: Float64Array,
  ): void {
    // Places of the states and of the environment, here rather than outside: V8 folds constants of an outer scope only where
    // there is one closure, and every vehicle has one of its own. Rotors count from 1.
    // biome-ignore format: a table
    const NORTH = 0, EAST = 1, DOWN = 2, V_NORTH = 3, V_EAST = 4, V_DOWN = 5, Q_W = 6, Q_X = 7, Q_Y = 8,
      Q_Z = 9, P_B = 10, Q_B = 11, R_B = 12, BEFORE_ROTORS = 12;
    // biome-ignore format: a table
    const WIND_NORTH = 0, WIND_EAST = 1, WIND_DOWN = 2, DENSITY_RATIO = 3;
    const scale = 1 / Math.sqrt(x[Q_W] * x[Q_W] + x[Q_X] * x[Q_X] + x[Q_Y] * x[Q_Y] + x[Q_Z] * x[Q_Z]);
    const qw = x[Q_W] * scale;
    const qx = x[Q_X] * scale;
    const qy = x[Q_Y] * scale;
    const qz = x[Q_Z] * scale;
    const p_B = x[P_B];
    const q_B = x[Q_B];
    const r_B = x[R_B];
    const r11 = 1 - 2 * (qy * qy + qz * qz);
    const r12 = 2 * (qx * qy - qw * qz);
    const r13 = 2 * (qx * qz + qw * qy);
    const r21 = 2 * (qx * qy + qw * qz);
    const r22 = 1 - 2 * (qx * qx + qz * qz);
    const r23 = 2 * (qy * qz - qw * qx);
    const r31 = 2 * (qx * qz - qw * qy);
    const r32 = 2 * (qy * qz + qw * qx);
    const r33 = 1 - 2 * (qx * qx + qy * qy);

    // Velocity of the centre of mass through the air, in body axes.
    const a_n = x[V_NORTH] - e[WIND_NORTH];
    const a_e = x[V_EAST] - e[WIND_EAST];
    const a_d = x[V_DOWN] - e[WIND_DOWN];
    const u_B = r11 * a_n + r21 * a_e + r31 * a_d;
    const v_B = r12 * a_n + r22 * a_e + r32 * a_d;
    const w_B = r13 * a_n + r23 * a_e + r33 * a_d;
    const densityRatio = e[DENSITY_RATIO];

    // Is any boundary in reach? Mostly there is only the ground.
    const isNear =
      (clearance(e, FIRST_SLOT, x[NORTH], x[EAST], x[DOWN]) <= p.reach && !isEmpty(e, FIRST_SLOT)) ||
      (!isEmpty(e, SECOND_SLOT) && isAnyNear(p, x, e));

    if (battery !== undefined) {
      supply(p, N, x, CHARGE, u, battery);
      dx[CHARGE] = battery[1];
    }

    // Where something else needs them, each rotor's loads are kept.
    const isSpinning = p.isSpinning === 1;
    const isKept = isNear || isSpinning || y !== undefined;
    let Fx = 0;
    let Fy = 0;
    let Fz = 0;
    let Mx = 0;
    let My = 0;
    let Mz = 0;
    const rows = p.rotorRows;
    for (let k = 1; k <= N; k++) {
      const row = rows[k - 1];
      const health = u[N + k - 1];
      const target = limitedCommand(row[15], u[k - 1]);
      const omega = row[18] === 1 ? target : x[BEFORE_ROTORS + k];
      const rx = row[0];
      const ry = row[1];
      const rz = row[2];
      const ax = row[3];
      const ay = row[4];
      const az = row[5];

      // The hub's velocity v through the air, and its part along the axis a.
      const vx = u_B + q_B * rz - r_B * ry;
      const vy = v_B + r_B * rx - p_B * rz;
      const vz = w_B + p_B * ry - q_B * rx;
      const along = vx * ax + vy * ay + vz * az;

      const part = health * densityRatio;
      let T = 0;
      let Q = 0;
      if (row[6] === PROPELLER) {
        propellerLoads(p.rotors[k], p.rho * densityRatio, omega, along, table);
        T = health * row[10] * table[0];
        Q = health * table[1];
      } else {
        const T0 = part * staticThrust(row[7], row[8], omega);
        T = row[10] * T0 * axialFactor(row[9], along);
        Q = T0 * row[11];
      }

      // Thrust T a and the H-force -H c against the cross flow c = v - (v.a) a act at the hub: f = (T + H v.a) a - H v.
      const swept = part * Math.abs(omega);
      const H = swept * row[12];
      const pull = T + H * along;
      const fx = pull * ax - H * vx;
      const fy = pull * ay - H * vy;
      const fz = pull * az - H * vz;

      dx[BEFORE_ROTORS + k] = lagAcceleration(row[16], row[17], omega, target);

      // Couples: the drag torque against the turning, and the rolling moment R c of the cross flow.
      const R_c = -swept * row[13];
      const couple = row[14] * Q - R_c * along;
      const mx = ry * fz - rz * fy + couple * ax + R_c * vx;
      const my = rz * fx - rx * fz + couple * ay + R_c * vy;
      const mz = rx * fy - ry * fx + couple * az + R_c * vz;
      Fx += fx;
      Fy += fy;
      Fz += fz;
      Mx += mx;
      My += my;
      Mz += mz;
      if (isKept) {
        const at = ROTOR * (k - 1);
        rotors[at] = fx;
        rotors[at + 1] = fy;
        rotors[at + 2] = fz;
        rotors[at + 3] = mx;
        rotors[at + 4] = my;
        rotors[at + 5] = mz;
        rotors[at + 6] = 0;
        rotors[at + 7] = 0;
        rotors[at + 8] = 0;
        rotors[at + 9] = T;
        rotors[at + 10] = Q;
        rotors[at + 11] = Q * omega;
        rotors[at + 12] = row[6] === PROPELLER ? table[2] : 0;
        rotors[at + 13] = 0;
      }
    }

    // Rotors that have inertia turn the body; those with electric motors are driven by the battery.
    if (isSpinning) {
      if (battery !== undefined) drive(p, N, battery, x, u, dx, rotors);
      spin(p, N, x, u, dx, rotors, sums);
      Mx += sums[3];
      My += sums[4];
      Mz += sums[5];
    }
    if (isNear) {
      R[0] = r11;
      R[1] = r12;
      R[2] = r13;
      R[3] = r21;
      R[4] = r22;
      R[5] = r23;
      R[6] = r31;
      R[7] = r32;
      R[8] = r33;
      evaluateBoundaries(p, N, x, e, FIRST_SLOT, R, rotors, sums);
      Fx += sums[0];
      Fy += sums[1];
      Fz += sums[2];
      Mx += sums[3];
      My += sums[4];
      Mz += sums[5];
    }

    // Servos with lag stand where their states are; those without, at their commands.
    const isIdeal = p.hasIdealServos === 1;
    if (isIdeal) servoAngles(p.servoTable, x, SERVOS, u, 2 * N, ideal);
    const angles = isIdeal ? ideal : x;
    const servos = isIdeal ? 0 : SERVOS;
    // Lifting surfaces: the flow at each in its own axes, its loads there, and back.
    for (let k = 0; k < W; k++) {
      const surface = p.surfaceList[k];
      const A = surface.frame;
      const px = A[9];
      const py = A[10];
      const pz = A[11];
      const us = u_B + q_B * pz - r_B * py;
      const vs = v_B + r_B * px - p_B * pz;
      const ws = w_B + p_B * py - q_B * px;
      const isAligned = A[12] === 1;
      flow[0] = isAligned ? us : A[0] * us + A[1] * vs + A[2] * ws;
      flow[1] = isAligned ? vs : A[3] * us + A[4] * vs + A[5] * ws;
      flow[2] = isAligned ? ws : A[6] * us + A[7] * vs + A[8] * ws;
      flow[3] = isAligned ? p_B : A[0] * p_B + A[1] * q_B + A[2] * r_B;
      flow[4] = isAligned ? q_B : A[3] * p_B + A[4] * q_B + A[5] * r_B;
      flow[5] = isAligned ? r_B : A[6] * p_B + A[7] * q_B + A[8] * r_B;
      flow[6] = p.rho * densityRatio;
      const at = outputs.surfaces[k];
      if (surface.law === PLAIN) liftDrag(surface, flow, angles, servos, loads, y, at + 6);
      else advancedLiftDrag(surface, flow, angles, servos, loads, y, at + 6);
      const X = loads[0];
      const Y = loads[1];
      const Z = loads[2];
      const L = loads[3];
      const M = loads[4];
      const K = loads[5];
      const fx = isAligned ? X : A[0] * X + A[3] * Y + A[6] * Z;
      const fy = isAligned ? Y : A[1] * X + A[4] * Y + A[7] * Z;
      const fz = isAligned ? Z : A[2] * X + A[5] * Y + A[8] * Z;
      const mx = (isAligned ? L : A[0] * L + A[3] * M + A[6] * K) + py * fz - pz * fy;
      const my = (isAligned ? M : A[1] * L + A[4] * M + A[7] * K) + pz * fx - px * fz;
      const mz = (isAligned ? K : A[2] * L + A[5] * M + A[8] * K) + px * fy - py * fx;
      Fx += fx;
      Fy += fy;
      Fz += fz;
      Mx += mx;
      My += my;
      Mz += mz;
      if (y !== undefined) {
        y[at] = fx;
        y[at + 1] = fy;
        y[at + 2] = fz;
        y[at + 3] = mx;
        y[at + 4] = my;
        y[at + 5] = mz;
      }
    }

    // Drag of the body, first and second order axis by axis, and over an area; it makes no moment.
    let ux = u_B;
    let uy = v_B;
    let uz = w_B;
    if (isNear && p.boundary.law === EFFECTS.wind) {
      const Wn = sums[9] / (p.drag1.z * densityRatio);
      const We = sums[10] / (p.drag1.z * densityRatio);
      const Wd = sums[11] / (p.drag1.z * densityRatio);
      ux -= r11 * Wn + r21 * We + r31 * Wd;
      uy -= r12 * Wn + r22 * We + r32 * Wd;
      uz -= r13 * Wn + r23 * We + r33 * Wd;
    }
    const area = 0.5 * p.rho * Math.sqrt(ux * ux + uy * uy + uz * uz);
    const Dx = -densityRatio * ux * (p.drag1.x + p.drag2.x * Math.abs(ux) + p.CdA.x * area);
    const Dy = -densityRatio * uy * (p.drag1.y + p.drag2.y * Math.abs(uy) + p.CdA.y * area);
    const Dz = -densityRatio * uz * (p.drag1.z + p.drag2.z * Math.abs(uz) + p.CdA.z * area);
    Fx += Dx;
    Fy += Dy;
    Fz += Dz;

    // Contacts, where any boundary is in reach; in the air their displacements fade.
    for (let i = CONTACTS; i < CHARGE; i++) dx[i] = -x[i] * FADE;
    if (isNear)
      for (let k = 1; k <= C; k++) {
        const i = CONTACTS + 2 * (k - 1);
        contactLoads(p.contacts[k], p, e, FIRST_SLOT, SLOTS, x, i, R, touch);
        Fx += touch[0];
        Fy += touch[1];
        Fz += touch[2];
        Mx += touch[3];
        My += touch[4];
        Mz += touch[5];
        dx[i] = touch[6];
        dx[i + 1] = touch[7];
        if (y !== undefined) for (let j = 0; j < 6; j++) y[outputs.contacts + 6 * (k - 1) + j] = touch[j];
      }
    else if (y !== undefined) y.fill(0, outputs.contacts, outputs.contacts + 6 * C);

    dx[NORTH] = x[V_NORTH];
    dx[EAST] = x[V_EAST];
    dx[DOWN] = x[V_DOWN];
    const perMass = 1 / p.m;
    dx[V_NORTH] = (r11 * Fx + r12 * Fy + r13 * Fz) * perMass;
    dx[V_EAST] = (r21 * Fx + r22 * Fy + r23 * Fz) * perMass;
    dx[V_DOWN] = (r31 * Fx + r32 * Fy + r33 * Fz) * perMass + p.g;
    dx[Q_W] = -0.5 * (qx * p_B + qy * q_B + qz * r_B);
    dx[Q_X] = 0.5 * (qw * p_B + qy * r_B - qz * q_B);
    dx[Q_Y] = 0.5 * (qw * q_B + qz * p_B - qx * r_B);
    dx[Q_Z] = 0.5 * (qw * r_B + qx * q_B - qy * p_B);

    // Euler: I w' = M - w x (I w + h), full tensor, h the rotors' angular momentum.
    const I = p.I;
    const Lx = I.xx * p_B + I.xy * q_B + I.xz * r_B + (isSpinning ? sums[6] : 0);
    const Ly = I.xy * p_B + I.yy * q_B + I.yz * r_B + (isSpinning ? sums[7] : 0);
    const Lz = I.xz * p_B + I.yz * q_B + I.zz * r_B + (isSpinning ? sums[8] : 0);
    const Gx = Mx - (q_B * Lz - r_B * Ly);
    const Gy = My - (r_B * Lx - p_B * Lz);
    const Gz = Mz - (p_B * Ly - q_B * Lx);
    const J = p.inverse;
    dx[P_B] = J.xx * Gx + J.xy * Gy + J.xz * Gz;
    dx[Q_B] = J.xy * Gx + J.yy * Gy + J.yz * Gz;
    dx[R_B] = J.xz * Gx + J.yz * Gy + J.zz * Gz;

    if (S > 0) moveServos(p.servoTable, x, SERVOS, u, 2 * N, dx);

    if (y !== undefined) {
      y[Y_ALTITUDE] = -x[DOWN];
      y[Y_AIRSPEED] = Math.sqrt(u_B * u_B + v_B * v_B + w_B * w_B);
      y[Y_HORIZONTAL_SPEED] = Math.sqrt(x[V_NORTH] * x[V_NORTH] + x[V_EAST] * x[V_EAST]);
      y[Y_SINK] = x[V_DOWN];
      y[Y_ROLL] = rollOf(qw, qx, qy, qz);
      y[Y_PITCH] = pitchOf(qw, qx, qy, qz);
      y[Y_YAW] = yawOf(qw, qx, qy, qz);
      y[Y_FORCE_X] = Fx;
      y[Y_FORCE_Y] = Fy;
      y[Y_FORCE_Z] = Fz;
      y[Y_MOMENT_X] = Mx;
      y[Y_MOMENT_Y] = My;
      y[Y_MOMENT_Z] = Mz;
      y[Y_SPECIFIC_FORCE_X] = Fx / p.m;
      y[Y_SPECIFIC_FORCE_Y] = Fy / p.m;
      y[Y_SPECIFIC_FORCE_Z] = Fz / p.m;
      y[Y_FORCE_DRAG_X] = Dx;
      y[Y_FORCE_DRAG_Y] = Dy;
      y[Y_FORCE_DRAG_Z] = Dz;
      y[Y_POWER] = 0;
      for (let k = 0; k < N; k++) y[Y_POWER] += rotors[ROTOR * k + 11];
      writeRotorOutputs(p, N, isElectric, rotors, outputs.rotors, y);
      if (battery !== undefined) {
        const beyond = x[CHARGE] - p.battery.capacity;
        y[outputs.battery] = battery[0];
        y[outputs.battery + 1] = battery[1];
        y[outputs.battery + 2] = beyond > 0 ? beyond : 0;
      }
    }
  }

  return {
    derivative,
    project(x) {
      normalise(x, ATTITUDE);
      for (let k = 0; k < C; k++) slip(x, CONTACTS + 2 * k);
    },
    // A lag never quite arrives at zero, and numbers near the smallest are slow. A rotor or servo without lag has the speed or angle of its command.
    onTick(x, u, p) {
      for (let i = ROTORS; i < CONTACTS; i++) if (x[i] < 1e-100 && x[i] > -1e-100) x[i] = 0;
      for (let k = 1; k <= N; k++)
        if (p.rotors[k].isIdeal === 1)
          x[ROTORS + k - 1] = limitedCommand(p.rotors[k].maxRotVelocity, u[k - 1]);
      for (let k = 1; k <= S; k++)
        if (p.servos[k].tau === 0)
          x[SERVOS + k - 1] = limitedAngle(p.servos[k].min, p.servos[k].max, u[2 * N + k - 1]);
    },
  } satisfies Partial<Model<AircraftParameters>>;
}
