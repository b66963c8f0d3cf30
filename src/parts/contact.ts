/**
 * A contact: a sphere (or a point) of the vehicle that stands on, slides along and bounces from boundaries. Spring and damper
 * along the normal, damped so that a lone impact returns with the given restitution; dry friction across, with an elastic
 * displacement (two states) that lets a parked vehicle stand still for ever.
 */
import { clearance, isEmpty, isOver, SLOT } from "../environment/boundaries.ts";
import { asin, log, tan } from "../math/elementary.ts";
import { type Field, vector } from "../model/field.ts";

// Places of the states of a rigid body.
// biome-ignore format: a table
const NORTH = 0, EAST = 1, DOWN = 2, V_NORTH = 3, V_EAST = 4, V_DOWN = 5, P_B = 10, Q_B = 11,
  R_B = 12;

export const CONTACT_PARAMETERS: readonly Field[] = [
  ...vector("position", {
    unit: "m",
    meaning: "centre of the sphere from the centre of mass",
    min: -50,
    max: 50,
  }),
  { name: "radius", unit: "m", meaning: "radius of the sphere or wheel; 0 for a point", min: 0, default: 0 },
  {
    name: "softness",
    unit: "s",
    meaning: "time constant of the springs under the whole mass; static deflection g softness^2",
    above: 0,
    max: 1,
    default: 0.007,
    lag: true,
  },
  {
    name: "restitution",
    unit: "1",
    meaning: "coefficient of restitution: speed after over speed before an impact",
    min: 0.14,
    max: 1,
    default: 0.3,
  },
  { name: "friction", unit: "1", meaning: "friction coefficient", min: 0, max: 10, default: 0.8 },
  {
    name: "rolling",
    unit: "1",
    meaning: "friction coefficient along forward (small for a wheel)",
    min: 0,
    max: 10,
    default: 0.8,
  },
];

export interface ContactParameters {
  position: { x: number; y: number; z: number };
  radius: number;
  softness: number;
  restitution: number;
  friction: number;
  rolling: number;
  /** Derived: spring constant and damping ratio. */
  stiffness: number;
  dampingRatio: number;
}

/** Elastic displacement at which friction is fully used [m]. */
export const BRISTLE = 2e-3;
/** Damping of the elastic displacement [s]. */
const BRISTLE_DAMPING = 0.01;
/** How fast the displacement is forgotten in the air [1/s]. */
export const FORGETTING = 20;

/**
 * A mass on a spring and damper that may push but not pull leaves with exp(-tan(theta) (pi - 2 theta)) of its speed, where
 * sin(theta) is the damping ratio (Schwager and Poeschel, Granular Matter 9, 2007).
 */
export function dampingRatioFor(restitution: number): number {
  const known = ratios.get(restitution);
  if (known !== undefined) return known;
  const returned = (zeta: number) => {
    const theta = asin(zeta);
    return -tan(theta) * (Math.PI - 2 * theta);
  };
  const wanted = log(restitution);
  let low = 0;
  let high = 1 - 1e-12;
  for (let i = 0; i < 60; i++) {
    const middle = 0.5 * (low + high);
    if (returned(middle) > wanted) low = middle;
    else high = middle;
  }
  // The few that vehicles have; found over and over where their other parameters are tried.
  if (ratios.size < 100) ratios.set(restitution, 0.5 * (low + high));
  return 0.5 * (low + high);
}
const ratios = new Map<number, number>();

/** Fills in what follows from the mass that rests on so many contacts. */
export function deriveContact(p: ContactParameters, mass: number, contacts: number): void {
  p.stiffness = mass / (contacts * p.softness * p.softness);
  p.dampingRatio = dampingRatioFor(p.restitution);
}

/** How deep the sphere at a world position is inside the deepest of the boundaries; negative outside. */
export function deepest(
  radius: number,
  e: Float64Array,
  first: number,
  slots: number,
  n: number,
  east: number,
  d: number,
): number {
  let depth = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < slots; k++) {
    const slot = first + SLOT * k;
    if (isEmpty(e, slot)) break;
    const here = radius - clearance(e, slot, n, east, d);
    if (here > depth && isOver(e, slot, n, east, d)) depth = here;
  }
  return depth;
}

/** The displacement after a step: friction used up slips. */
export function slip(x: Float64Array, i: number): void {
  if (x[i] === 0 && x[i + 1] === 0) return;
  const r = Math.sqrt(x[i] * x[i] + x[i + 1] * x[i + 1]) / BRISTLE;
  if (r > 1) {
    x[i] /= r;
    x[i + 1] /= r;
  } else if (r < 1e-9) {
    // Forgetting tends to zero but never gets there, and numbers near the smallest are slow.
    x[i] = 0;
    x[i + 1] = 0;
  }
}

/** Mass and inverse inertia of what the contact belongs to. */
interface Body {
  readonly m: number;
  readonly inverse: { xx: number; yy: number; zz: number; xy: number; xz: number; yz: number };
}

/** Numbers that `contactLoads` writes. */
export const CONTACT_LOADS = 8;

/**
 * Force (0-2) and moment about the centre of mass (3-5) in body axes, and the rates of the elastic displacement along and
 * across (6, 7). x is a rigid body's state with the displacement at `own`, R its rotation matrix row by row.
 */
export function contactLoads(
  p: ContactParameters,
  body: Body,
  e: Float64Array,
  first: number,
  slots: number,
  x: Float64Array,
  own: number,
  R: Float64Array,
  out: Float64Array,
): void {
  const { inverse } = body;
  const along = x[own];
  const across = x[own + 1];
  const { x: px, y: py, z: pz } = p.position;
  const cn = x[NORTH] + R[0] * px + R[1] * py + R[2] * pz;
  const ce = x[EAST] + R[3] * px + R[4] * py + R[5] * pz;
  const cd = x[DOWN] + R[6] * px + R[7] * py + R[8] * pz;
  for (let i = 0; i < 6; i++) out[i] = 0;
  out[6] = -along * FORGETTING;
  out[7] = -across * FORGETTING;
  const greatest = deepest(p.radius, e, first, slots, cn, ce, cd);
  let hasFriction = false;
  for (let k = 0; k < slots; k++) {
    const slot = first + SLOT * k;
    const nn = e[slot + 3];
    const ne = e[slot + 4];
    const nd = e[slot + 5];
    if (isEmpty(e, slot)) break;
    const depth = p.radius - clearance(e, slot, cn, ce, cd);
    if (!(depth > 0) || !isOver(e, slot, cn, ce, cd)) continue;
    const nx = R[0] * nn + R[3] * ne + R[6] * nd;
    const ny = R[1] * nn + R[4] * ne + R[7] * nd;
    const nz = R[2] * nn + R[5] * ne + R[8] * nd;
    const rx = px - p.radius * nx;
    const ry = py - p.radius * ny;
    const rz = pz - p.radius * nz;
    const vx = R[0] * x[V_NORTH] + R[3] * x[V_EAST] + R[6] * x[V_DOWN] + x[Q_B] * rz - x[R_B] * ry;
    const vy = R[1] * x[V_NORTH] + R[4] * x[V_EAST] + R[7] * x[V_DOWN] + x[R_B] * rx - x[P_B] * rz;
    const vz = R[2] * x[V_NORTH] + R[5] * x[V_EAST] + R[8] * x[V_DOWN] + x[P_B] * ry - x[Q_B] * rx;

    // The effective mass at this point sets the damper: 1/m + (r x n) I^-1 (r x n).
    const ax = ry * nz - rz * ny;
    const ay = rz * nx - rx * nz;
    const az = rx * ny - ry * nx;
    const turning =
      inverse.xx * ax * ax +
      inverse.yy * ay * ay +
      inverse.zz * az * az +
      2 * (inverse.xy * ax * ay + inverse.xz * ax * az + inverse.yz * ay * az);
    const felt = 1 / (1 / body.m + turning);
    const closing = -(vx * nx + vy * ny + vz * nz);
    const push = p.stiffness * depth + 2 * p.dampingRatio * Math.sqrt(p.stiffness * felt) * closing;
    const N = push > 0 ? push : 0;
    let fx = N * nx;
    let fy = N * ny;
    let fz = N * nz;

    // Friction acts on the deepest boundary: an elastic displacement along forward (projected on the plane) and across, that
    // slips where it is fully used. A vehicle standing on its nose has its belly for forward.
    if (depth === greatest && !hasFriction) {
      hasFriction = true;
      const onNose = nx * nx > 0.98;
      const bx = onNose ? -nz * nx : 1 - nx * nx;
      const by = onNose ? -nz * ny : -nx * ny;
      const bz = onNose ? 1 - nz * nz : -nx * nz;
      const length = Math.sqrt(bx * bx + by * by + bz * bz);
      const lx = bx / length;
      const ly = by / length;
      const lz = bz / length;
      const tx = ny * lz - nz * ly;
      const ty = nz * lx - nx * lz;
      const tz = nx * ly - ny * lx;
      const slideAlong = vx * lx + vy * ly + vz * lz;
      const slideAcross = vx * tx + vy * ty + vz * tz;
      const a = (along + BRISTLE_DAMPING * slideAlong) / BRISTLE;
      const b = (across + BRISTLE_DAMPING * slideAcross) / BRISTLE;
      const used = Math.sqrt(a * a + b * b);
      const kept = used > 1 ? N / used : N;
      const Fl = -p.rolling * kept * a;
      const Ft = -p.friction * kept * b;
      fx += Fl * lx + Ft * tx;
      fy += Fl * ly + Ft * ty;
      fz += Fl * lz + Ft * tz;
      out[6] = slideAlong;
      out[7] = slideAcross;
    }
    out[0] += fx;
    out[1] += fy;
    out[2] += fz;
    out[3] += ry * fz - rz * fy;
    out[4] += rz * fx - rx * fz;
    out[5] += rx * fy - ry * fx;
  }
}
