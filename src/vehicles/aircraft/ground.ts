/** An aircraft and the boundaries around it: which are in reach, invalid starts, and the end of a flight without contacts. */
import { clearance, isEmpty, SLOT, SLOTS } from "../../environment/boundaries.ts";
import { AIR } from "../../environment/fields.ts";
import { toWorld } from "../../math/quaternion.ts";
import type { ModelEvent } from "../../model/model.ts";
import { deepest } from "../../parts/contact.ts";
import type { AircraftParameters } from "./parameters.ts";

// Places of the states of a rigid body.
// biome-ignore format: a table
const NORTH = 0, EAST = 1, DOWN = 2, V_NORTH = 3, V_EAST = 4, V_DOWN = 5, Q_W = 6;

/** First boundary slot in e. */
const FIRST_SLOT: number = AIR.length;
/** Deeper than this inside the ground a run does not begin [m]. */
const DEEPEST_START = 0.01;

/** Whether any boundary but the first is in reach. */
export function isAnyNear(p: AircraftParameters, x: Float64Array, e: Float64Array): boolean {
  for (let k = 1; k < SLOTS; k++) {
    const slot = FIRST_SLOT + SLOT * k;
    if (isEmpty(e, slot)) return false;
    if (clearance(e, slot, x[NORTH], x[EAST], x[DOWN]) <= p.reach) return true;
  }
  return false;
}

/** Least clearance of the centre of mass. */
function clearanceOf(x: Float64Array, e: Float64Array): number {
  return -deepest(0, e, FIRST_SLOT, SLOTS, x[NORTH], x[EAST], x[DOWN]);
}

/** Without contacts to stand on, the first boundary ends the flight. */
export const IMPACT: ModelEvent<AircraftParameters> = {
  name: "impact",
  terminal: true,
  guard: (x, _u, _p, e) => Math.max(-1e9, -clearanceOf(x, e)),
  // The speed along the normal of the nearest boundary.
  value(x, _p, e) {
    let [least, speed] = [Number.POSITIVE_INFINITY, 0];
    for (let k = 0; k < SLOTS && !isEmpty(e, FIRST_SLOT + SLOT * k); k++) {
      const slot = FIRST_SLOT + SLOT * k;
      const here = Math.abs(clearance(e, slot, x[NORTH], x[EAST], x[DOWN]));
      if (here >= least) continue;
      least = here;
      speed = Math.abs(x[V_NORTH] * e[slot + 3] + x[V_EAST] * e[slot + 4] + x[V_DOWN] * e[slot + 5]);
    }
    return speed;
  },
};

export function validateStart(x: Float64Array, p: AircraftParameters, e: Float64Array): string | undefined {
  let inside = -clearanceOf(x, e);
  let point = "its centre of mass";
  for (const [k, { position, radius }] of Object.entries(p.contacts ?? {})) {
    const c = worldPoint(x, position);
    const depth = deepest(radius, e, FIRST_SLOT, SLOTS, c[0], c[1], c[2]);
    if (depth > inside) {
      inside = depth;
      point = `its contact ${k}`;
    }
  }
  return inside > DEEPEST_START
    ? `${point} would start ${inside.toPrecision(3)} m inside a ground, ceiling or wall; move the start away by at least that much`
    : undefined;
}

function worldPoint(x: Float64Array, { x: a, y: b, z: c }: { x: number; y: number; z: number }) {
  const out = new Float64Array(3);
  toWorld(x, Q_W, new Float64Array([a, b, c]), 0, out, 0);
  return [x[NORTH] + out[0], x[EAST] + out[1], x[DOWN] + out[2]];
}
