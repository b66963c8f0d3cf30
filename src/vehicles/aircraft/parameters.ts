import { type Field, vector } from "../../model/field.ts";
import type { InvalidParameter } from "../../model/model.ts";
import { ADVANCED_PARAMETERS, CONTROL_PARAMETERS } from "../../parts/advanced-lift-drag.ts";
import { type BatteryParameters, batteryParameters, deriveBattery } from "../../parts/battery.ts";
import { EFFECT_PARAMETERS, EFFECTS } from "../../parts/boundary-effect.ts";
import { CONTACT_PARAMETERS, type ContactParameters, deriveContact } from "../../parts/contact.ts";
import { LIFT_DRAG_PARAMETERS } from "../../parts/lift-drag.ts";
import {
  ELECTRIC_PARAMETERS,
  type ElectricParameters,
  LAG_PARAMETERS,
  type LagParameters,
} from "../../parts/motor.ts";
import { propellerParameters } from "../../parts/propeller.ts";
import { deriveRotor, LAWS, ROTOR_PARAMETERS, type RotorParameters } from "../../parts/rotor.ts";
import { SERVO_PARAMETERS, type ServoParameters, servoTable } from "../../parts/servo.ts";
import { areParallel } from "../../parts/surface-axes.ts";
import type { AircraftShape, SurfaceShape } from "./shape.ts";
import { deriveSurface, SURFACE_LAWS, type SurfaceParameters } from "./surfaces.ts";

interface Vec3 {
  x: number;
  y: number;
  z: number;
}
export interface Tensor {
  xx: number;
  yy: number;
  zz: number;
  xy: number;
  xz: number;
  yz: number;
}
export type AircraftRotor = RotorParameters & LagParameters & ElectricParameters;

/** Parameters of an aircraft, nested as vehicle files nest them, in SI units. */
export interface AircraftParameters {
  m: number;
  g: number;
  rho: number;
  I: Tensor;
  drag1: Vec3;
  drag2: Vec3;
  CdA: Vec3;
  boundary: { law: number; exponent: number };
  rotors: Record<number, AircraftRotor>;
  /** Derived. */
  rotorRows: Float64Array[];
  surfaces: Record<number, SurfaceParameters>;
  /** Derived. */
  surfaceList: SurfaceParameters[];
  servos: Record<number, ServoParameters>;
  /** Derived. */
  servoTable: Float64Array;
  /** Derived: 1 where any servo has no lag. */
  hasIdealServos: number;
  contacts: Record<number, ContactParameters>;
  battery: BatteryParameters;
  /** Derived. */
  inverse: Tensor;
  /** Derived: 1 where any rotor has inertia. */
  isSpinning: number;
  /** Derived: beyond this clearance of the centre of mass no boundary acts on a rotor or a contact [m]. */
  reach: number;
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
  {
    name: "rho",
    unit: "kg/m^3",
    meaning: "air density, for propeller tables, lifting surfaces and CdA",
    above: 0,
    default: 1.225,
  },
  inertia("xx", "moment of inertia about forward", { above: 0 }),
  inertia("yy", "moment of inertia about right", { above: 0 }),
  inertia("zz", "moment of inertia about down", { above: 0 }),
  inertia("xy", "tensor element (minus the product of inertia)", { default: 0 }),
  inertia("xz", "tensor element (minus the product of inertia)", { default: 0 }),
  inertia("yz", "tensor element (minus the product of inertia)", { default: 0 }),
  ...vector("drag1", { unit: "kg/s", meaning: "drag over airspeed, per body axis", min: 0, default: 0 }),
  ...vector("drag2", {
    unit: "kg/m",
    meaning: "drag over airspeed squared, each body axis by itself",
    min: 0,
    default: 0,
  }),
  ...vector("CdA", {
    unit: "m^2",
    meaning: "drag area: force rho/2 CdA times airspeed times its component",
    min: 0,
    default: 0,
  }),
];

export const each = <T>(n: number, make: (k: number) => T): T[] =>
  Array.from({ length: n }, (_, i) => make(i + 1));
const under = (prefix: string, fields: readonly Field[]): Field[] =>
  fields.map((f) => ({ ...f, name: `${prefix}.${f.name}` }));

function surfaceParameters({ law, controls }: SurfaceShape): readonly Field[] {
  const choice: Field = {
    name: "law",
    unit: "1",
    meaning: "coefficients of a whole aircraft, or one wing by itself",
    choices: SURFACE_LAWS,
    default: SURFACE_LAWS["advanced-lift-drag"],
  };
  if (law === "lift-drag") return [choice, ...LIFT_DRAG_PARAMETERS];
  return [
    choice,
    ...ADVANCED_PARAMETERS,
    ...each(controls, (k) => under(`controls.${k}`, CONTROL_PARAMETERS)).flat(),
  ];
}

export function aircraftParameters({
  rotors,
  tables,
  surfaces,
  servos,
  contacts,
  battery,
}: AircraftShape): readonly Field[] {
  const drive = battery ? ELECTRIC_PARAMETERS : LAG_PARAMETERS;
  return [
    ...BODY,
    ...EFFECT_PARAMETERS,
    ...each(rotors, (k) => {
      const rows = tables?.[k - 1] ?? 0;
      return under(`rotors.${k}`, [
        ...ROTOR_PARAMETERS,
        ...drive,
        ...(rows > 0 ? propellerParameters(rows) : []),
      ]);
    }).flat(),
    ...(surfaces ?? []).flatMap((surface, i) => under(`surfaces.${i + 1}`, surfaceParameters(surface))),
    ...each(servos ?? 0, (k) => under(`servos.${k}`, SERVO_PARAMETERS)).flat(),
    ...each(contacts ?? 0, (k) => under(`contacts.${k}`, CONTACT_PARAMETERS)).flat(),
    ...(battery ? batteryParameters(battery) : []),
  ];
}

const length = ({ x, y, z }: Vec3) => Math.sqrt(x * x + y * y + z * z);

function determinant({ xx, yy, zz, xy, xz, yz }: Tensor): number {
  return xx * (yy * zz - yz * yz) + xy * (xz * yz - xy * zz) + xz * (xy * yz - xz * yy);
}

/** Unit axes, tables, springs, and the inverse of the (symmetric) inertia tensor. */
export function deriveAircraft(p: AircraftParameters): void {
  const rotors = Object.values(p.rotors ?? {});
  const contacts = Object.values(p.contacts ?? {});
  for (const rotor of rotors) {
    deriveRotor(rotor);
  }
  p.surfaceList = Object.values(p.surfaces ?? {});
  p.surfaceList.forEach(deriveSurface);
  p.rotorRows = rotors.map((rotor) => rotor.row);
  const servos = Object.values(p.servos ?? {});
  p.servoTable = servoTable(servos);
  p.hasIdealServos = servos.some(({ tau }) => tau === 0) ? 1 : 0;
  for (const contact of contacts) deriveContact(contact, p.m, contacts.length);
  p.isSpinning = rotors.some((rotor) => rotor.inertia > 0) ? 1 : 0;
  if (p.battery) deriveBattery(p.battery);
  p.reach =
    p.boundary.law === EFFECTS["cheeseman-bennett"]
      ? Number.POSITIVE_INFINITY
      : Math.max(
          0,
          ...rotors.map((r) => length(r.position) + 5 * r.radius),
          ...contacts.map((c) => length(c.position) + c.radius),
        );
  const { xx, yy, zz, xy, xz, yz } = p.I;
  const det = determinant(p.I);
  p.inverse = {
    xx: (yy * zz - yz * yz) / det,
    xy: (xz * yz - xy * zz) / det,
    xz: (xy * yz - xz * yy) / det,
    yy: (xx * zz - xz * xz) / det,
    yz: (xy * xz - xx * yz) / det,
    zz: (xx * yy - xy * xy) / det,
  };
}

/** Parameters that are in range but impossible together. */
export function validateAircraft(p: AircraftParameters): InvalidParameter | undefined {
  const { xx, yy, zz, xy, xz, yz } = p.I;
  if (!(xx * yy - xy * xy > 0 && determinant(p.I) > 0))
    return {
      field: "I",
      problem: "is not a valid inertia tensor: it is not positive definite",
      allowed: "a positive definite tensor",
    };
  // The tensor of second moments (trace I / 2 - I) of a real body has no negative direction.
  const half = 0.5 * (xx + yy + zz);
  const tolerance = 1e-6 * half;
  const second = {
    xx: half - xx + tolerance,
    yy: half - yy + tolerance,
    zz: half - zz + tolerance,
    xy: -xy,
    xz: -xz,
    yz: -yz,
  };
  if (!(second.xx >= 0 && second.xx * second.yy - xy * xy >= 0 && determinant(second) >= 0))
    return {
      field: "I",
      problem: "is not a valid inertia tensor: one moment is larger than the sum of the others",
      allowed: "principal moments that satisfy the triangle inequality",
    };
  for (const [k, rotor] of Object.entries(p.rotors ?? {})) {
    const at = `rotors.${k}`;
    if (Number.isNaN(length(rotor.axis)))
      return {
        field: `${at}.axis`,
        problem: "has zero length",
        allowed: "a direction, such as [0, 0, -1] for up",
      };
    if (rotor.law === LAWS.propeller && rotor.propeller === undefined)
      return {
        field: `${at}.law`,
        problem: "the law propeller needs a table",
        allowed: "a block propeller: { diameter, J, CT, CP } beside it (see `sideslip prop`)",
      };
    if (rotor.law !== LAWS.propeller && !(rotor.motorConstant > 0))
      return {
        field: `${at}.motorConstant`,
        problem: "is missing: this rotor has no thrust",
        allowed: "> 0 kg m; `sideslip prop` finds it from a propeller",
      };
    if (rotor.timeConstantUp !== undefined && (rotor.timeConstantUp === 0) !== (rotor.timeConstantDown === 0))
      return {
        field: `${at}.timeConstantUp`,
        problem: "one of the two lags is 0",
        allowed: "both 0 (the speed is the command), or both above 0",
      };
    if (p.battery && !(rotor.inertia > 0))
      return {
        field: `${at}.inertia`,
        problem: "is missing: an electric motor needs the rotor's inertia",
        allowed: "> 0 kg m^2",
      };
  }
  const wing = refuseSurfaces(p);
  if (wing) return wing;
  if (p.boundary.law === EFFECTS.wind && !(p.drag1.z > 0))
    return {
      field: "boundary.law",
      problem: "an equivalent wind acts through drag1.z, which is 0",
      allowed: "another law, or drag1.z > 0",
    };
  return undefined;
}

/** The same for lifting surfaces and servos. */
function refuseSurfaces({ surfaces, servos }: AircraftParameters): InvalidParameter | undefined {
  const count = Object.keys(servos ?? {}).length;
  const isServo = (n: number) => Number.isInteger(n) && n <= count;
  const known = count === 0 ? "none: there is no list servos" : `a whole number, 1 to ${count}`;
  for (const [k, s] of Object.entries(surfaces ?? {})) {
    const at = `surfaces.${k}`;
    if (areParallel(s))
      return {
        field: `${at}.upward`,
        problem: "is parallel to forward, or one of them has zero length",
        allowed: "two directions that are not parallel",
      };
    if (s.law === SURFACE_LAWS["lift-drag"] && !isServo(s.servo))
      return { field: `${at}.servo`, problem: `there is no servo ${s.servo}`, allowed: `0 or ${known}` };
    for (const [i, { servo }] of Object.entries(s.controls ?? {}))
      if (!isServo(servo))
        return {
          field: `${at}.controls.${i}.servo`,
          problem: `there is no servo ${servo}`,
          allowed: known,
        };
  }
  for (const [k, { min, max, tau, rate }] of Object.entries(servos ?? {})) {
    if (!(min < max))
      return { field: `servos.${k}.max`, problem: `${max} is not above min, ${min}`, allowed: "min < max" };
    if (tau === 0 && rate !== Number.POSITIVE_INFINITY)
      return {
        field: `servos.${k}.rate`,
        problem: "a rate limit needs a servo with a lag",
        allowed: "tau above 0 as well, for example 0.02",
      };
  }
  return undefined;
}

/** How fast contacts turn the body, and drag stops it. */
export function aircraftTimeConstants(p: AircraftParameters): { field: string; seconds: number }[] {
  const { x, y, z } = p.drag1;
  const drag = Math.max(x, y, z);
  const out = drag > 0 ? [{ field: "the time constant m/drag1", seconds: p.m / drag }] : [];
  let roll = 0;
  let pitch = 0;
  let yaw = 0;
  for (const { position, radius, stiffness } of Object.values(p.contacts ?? {})) {
    const [a, b, c] = [position.x, position.y, position.z].map((v) => Math.abs(v) + radius);
    roll += stiffness * (b * b + c * c);
    pitch += stiffness * (a * a + c * c);
    yaw += stiffness * (a * a + b * b);
  }
  const stiffest = Math.max(roll / p.I.xx, pitch / p.I.yy, yaw / p.I.zz);
  if (stiffest > 0)
    out.push({
      field: "the time constant of the contacts (softness, inertia)",
      seconds: Math.sqrt(1 / stiffest),
    });
  return out;
}
