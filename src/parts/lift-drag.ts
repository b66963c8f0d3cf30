/**
 * LiftDrag: Gazebo's plain surface, one wing or fin or blade. Lift and drag over angle of attack with other slopes beyond the
 * stall, weakened by sweep, and lift by one control. Nothing acts where the flow comes from behind.
 */
import { atan2 } from "../math/elementary.ts";
import type { Field } from "../model/field.ts";
import { AXES_PARAMETERS, deriveAxes, type SurfaceAxes } from "./surface-axes.ts";

const PI = 3.141592653589793;
/** Below this speed nothing acts [m/s]. */
const SLOWEST = 0.01;

export const LIFT_DRAG_PARAMETERS: readonly Field[] = [
  ...AXES_PARAMETERS,
  { name: "area", unit: "m^2", meaning: "area of the surface", min: 1e-6, max: 1e6 },
  {
    name: "a0",
    unit: "rad",
    meaning: "angle of attack when forward is aligned with the flow",
    min: -1.6,
    max: 1.6,
    default: 0,
  },
  { name: "cla", unit: "1/rad", meaning: "lift coefficient over angle of attack", default: 1 },
  { name: "cda", unit: "1/rad", meaning: "drag coefficient over angle of attack", default: 0.01 },
  {
    name: "alpha_stall",
    unit: "rad",
    meaning: "angle of attack beyond which the slopes of the stall hold",
    above: 0,
    max: 1.5708,
    default: 1.5707963,
  },
  { name: "cla_stall", unit: "1/rad", meaning: "lift slope beyond the stall", default: 0 },
  { name: "cda_stall", unit: "1/rad", meaning: "drag slope beyond the stall", default: 1 },
  {
    name: "chord",
    unit: "m",
    meaning: "length for the pitching moment (0: none, as in Gazebo, which computes it and drops it)",
    min: 0,
    default: 0,
  },
  { name: "cma", unit: "1/rad", meaning: "pitch coefficient over angle of attack", default: 0 },
  { name: "cma_stall", unit: "1/rad", meaning: "pitch slope beyond the stall", default: 0 },
  {
    name: "radial_symmetry",
    unit: "1",
    meaning: "radial symmetry: lift in the plane of the flow (a fuselage)",
    choices: { off: 0, on: 1 },
    default: 0,
  },
  {
    name: "servo",
    unit: "1",
    meaning: "number of the servo that changes its lift (0: none)",
    min: 0,
    max: 64,
    default: 0,
  },
  {
    name: "control_joint_rad_to_cl",
    unit: "1/rad",
    meaning: "lift coefficient over servo angle",
    default: 4,
  },
];

export interface LiftDragParameters extends SurfaceAxes {
  area: number;
  a0: number;
  cla: number;
  cda: number;
  alpha_stall: number;
  cla_stall: number;
  cda_stall: number;
  chord: number;
  cma: number;
  cma_stall: number;
  radial_symmetry: number;
  servo: number;
  control_joint_rad_to_cl: number;
}

export const deriveLiftDrag: (p: LiftDragParameters) => void = deriveAxes;

export function liftDragOutputs(k: number): Field[] {
  const of = `of lifting surface ${k}`;
  return [
    { name: `alpha_${k}`, unit: "rad", meaning: `angle of attack ${of}, with a0` },
    { name: `CL_${k}`, unit: "1", meaning: `lift coefficient ${of}` },
    {
      name: `CL_${k}_alpha`,
      unit: "1",
      meaning: "its part by alpha",
      parent: `CL_${k}`,
      symbol: "cla alpha cos^2(sweep)",
    },
    {
      name: `CL_${k}_ctrl`,
      unit: "1",
      meaning: "its part by the servo",
      parent: `CL_${k}`,
      symbol: "control_joint_rad_to_cl delta",
    },
    { name: `CD_${k}`, unit: "1", meaning: `drag coefficient ${of}` },
    { name: `Cem_${k}`, unit: "1", meaning: `pitch coefficient ${of}` },
  ];
}

/** A slope, and another one beyond the stall. */
export function kinked(alpha: number, stall: number, slope: number, beyond: number): number {
  const inside = alpha > stall ? stall : alpha < -stall ? -stall : alpha;
  return slope * inside + beyond * (alpha - inside);
}

/** Never of the other sign than the angle once stalled. */
function kept(c: number, alpha: number, stall: number): number {
  return (alpha > stall && c < 0) || (alpha < -stall && c > 0) ? 0 : c;
}

/** Loads as in `advancedLiftDrag`. */
export function liftDrag(
  s: LiftDragParameters,
  flow: Float64Array,
  angles: Float64Array,
  servos: number,
  out: Float64Array,
  y: Float64Array | undefined,
  at: number,
): void {
  const u = flow[0];
  const v = flow[1];
  const w = flow[2];
  for (let i = 0; i < 6; i++) out[i] = 0;
  // With radial symmetry the plane of lift and drag holds forward and the flow, so the cross flow is all in it.
  const isRadial = s.radial_symmetry === 1;
  const cross = Math.sqrt(v * v + w * w);
  const down = isRadial ? cross : w;
  const V2 = u * u + v * v + w * w;
  const acts = u > 0 && V2 > SLOWEST * SLOWEST;
  const plane2 = u * u + down * down;
  const sweep = acts ? plane2 / V2 : 0;
  const whole = s.a0 + atan2(down, u);
  const alpha = whole > 0.5 * PI ? whole - PI : whole < -0.5 * PI ? whole + PI : whole;
  const stall = s.alpha_stall;
  const lifting = kept(kinked(alpha, stall, s.cla, s.cla_stall) * sweep, alpha, stall);
  const control = acts && s.servo > 0 ? s.control_joint_rad_to_cl * angles[servos + s.servo - 1] : 0;
  const CL = lifting + control;
  const CD = Math.abs(kinked(alpha, stall, s.cda, s.cda_stall) * sweep);
  const Cem = kept(kinked(alpha, stall, s.cma, s.cma_stall) * sweep, alpha, stall);
  if (acts) {
    const V = Math.sqrt(plane2);
    const still = 0.5 * flow[6] * plane2 * s.area;
    const L = still * CL;
    const D = still * CD;
    const along = (L * down) / V - (D * u) / V;
    const across = (-L * u) / V - (D * down) / V;
    const m = still * Cem * s.chord;
    // Back from the plane of the flow: its downward axis is d, its rightward one t.
    const dy = isRadial && cross > 0 ? v / cross : 0;
    const dz = isRadial && cross > 0 ? w / cross : 1;
    out[0] = along;
    out[1] = across * dy;
    out[2] = across * dz;
    out[4] = m * dz;
    out[5] = -m * dy;
  }
  if (y !== undefined) {
    y[at] = alpha;
    y[at + 1] = CL;
    y[at + 2] = lifting;
    y[at + 3] = control;
    y[at + 4] = CD;
    y[at + 5] = Cem;
  }
}
