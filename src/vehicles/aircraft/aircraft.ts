/**
 * Aircraft: a rigid body with any number of rotors and drag against the air. Where forces act and which signs they have:
 * docs/conventions.md; the laws of the parts: src/parts.
 */
import { AIR } from "../../environment/fields.ts";
import { normalise, pitchOf, rollOf, yawOf } from "../../math/quaternion.ts";
import { arrow, type Field, vector } from "../../model/field.ts";
import type { Model } from "../../model/model.ts";
import {
  axialFactor,
  ROTOR_PARAMETERS,
  type RotorParameters,
  rollingDirection,
  rotorAcceleration,
  staticThrust,
} from "../../parts/rotor.ts";
import { RIGID_BODY } from "../rigid-body.ts";

/** What fixes the number of states and inputs. */
export interface AircraftShape {
  readonly rotors: number;
}

type Vec3 = { x: number; y: number; z: number };

export interface AircraftParameters {
  m: number;
  g: number;
  I: { xx: number; yy: number; zz: number; xy: number; xz: number; yz: number };
  drag1: Vec3;
  drag2: Vec3;
  rotors: Record<number, RotorParameters>;
  /** Derived: the inverse inertia and the unit axes. */
  inverse: { xx: number; yy: number; zz: number; xy: number; xz: number; yz: number };
}

const inertia = (name: string, meaning: string, more: Partial<Field>): Field => ({
  name: `I.${name}`,
  unit: "kg m^2",
  meaning,
  ...more,
});

const BODY: readonly Field[] = [
  { name: "m", unit: "kg", meaning: "mass", above: 0 },
  { name: "g", unit: "m/s^2", meaning: "gravitational acceleration", min: 0, default: 9.81 },
  inertia("xx", "moment of inertia about forward", { above: 0 }),
  inertia("yy", "moment of inertia about right", { above: 0 }),
  inertia("zz", "moment of inertia about down", { above: 0 }),
  inertia("xy", "tensor element (minus the product of inertia)", { default: 0 }),
  inertia("xz", "tensor element (minus the product of inertia)", { default: 0 }),
  inertia("yz", "tensor element (minus the product of inertia)", { default: 0 }),
  ...vector("drag1", { unit: "kg/s", meaning: "drag over airspeed, per body axis", min: 0, default: 0 }),
  ...vector("drag2", {
    unit: "kg/m",
    meaning: "drag over airspeed squared, per body axis",
    min: 0,
    default: 0,
  }),
];

const each = <T>(n: number, make: (k: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i + 1));

export function aircraft({ rotors: N }: AircraftShape): Model<AircraftParameters> {
  const outputs: readonly Field[] = [
    { name: "altitude", unit: "m", meaning: "height above the origin" },
    { name: "airspeed", unit: "m/s", meaning: "true airspeed" },
    { name: "horizontal_speed", unit: "m/s", meaning: "speed over ground" },
    { name: "sink", unit: "m/s", meaning: "vertical speed, downward" },
    { name: "roll", unit: "rad", meaning: "bank angle, right side down positive" },
    { name: "pitch", unit: "rad", meaning: "pitch angle, nose up positive" },
    { name: "yaw", unit: "rad", meaning: "heading of the nose, clockwise from north", cyclic: true },
    ...arrow("force", "N", "total force without weight", "body"),
    ...arrow("moment", "N m", "total moment about the centre of mass", "body"),
    ...arrow("specific_force", "m/s^2", "what an ideal accelerometer at the centre of mass reads", "body"),
    ...arrow("force_drag", "N", "drag of the body", "body", "force"),
    ...each(N, (k) => [
      ...arrow(`force_rotor_${k}`, "N", `thrust and H-force of rotor ${k}`, "body", "force"),
      ...arrow(`moment_rotor_${k}`, "N m", `moment of rotor ${k} about the centre of mass`, "body", "moment"),
    ]).flat(),
  ];
  const ROTOR_OUTPUTS = 19;

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

    // Drag of the body, first and second order, axis by axis; it makes no moment.
    const Dx = -p.drag1.x * u_B - p.drag2.x * u_B * Math.abs(u_B);
    const Dy = -p.drag1.y * v_B - p.drag2.y * v_B * Math.abs(v_B);
    const Dz = -p.drag1.z * w_B - p.drag2.z * w_B * Math.abs(w_B);
    let Fx = Dx;
    let Fy = Dy;
    let Fz = Dz;
    let Mx = 0;
    let My = 0;
    let Mz = 0;

    for (let k = 1; k <= N; k++) {
      const rotor = p.rotors[k];
      const omega = x[12 + k];
      const { x: rx, y: ry, z: rz } = rotor.position;
      const { x: ax, y: ay, z: az } = rotor.axis;

      // The hub's velocity through the air, split along and across the axis.
      const hx = u_B + q_B * rz - r_B * ry;
      const hy = v_B + r_B * rx - p_B * rz;
      const hz = w_B + p_B * ry - q_B * rx;
      const along = hx * ax + hy * ay + hz * az;
      const cx = hx - along * ax;
      const cy = hy - along * ay;
      const cz = hz - along * az;

      // Thrust along the axis and H-force against the cross flow act at the hub; drag torque and rolling moment are couples.
      const T0 = staticThrust(rotor, omega);
      const T = T0 * axialFactor(rotor, along);
      const speed = Math.abs(omega);
      const H = speed * rotor.rotorDragCoefficient;
      const fx = T * ax - H * cx;
      const fy = T * ay - H * cy;
      const fz = T * az - H * cz;
      const Q = -rotor.direction * T0 * rotor.momentConstant;
      const R = -speed * rollingDirection(rotor) * rotor.rollingMomentCoefficient;
      const mx = ry * fz - rz * fy + Q * ax + R * cx;
      const my = rz * fx - rx * fz + Q * ay + R * cy;
      const mz = rx * fy - ry * fx + Q * az + R * cz;
      Fx += fx;
      Fy += fy;
      Fz += fz;
      Mx += mx;
      My += my;
      Mz += mz;
      dx[12 + k] = rotorAcceleration(rotor, omega, u[k - 1]);
      if (y !== undefined) {
        const o = ROTOR_OUTPUTS + 6 * (k - 1);
        y[o] = fx;
        y[o + 1] = fy;
        y[o + 2] = fz;
        y[o + 3] = mx;
        y[o + 4] = my;
        y[o + 5] = mz;
      }
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

    // Euler: I w' = M - w x (I w), full tensor.
    const I = p.I;
    const Lx = I.xx * p_B + I.xy * q_B + I.xz * r_B;
    const Ly = I.xy * p_B + I.yy * q_B + I.yz * r_B;
    const Lz = I.xz * p_B + I.yz * q_B + I.zz * r_B;
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
    }
  }

  return {
    name: "aircraft",
    meaning: `rigid body with ${N} rotors`,
    states: [
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
    ],
    inputs: each(N, (k) => ({
      name: `rotor_${k}_cmd`,
      unit: "rad/s",
      meaning: `commanded speed of rotor ${k}`,
      default: 0,
    })),
    outputs,
    environment: AIR,
    parameters: [
      ...BODY,
      ...each(N, (k) => ROTOR_PARAMETERS.map((f) => ({ ...f, name: `rotors.${k}.${f.name}` }))).flat(),
    ],
    derivative,
    derive,
    project: (x) => normalise(x, 6),
  };
}

/** Unit axes and the inverse of the (symmetric) inertia tensor. */
function derive(p: AircraftParameters): void {
  for (const rotor of Object.values(p.rotors ?? {})) {
    const { x, y, z } = rotor.axis;
    const n = Math.sqrt(x * x + y * y + z * z);
    rotor.axis.x = x / n;
    rotor.axis.y = y / n;
    rotor.axis.z = z / n;
  }
  const { xx, yy, zz, xy, xz, yz } = p.I;
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const det = xx * a + xy * b + xz * c;
  p.inverse = {
    xx: a / det,
    xy: b / det,
    xz: c / det,
    yy: (xx * zz - xz * xz) / det,
    yz: (xy * xz - xx * yz) / det,
    zz: (xx * yy - xy * xy) / det,
  };
}

/** The aircraft model of the size that a vehicle file asks for. */
export function aircraftFor(file: unknown): Model {
  const rotors = (file as { parameters?: { rotors?: unknown } } | null)?.parameters?.rotors;
  return aircraft({ rotors: Array.isArray(rotors) ? rotors.length : 0 });
}
