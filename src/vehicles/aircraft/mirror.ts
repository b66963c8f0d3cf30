/** Which parts of an aircraft are each other's mirror images. */
import type { Mirror } from "../../model/model-checks.ts";
import type { AircraftParameters } from "./parameters.ts";
import { SURFACE_LAWS, type SurfaceParameters } from "./surfaces.ts";

type Answer = Mirror | { readonly reason: string; readonly without?: Readonly<Record<string, number>> };
interface Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const near = (a: number, b: number) =>
  a === b || Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
const isImage = (a: Point, b: Point, sign = 1) =>
  near(a.x, sign * b.x) && near(a.y, -sign * b.y) && near(a.z, sign * b.z);
/** Propellers pull alike on both sides, but turn one way. */
const NO_TORQUE = { "rotors.*.momentConstant": 0, "rotors.*.rollingMomentCoefficient": 0 };

/** What is the same of two rotors that are images; torque and rolling moment only matter where they turn. */
const ROTOR_NUMBERS = [
  "law",
  "motorConstant",
  "momentConstant",
  "rotorDragCoefficient",
  "rollingMomentCoefficient",
  "maxRelativeAirspeed",
  "maxRotVelocity",
  "timeConstantUp",
  "timeConstantDown",
  "installation",
  "inertia",
  "radius",
] as const;

export function mirrorAircraft(p: AircraftParameters, internal: number): Answer {
  if (p.I.xy !== 0 || p.I.yz !== 0) return { reason: "its products of inertia I.xy and I.yz are not zero" };
  const rotors = Object.values(p.rotors ?? {});
  const rotorPairs = rotors.map((a) =>
    rotors.findIndex(
      (b) =>
        isImage(a.position, b.position) &&
        isImage(a.axis, b.axis) &&
        ROTOR_NUMBERS.every((name) => near(a[name] ?? 0, b[name] ?? 0)) &&
        (a.direction !== b.direction || (a.momentConstant === 0 && a.rollingMomentCoefficient === 0)),
    ),
  );
  const lone = rotorPairs.indexOf(-1);
  if (lone >= 0) {
    const isTorque =
      rotors.some((r) => r.momentConstant !== 0 || r.rollingMomentCoefficient !== 0) && p.isSpinning !== 1;
    return {
      reason: `rotor ${lone + 1} has no mirror image with the opposite turning direction`,
      ...(isTorque ? { without: NO_TORQUE } : {}),
    };
  }
  const servos = servoPairs(p);
  if (typeof servos === "string") return { reason: servos };
  const uneven = servos.findIndex(([partner, sign], i) => !isServoImage(p, i + 1, partner + 1, sign));
  if (uneven >= 0) return { reason: `servo ${uneven + 1} and its image have different stops or lags` };
  const [N, S] = [rotors.length, servos.length];
  const body = Array.from({ length: 13 }, (_, i) => [i, 1] as const);
  const rotorStates = rotorPairs.map((k) => [13 + k, 1] as const);
  return {
    states: [
      ...body,
      ...rotorStates,
      ...servos.map(([k, sign]) => [13 + N + k, sign] as const),
      ...Array.from({ length: internal }, (_, i) => [13 + N + S + i, 1] as const),
    ],
    inputs: [
      ...rotorPairs.map((k) => [k, 1] as const),
      ...rotorPairs.map((k) => [N + k, 1] as const),
      ...servos.map(([k, sign]) => [2 * N + k, sign] as const),
    ],
  };
}

function isServoImage({ servos }: AircraftParameters, a: number, b: number, sign: number): boolean {
  const [s, t] = [servos[a], servos[b]];
  const [low, high] = sign > 0 ? [t.min, t.max] : [-t.max, -t.min];
  return near(s.min, low) && near(s.max, high) && near(s.tau, t.tau) && near(s.rate, t.rate);
}

/** Partner and sign of each servo, from what it moves; or why there is none. */
function servoPairs(p: AircraftParameters): (readonly [number, number])[] | string {
  const pairs: (readonly [number, number])[] = Object.keys(p.servos ?? {}).map((_, i) => [i, 1] as const);
  for (const a of p.surfaceList) {
    const problem = a.law === SURFACE_LAWS["lift-drag"] ? plain(p, a, pairs) : advanced(a, pairs);
    if (problem) return problem;
  }
  return pairs;
}

/** Coefficients that a symmetric aircraft does not have. */
const ONE_SIDED = [
  "CYa",
  "Cella",
  "Cena",
  "CLb",
  "Cemb",
  "CDp",
  "CDr",
  "CLp",
  "CLr",
  "Cemp",
  "Cemr",
  "CYq",
  "Cellq",
  "Cenq",
] as const;
const SAME = ["CD_ctrl", "CL_ctrl", "Cem_ctrl"] as const;
const OPPOSITE = ["CY_ctrl", "Cell_ctrl", "Cen_ctrl"] as const;

function advanced(s: SurfaceParameters, pairs: (readonly [number, number])[]): string | undefined {
  const odd = ONE_SIDED.find((name) => s[name] !== 0);
  if (odd) return `${odd} is not zero`;
  if (s.position.y !== 0)
    return "the reference point of a set of coefficients is outside the plane of symmetry";
  const controls = Object.values(s.controls ?? {});
  const seen = new Map<number, readonly [number, number]>();
  for (const a of controls) {
    const fits = (b: typeof a, sign: number) =>
      SAME.every((c) => near(a.direction * a[c], sign * b.direction * b[c])) &&
      OPPOSITE.every((c) => near(a.direction * a[c], -sign * b.direction * b[c]));
    const found = controls.flatMap((b) =>
      [1, -1].flatMap((sign) => (fits(b, sign) ? [[b.servo - 1, sign] as const] : [])),
    )[0];
    if (found === undefined) return `the control of servo ${a.servo} has no mirror image`;
    const other = seen.get(a.servo);
    if (other && (other[0] !== found[0] || other[1] !== found[1]))
      return `servo ${a.servo} moves surfaces that are not mirror images of each other`;
    seen.set(a.servo, found);
    pairs[a.servo - 1] = found;
  }
  return undefined;
}

function plain(
  p: AircraftParameters,
  a: SurfaceParameters,
  pairs: (readonly [number, number])[],
): string | undefined {
  const numbers = [
    "area",
    "a0",
    "cla",
    "cda",
    "alpha_stall",
    "cla_stall",
    "cda_stall",
    "chord",
    "cma",
    "cma_stall",
  ] as const;
  for (const b of p.surfaceList)
    for (const sign of [1, -1]) {
      // A fin seen in the mirror lifts the other way: then its angle of attack must be even.
      const isEven = sign === 1 || a.a0 === 0;
      const fits =
        b.law === a.law &&
        isImage(a.position, b.position) &&
        isImage(a.forward, b.forward) &&
        isImage(a.upward, b.upward, sign) &&
        isEven &&
        numbers.every((n) => near(a[n], b[n])) &&
        near(Math.abs(a.control_joint_rad_to_cl), Math.abs(b.control_joint_rad_to_cl)) &&
        a.servo > 0 === b.servo > 0;
      if (!fits) continue;
      if (a.servo > 0) {
        const gain = a.control_joint_rad_to_cl === b.control_joint_rad_to_cl ? 1 : -1;
        pairs[a.servo - 1] = [b.servo - 1, sign * gain];
      }
      return undefined;
    }
  return `the surface at [${a.position.x}, ${a.position.y}, ${a.position.z}] has no mirror image`;
}
