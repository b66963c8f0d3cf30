/**
 * Aircraft: a rigid body with any number of rotors, drag against the air, and contacts that stand on the ground. Where forces
 * act and which signs they have: docs/conventions.md; the laws of the parts: src/parts.
 */
import { clearance, SLOTS } from "../../environment/boundaries.ts";
import { AIR } from "../../environment/fields.ts";
import { normalise, pitchOf, rollOf, toWorld, yawOf } from "../../math/quaternion.ts";
import type { Field } from "../../model/field.ts";
import type { Model, ModelEvent } from "../../model/model.ts";
import { openCircuitVoltage } from "../../parts/battery.ts";
import { boundaryForce, EFFECTS } from "../../parts/boundary-effect.ts";
import { CONTACT_LOADS, contactLoads, deepest, slip } from "../../parts/contact.ts";
import {
  electricAcceleration,
  lagAcceleration,
  limitedCommand,
  limitedDuty,
  motorCurrent,
} from "../../parts/motor.ts";
import { ADVANCE_RATIO, LAWS, LOADS, rotorLoads, SHAFT_TORQUE, THRUST } from "../../parts/rotor.ts";
import { RIGID_BODY } from "../rigid-body.ts";
import { aircraftOutputs } from "./outputs.ts";
import {
  type AircraftParameters,
  aircraftParameters,
  deriveAircraft,
  each,
  refuseAircraft,
} from "./parameters.ts";
import type { AircraftShape } from "./shape.ts";

/** First boundary slot in e. */
const FIRST_SLOT = AIR.length;
/** Deeper than this inside the ground a run does not begin [m]. */
const DEEPEST_START = 0.01;

export function aircraft(shape: AircraftShape): Model<AircraftParameters> {
  const N = shape.rotors;
  const C = shape.contacts ?? 0;
  const isElectric = Boolean(shape.battery);
  const CONTACTS = 13 + N;
  const CHARGE = CONTACTS + 2 * C;
  const outputs = aircraftOutputs(shape);
  const R = new Float64Array(9);
  const loads = new Float64Array(LOADS);
  const push = new Float64Array(3);
  const touch = new Float64Array(CONTACT_LOADS);

  function derivative(
    x: Float64Array,
    u: Float64Array,
    p: AircraftParameters,
    e: Float64Array,
    dx: Float64Array,
    y?: Float64Array,
  ): void {
    const qn = Math.sqrt(x[6] * x[6] + x[7] * x[7] + x[8] * x[8] + x[9] * x[9]);
    const qw = x[6] / qn;
    const qx = x[7] / qn;
    const qy = x[8] / qn;
    const qz = x[9] / qn;
    const p_B = x[10];
    const q_B = x[11];
    const r_B = x[12];
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
    const a_n = x[3] - e[0];
    const a_e = x[4] - e[1];
    const a_d = x[5] - e[2];
    const u_B = r11 * a_n + r21 * a_e + r31 * a_d;
    const v_B = r12 * a_n + r22 * a_e + r32 * a_d;
    const w_B = r13 * a_n + r23 * a_e + r33 * a_d;
    const thinness = e[3];
    const rho = p.rho * thinness;

    // Boundaries come nearest first: the first tells whether any is in reach.
    const isNear =
      (e[FIRST_SLOT + 3] !== 0 || e[FIRST_SLOT + 4] !== 0 || e[FIRST_SLOT + 5] !== 0) &&
      clearance(e, FIRST_SLOT, x[0], x[1], x[2]) <= p.reach;

    // The battery's voltage under load: V = V_oc - R_b sum(duty i), with i = (V duty - K omega)/R linear in V.
    let V = 0;
    let drawn = 0;
    if (isElectric) {
      let conductance = 0;
      let generated = 0;
      for (let k = 1; k <= N; k++) {
        const { motor } = p.rotors[k];
        const duty = limitedDuty(u[k - 1]);
        conductance += (duty * duty) / motor.R;
        generated += (duty * motor.K * x[12 + k]) / motor.R;
      }
      const inner = p.battery.resistance;
      V = (openCircuitVoltage(p.battery, x[CHARGE]) + inner * generated) / (1 + inner * conductance);
      drawn = V * conductance - generated;
    }

    let Fx = 0;
    let Fy = 0;
    let Fz = 0;
    let Mx = 0;
    let My = 0;
    let Mz = 0;
    // Angular momentum of the rotors.
    let hx = 0;
    let hy = 0;
    let hz = 0;
    // Equivalent wind of the boundaries times drag1.z, world axes.
    let Wn = 0;
    let We = 0;
    let Wd = 0;
    let power = 0;

    for (let k = 1; k <= N; k++) {
      const rotor = p.rotors[k];
      const { x: rx, y: ry, z: rz } = rotor.position;
      const { x: ax, y: ay, z: az } = rotor.axis;
      const isIdeal = !isElectric && rotor.timeConstantUp === 0;
      const omega = isIdeal ? limitedCommand(rotor, u[k - 1]) : x[12 + k];

      // The hub's velocity through the air decides the loads; force at the hub, drag torque and rolling moment as couples.
      rotorLoads(
        rotor,
        omega,
        u_B + q_B * rz - r_B * ry,
        v_B + r_B * rx - p_B * rz,
        w_B + p_B * ry - q_B * rx,
        rho,
        thinness,
        u[N + k - 1],
        loads,
      );
      const fx = loads[0];
      const fy = loads[1];
      const fz = loads[2];
      const Q = loads[SHAFT_TORQUE];
      const current = isElectric ? motorCurrent(rotor, omega, limitedDuty(u[k - 1]), V) : 0;
      const spinUp = isElectric
        ? electricAcceleration(rotor, omega, current, Q)
        : lagAcceleration(rotor, omega, u[k - 1]);
      dx[12 + k] = spinUp;

      // What spins the rotor up turns the body the other way.
      const reaction = -rotor.direction * rotor.inertia * spinUp;
      const spin = rotor.direction * rotor.inertia * omega;
      hx += spin * ax;
      hy += spin * ay;
      hz += spin * az;
      const mx = ry * fz - rz * fy + loads[3] + reaction * ax;
      const my = rz * fx - rx * fz + loads[4] + reaction * ay;
      const mz = rx * fy - ry * fx + loads[5] + reaction * az;
      Fx += fx;
      Fy += fy;
      Fz += fz;
      Mx += mx;
      My += my;
      Mz += mz;
      power += Q * omega;

      // Ground, ceiling and walls answer the thrust at the hub.
      let bx = 0;
      let by = 0;
      let bz = 0;
      if (isNear && rotor.radius > 0 && p.boundary.law !== EFFECTS.off) {
        const T = loads[THRUST];
        boundaryForce(
          p.boundary.law,
          p.boundary.exponent,
          rotor.radius,
          e,
          FIRST_SLOT,
          SLOTS,
          x[0] + r11 * rx + r12 * ry + r13 * rz,
          x[1] + r21 * rx + r22 * ry + r23 * rz,
          x[2] + r31 * rx + r32 * ry + r33 * rz,
          T * (r11 * ax + r12 * ay + r13 * az),
          T * (r21 * ax + r22 * ay + r23 * az),
          T * (r31 * ax + r32 * ay + r33 * az),
          push,
        );
        if (p.boundary.law === EFFECTS.wind) {
          Wn += push[0];
          We += push[1];
          Wd += push[2];
        } else {
          bx = r11 * push[0] + r21 * push[1] + r31 * push[2];
          by = r12 * push[0] + r22 * push[1] + r32 * push[2];
          bz = r13 * push[0] + r23 * push[1] + r33 * push[2];
          Fx += bx;
          Fy += by;
          Fz += bz;
          Mx += ry * bz - rz * by;
          My += rz * bx - rx * bz;
          Mz += rx * by - ry * bx;
        }
      }
      if (y !== undefined) {
        const o = outputs.rotors[k];
        y[o] = fx;
        y[o + 1] = fy;
        y[o + 2] = fz;
        y[o + 3] = mx;
        y[o + 4] = my;
        y[o + 5] = mz;
        y[o + 6] = bx;
        y[o + 7] = by;
        y[o + 8] = bz;
        y[o + 9] = ry * bz - rz * by;
        y[o + 10] = rz * bx - rx * bz;
        y[o + 11] = rx * by - ry * bx;
        y[o + 12] = loads[THRUST];
        y[o + 13] = Q;
        y[o + 14] = Q * omega;
        let next = o + 15;
        if (rotor.propeller !== undefined) {
          const J = loads[ADVANCE_RATIO];
          const { first, last } = rotor.propeller;
          y[next] = J;
          y[next + 1] = rotor.law !== LAWS.propeller ? 0 : J > last ? J - last : J < first ? J - first : 0;
          next += 2;
        }
        if (isElectric) y[next] = current;
      }
    }

    // Drag of the body, first and second order axis by axis, and over an area; it makes no moment.
    let ux = u_B;
    let uy = v_B;
    let uz = w_B;
    if (isNear && p.boundary.law === EFFECTS.wind) {
      ux -= (r11 * Wn + r21 * We + r31 * Wd) / p.drag1.z;
      uy -= (r12 * Wn + r22 * We + r32 * Wd) / p.drag1.z;
      uz -= (r13 * Wn + r23 * We + r33 * Wd) / p.drag1.z;
    }
    const area = 0.5 * p.rho * Math.sqrt(ux * ux + uy * uy + uz * uz);
    const Dx = -thinness * ux * (p.drag1.x + p.drag2.x * Math.abs(ux) + p.CdA.x * area);
    const Dy = -thinness * uy * (p.drag1.y + p.drag2.y * Math.abs(uy) + p.CdA.y * area);
    const Dz = -thinness * uz * (p.drag1.z + p.drag2.z * Math.abs(uz) + p.CdA.z * area);
    Fx += Dx;
    Fy += Dy;
    Fz += Dz;

    // Contacts, where any boundary is in reach.
    R[0] = r11;
    R[1] = r12;
    R[2] = r13;
    R[3] = r21;
    R[4] = r22;
    R[5] = r23;
    R[6] = r31;
    R[7] = r32;
    R[8] = r33;
    const gx = r11 * x[3] + r21 * x[4] + r31 * x[5];
    const gy = r12 * x[3] + r22 * x[4] + r32 * x[5];
    const gz = r13 * x[3] + r23 * x[4] + r33 * x[5];
    for (let k = 1; k <= C; k++) {
      const i = CONTACTS + 2 * (k - 1);
      contactLoads(
        p.contacts[k],
        p.m,
        p.inverse,
        e,
        FIRST_SLOT,
        isNear ? SLOTS : 0,
        R,
        x[0],
        x[1],
        x[2],
        gx,
        gy,
        gz,
        p_B,
        q_B,
        r_B,
        x[i],
        x[i + 1],
        touch,
      );
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

    dx[0] = x[3];
    dx[1] = x[4];
    dx[2] = x[5];
    dx[3] = (r11 * Fx + r12 * Fy + r13 * Fz) / p.m;
    dx[4] = (r21 * Fx + r22 * Fy + r23 * Fz) / p.m;
    dx[5] = (r31 * Fx + r32 * Fy + r33 * Fz) / p.m + p.g;
    dx[6] = -0.5 * (qx * p_B + qy * q_B + qz * r_B);
    dx[7] = 0.5 * (qw * p_B + qy * r_B - qz * q_B);
    dx[8] = 0.5 * (qw * q_B + qz * p_B - qx * r_B);
    dx[9] = 0.5 * (qw * r_B + qx * q_B - qy * p_B);
    if (isElectric) dx[CHARGE] = drawn;

    // Euler: I w' = M - w x (I w + h), full tensor, h the rotors' angular momentum.
    const I = p.I;
    const Lx = I.xx * p_B + I.xy * q_B + I.xz * r_B + hx;
    const Ly = I.xy * p_B + I.yy * q_B + I.yz * r_B + hy;
    const Lz = I.xz * p_B + I.yz * q_B + I.zz * r_B + hz;
    const Gx = Mx - (q_B * Lz - r_B * Ly);
    const Gy = My - (r_B * Lx - p_B * Lz);
    const Gz = Mz - (p_B * Ly - q_B * Lx);
    const J = p.inverse;
    dx[10] = J.xx * Gx + J.xy * Gy + J.xz * Gz;
    dx[11] = J.xy * Gx + J.yy * Gy + J.yz * Gz;
    dx[12] = J.xz * Gx + J.yz * Gy + J.zz * Gz;

    if (y !== undefined) {
      y[0] = -x[2];
      y[1] = Math.sqrt(u_B * u_B + v_B * v_B + w_B * w_B);
      y[2] = Math.sqrt(x[3] * x[3] + x[4] * x[4]);
      y[3] = x[5];
      y[4] = rollOf(qw, qx, qy, qz);
      y[5] = pitchOf(qw, qx, qy, qz);
      y[6] = yawOf(qw, qx, qy, qz);
      y[7] = Fx;
      y[8] = Fy;
      y[9] = Fz;
      y[10] = Mx;
      y[11] = My;
      y[12] = Mz;
      y[13] = Fx / p.m;
      y[14] = Fy / p.m;
      y[15] = Fz / p.m;
      y[16] = Dx;
      y[17] = Dy;
      y[18] = Dz;
      y[19] = power;
      if (isElectric) {
        const beyond = x[CHARGE] - p.battery.capacity;
        y[outputs.battery] = V;
        y[outputs.battery + 1] = drawn;
        y[outputs.battery + 2] = beyond > 0 ? beyond : 0;
      }
    }
  }

  return {
    name: "aircraft",
    meaning: `rigid body with ${N} rotor${N === 1 ? "" : "s"}`,
    states: statesOf(N, C, isElectric),
    inputs: inputsOf(N, isElectric),
    outputs: outputs.fields,
    environment: AIR,
    boundarySlots: SLOTS,
    parameters: aircraftParameters(shape),
    derivative,
    derive: deriveAircraft,
    refuse: refuseAircraft,
    refuseStart(x, p, e) {
      let inside = -clearanceOf(x, e);
      for (let k = 1; k <= C; k++) {
        const { position, radius } = p.contacts[k];
        const c = worldPoint(x, position);
        inside = Math.max(inside, deepest(radius, e, FIRST_SLOT, SLOTS, c[0], c[1], c[2]));
      }
      return inside > DEEPEST_START
        ? `the vehicle would begin ${inside.toPrecision(3)} m inside a boundary; begin higher, or further away`
        : undefined;
    },
    project(x) {
      normalise(x, 6);
      for (let k = 0; k < C; k++) slip(x, CONTACTS + 2 * k);
    },
    // A rotor without lag has the speed of its command.
    onTick(x, u, p) {
      for (let k = 1; k <= N; k++)
        if (!isElectric && p.rotors[k].timeConstantUp === 0)
          x[12 + k] = limitedCommand(p.rotors[k], u[k - 1]);
    },
    ...(C === 0 ? { events: [IMPACT] } : {}),
  };
}

/** Least clearance of the centre of mass. */
function clearanceOf(x: Float64Array, e: Float64Array): number {
  return -deepest(0, e, FIRST_SLOT, SLOTS, x[0], x[1], x[2]);
}

/** Without contacts to stand on, the first boundary ends the flight. */
const IMPACT: ModelEvent<AircraftParameters> = {
  name: "impact",
  terminal: true,
  guard: (x, _u, _p, e) => Math.max(-1e9, -clearanceOf(x, e)),
};

function worldPoint(x: Float64Array, { x: a, y: b, z: c }: { x: number; y: number; z: number }) {
  const out = new Float64Array(3);
  toWorld(x, 6, new Float64Array([a, b, c]), 0, out, 0);
  return [x[0] + out[0], x[1] + out[1], x[2] + out[2]];
}

function statesOf(N: number, C: number, isElectric: boolean): Field[] {
  return [
    ...RIGID_BODY,
    ...each(
      N,
      (k): Field => ({
        name: `rotor_${k}`,
        unit: "rad/s",
        meaning: `speed of rotor ${k} in its turning direction`,
        kind: "actuator",
      }),
    ),
    ...each(C, (k): Field[] =>
      ["along", "across"].map((way) => ({
        name: `contact_${k}_${way}`,
        unit: "m",
        meaning: `elastic displacement of contact ${k} ${way} forward`,
        kind: "actuator",
      })),
    ).flat(),
    ...(isElectric
      ? [
          {
            name: "battery_used",
            unit: "A s",
            meaning: "charge taken from the battery",
            cyclic: true,
          } as Field,
        ]
      : []),
  ];
}

function inputsOf(N: number, isElectric: boolean): Field[] {
  return [
    ...each(
      N,
      (k): Field =>
        isElectric
          ? {
              name: `rotor_${k}_cmd`,
              unit: "1",
              meaning: `duty of motor ${k}, part of the battery's voltage`,
              min: 0,
              max: 1,
              default: 0,
            }
          : { name: `rotor_${k}_cmd`, unit: "rad/s", meaning: `commanded speed of rotor ${k}`, default: 0 },
    ),
    ...each(N, (k) => ({
      name: `rotor_${k}_health`,
      unit: "1",
      meaning: `part of its loads that rotor ${k} still makes`,
      min: 0,
      max: 1,
      default: 1,
    })),
  ];
}
