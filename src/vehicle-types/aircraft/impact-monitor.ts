/** Detects impacts with the ground or a wall, and tip-over: events with the speed and the angle. It does not change the motion. */

import type { Boundary } from "../../environment/boundaries.ts";
import { clearance, isOver, slotOf } from "../../environment/boundaries.ts";
import { acos } from "../../math/elementary.ts";
import { toBody, toWorld } from "../../math/quaternion.ts";
import type { Monitor, ReportEvent } from "../../model/monitor.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import { DOWN, EAST, NORTH, P_B, Q_B, Q_W, R_B, V_DOWN, V_EAST, V_NORTH } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

/** Slower than this a contact touches down, faster it hits [m/s]. */
const HARD = 1;
/** So long must all contacts have been free before the next touch counts [s]. */
const APART = 0.5;
/** What begins a little above the ground settles within this time [s]. */
const SETTLING = 0.1;
/** Lying: tilted by more than 60 degrees, next to a boundary [m], hardly moving [m/s, rad/s], for a while [s]. */
const LYING_COSINE = 0.5;
const NEXT_TO = 0.05;
const STILL = 0.5;
const WHILE = 1;

/** Places of the memory: of the whole, and of each boundary behind it. */
const TIME = 0; // of the last sample; NaN before the first
const LYING_SINCE = 1; // NaN while upright
const HAS_TIPPED = 2;
const HEAD = 3;
const CLEARANCE = 0; // least of the contacts at the last sample
const CLOSING = 1; // the speed with which that one closed in
const FREE_SINCE = 2; // NaN while in touch
const EACH = 3;

interface Point {
  readonly at: Float64Array;
  readonly radius: number;
}

/** Undefined where the aircraft has no contacts. */
export function impactMonitor(
  { parameters: p }: Vehicle<AircraftParameters>,
  boundaries: readonly Boundary[],
): Monitor | undefined {
  if (Object.keys(p.contacts ?? {}).length === 0) return undefined;
  const slots = boundaries.map(slotOf).filter((s) => s.slice(3, 6).some((v) => v !== 0));
  const point = ({ x, y, z }: { x: number; y: number; z: number }, radius: number): Point => ({
    at: Float64Array.of(x, y, z),
    radius,
  });
  const contacts = Object.values(p.contacts ?? {}).map((c) => point(c.position, c.radius));
  // An aircraft on its back touches with its hubs, which exert no force: they only give the clearance.
  const body = [
    point({ x: 0, y: 0, z: 0 }, 0),
    ...Object.values(p.rotors ?? {}).map((r) => point(r.position, 0)),
  ];
  const memory = new Float64Array(HEAD + EACH * slots.length);
  const reset = () => {
    memory.fill(0);
    memory[TIME] = Number.NaN;
    memory[LYING_SINCE] = Number.NaN;
  };
  reset();
  const arm = new Float64Array(3);
  const rate = new Float64Array(3);
  const turning = new Float64Array(3);

  /** Clearance and closing speed of the point nearest to a boundary; a rectangle is solid on both sides. */
  function nearest(points: readonly Point[], x: Float64Array, slot: Float64Array) {
    const isThin = slot[9] !== Number.POSITIVE_INFINITY;
    const side = isThin && clearance(slot, 0, x[NORTH], x[EAST], x[DOWN]) < 0 ? -1 : 1;
    let clear = Number.POSITIVE_INFINITY;
    let closing = 0;
    for (const { at, radius } of points) {
      toWorld(x, Q_W, at, 0, arm, 0);
      // Velocity of the point: v + w x r, in world axes.
      rate[0] = x[Q_B] * at[2] - x[R_B] * at[1];
      rate[1] = x[R_B] * at[0] - x[P_B] * at[2];
      rate[2] = x[P_B] * at[1] - x[Q_B] * at[0];
      toWorld(x, Q_W, rate, 0, turning, 0);
      const [n, e, d] = [x[NORTH] + arm[0], x[EAST] + arm[1], x[DOWN] + arm[2]];
      const here = side * clearance(slot, 0, n, e, d) - radius;
      if (here >= clear || !isOver(slot, 0, n, e, d)) continue;
      clear = here;
      const along =
        (x[V_NORTH] + turning[0]) * slot[3] +
        (x[V_EAST] + turning[1]) * slot[4] +
        (x[V_DOWN] + turning[2]) * slot[5];
      closing = -side * along;
    }
    return { clear, closing };
  }

  return {
    fields: [],
    events: ["impact", "touchdown", "tip_over"],
    memory: [memory],
    reset,
    observe(t, x, _out, report) {
      let least = Number.POSITIVE_INFINITY;
      slots.forEach((slot, k) => {
        const { clear, closing } = nearest(contacts, x, slot);
        touch(HEAD + EACH * k, t, clear, closing, report);
        least = Math.min(least, clear, nearest(body, x, slot).clear);
      });
      memory[TIME] = t;
      lookForTilt(t, x, least, report);
      return false;
    },
  };

  /** One boundary, which stands in the memory from `at` on. */
  function touch(at: number, t: number, clear: number, closing: number, report: ReportEvent): void {
    const isFirst = Number.isNaN(memory[TIME]);
    const before = memory[at + CLEARANCE];
    if (clear <= 0) {
      const wasFree = !isFirst && before > 0 && t - memory[at + FREE_SINCE] >= APART;
      if (wasFree) {
        // Where it came over the edge of a boundary the closing speed is unknown.
        const isKnown = Number.isFinite(before);
        const part = isKnown ? before / (before - clear) : 1;
        const speed = Math.max(0, isKnown ? memory[at + CLOSING] : closing);
        report(speed > HARD ? "impact" : "touchdown", memory[TIME] + part * (t - memory[TIME]), speed);
      }
      memory[at + FREE_SINCE] = Number.NaN;
    } else if (isFirst) memory[at + FREE_SINCE] = t - (APART - SETTLING);
    else if (Number.isNaN(memory[at + FREE_SINCE])) memory[at + FREE_SINCE] = t;
    memory[at + CLEARANCE] = clear;
    memory[at + CLOSING] = closing;
  }

  function lookForTilt(t: number, x: Float64Array, clear: number, report: ReportEvent): void {
    arm.set([0, 0, 1]);
    toBody(x, Q_W, arm, 0, turning, 0);
    const cosine = Math.max(-1, Math.min(1, turning[2]));
    const speed = Math.sqrt(x[V_NORTH] * x[V_NORTH] + x[V_EAST] * x[V_EAST] + x[V_DOWN] * x[V_DOWN]);
    const spin = Math.sqrt(x[P_B] * x[P_B] + x[Q_B] * x[Q_B] + x[R_B] * x[R_B]);
    if (cosine > LYING_COSINE) memory[HAS_TIPPED] = 0;
    const isLying = cosine < LYING_COSINE && clear < NEXT_TO && speed < STILL && spin < STILL;
    if (!isLying) memory[LYING_SINCE] = Number.NaN;
    else if (Number.isNaN(memory[LYING_SINCE])) memory[LYING_SINCE] = t;
    if (memory[HAS_TIPPED] === 1 || !(t - memory[LYING_SINCE] >= WHILE)) return;
    memory[HAS_TIPPED] = 1;
    report("tip_over", memory[LYING_SINCE], acos(cosine));
  }
}
