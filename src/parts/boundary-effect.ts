/**
 * What a plane nearby does to a rotor's thrust, at the hub, in world axes. The laws and their taper: docs/conventions.md.
 * Cheeseman and Bennett, R&M 3021 (1955): T/T_free = 1/(1 - (R/4z)^2) at constant power.
 */
import { clearance, isEmpty, isOver, SLOT } from "../environment/boundaries.ts";
import { boundaryRatio } from "../environment/boundary-disturbance.ts";
import type { Field } from "../model/field.ts";

export const EFFECTS = { normal: 0, full: 1, wind: 2, "cheeseman-bennett": 3, off: 4 } as const;

export const EFFECT_PARAMETERS: readonly Field[] = [
  {
    name: "boundary.law",
    unit: "1",
    meaning: "how ground, ceiling and walls act on the thrust",
    choices: EFFECTS,
    default: 0,
  },
  {
    name: "boundary.exponent",
    unit: "1",
    meaning: "how fast the effect fades with distance",
    above: 0,
    default: 1.5,
  },
];

/** Lowest height over radius at which Cheeseman and Bennett is used; the formula has a pole at 1/4. */
const LOWEST = 0.5;

/** One up to four radii, zero from five, smooth between. */
export function taper(distance: number, radius: number): number {
  const z = 5 - distance / radius;
  return z <= 0 ? 0 : z >= 1 ? 1 : z * z * (3 - 2 * z);
}

/** The part of the thrust that comes back from the ground below, by Cheeseman and Bennett. */
export function cheesemanBennett(height: number, radius: number): number {
  const z = height > LOWEST * radius ? height : LOWEST * radius;
  const s = radius / (4 * z);
  return (s * s) / (1 - s * s);
}

/** The force (out[0..2]) on a rotor with this hub and thrust vector, all in world axes. */
export function boundaryForce(
  { law, exponent }: { law: number; exponent: number },
  { radius }: { radius: number },
  e: Float64Array,
  first: number,
  slots: number,
  hub: Float64Array,
  thrust: Float64Array,
  out: Float64Array,
): void {
  const hn = hub[0];
  const he = hub[1];
  const hd = hub[2];
  const tn = thrust[0];
  const te = thrust[1];
  const td = thrust[2];
  out[0] = 0;
  out[1] = 0;
  out[2] = 0;
  const isGroundLaw = law === EFFECTS["cheeseman-bennett"];
  let nearest = -1;
  let distance = Number.POSITIVE_INFINITY;
  for (let k = 0; k < slots; k++) {
    const slot = first + SLOT * k;
    if (isEmpty(e, slot)) break;
    // Cheeseman and Bennett know only ground: level enough, and met by the downwash.
    if (isGroundLaw && !(e[slot + 5] < -0.5 && tn * e[slot + 3] + te * e[slot + 4] + td * e[slot + 5] > 0))
      continue;
    const d = Math.abs(clearance(e, slot, hn, he, hd));
    if (d < distance && isOver(e, slot, hn, he, hd)) {
      distance = d;
      nearest = slot;
    }
  }
  if (nearest < 0) return;
  const nn = e[nearest + 3];
  const ne = e[nearest + 4];
  const nd = e[nearest + 5];
  const along = tn * nn + te * ne + td * nd;
  if (isGroundLaw) {
    const part = cheesemanBennett(distance, radius) * along;
    out[0] = part * nn;
    out[1] = part * ne;
    out[2] = part * nd;
  } else if (distance < 5 * radius) {
    const ratio = taper(distance, radius) * boundaryRatio(distance, radius, exponent);
    // The reflected downwash -t + 2 (t.n) n, or only what of it stands on the plane: (t.n) n.
    const whole = law === EFFECTS.normal ? 0 : ratio;
    const onPlane = (law === EFFECTS.normal ? 1 : 2) * ratio * along;
    out[0] = onPlane * nn - whole * tn;
    out[1] = onPlane * ne - whole * te;
    out[2] = onPlane * nd - whole * td;
  }
}
