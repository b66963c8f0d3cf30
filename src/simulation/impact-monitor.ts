/** Sees an aircraft hit the ground or a wall, and lie on its side or back: events with the speed and the angle. It changes nothing. */

import type { Boundary } from "../environment/boundaries.ts";
import { clearance, isOver, slotOf } from "../environment/boundaries.ts";
import { acos } from "../math/elementary.ts";
import { toBody, toWorld } from "../math/quaternion.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import type { Watcher } from "./watcher.ts";

/** Slower than this a contact touches down, faster it hits [m/s]. */
const HARD = 1;
/** So long must all contacts have been free before the next touch counts [s]. */
const APART = 0.5;
/** Lying: tilted by more than 60 degrees, next to a boundary [m], hardly moving [m/s, rad/s], for a while [s]. */
const LYING_COSINE = 0.5;
const NEXT_TO = 0.05;
const STILL = 0.5;
const WHILE = 1;

/** Places of the memory. */
const TIME = 0; // of the last sample; NaN before the first
const CLEARANCE = 1; // least of the contacts then
const CLOSING = 2; // the speed with which that one closed in
const FREE_SINCE = 3; // NaN while in touch
const LYING_SINCE = 4; // NaN while upright
const HAS_TIPPED = 5;

interface Point {
  readonly at: Float64Array;
  readonly radius: number;
}

export function impactMonitor(p: AircraftParameters, boundaries: readonly Boundary[]): Watcher {
  const slots = boundaries.map(slotOf).filter((s) => s.slice(3, 6).some((v) => v !== 0));
  const point = ({ x, y, z }: { x: number; y: number; z: number }, radius: number): Point => ({
    at: Float64Array.of(x, y, z),
    radius,
  });
  const contacts = Object.values(p.contacts ?? {}).map((c) => point(c.position, c.radius));
  // What lies on its back touches with its hubs, which push nothing: they only tell how near it is.
  const body = [
    point({ x: 0, y: 0, z: 0 }, 0),
    ...Object.values(p.rotors ?? {}).map((r) => point(r.position, 0)),
  ];
  const memory = new Float64Array(6);
  const reset = () => memory.set([Number.NaN, 0, 0, 0, Number.NaN, 0]);
  reset();
  const arm = new Float64Array(3);
  const rate = new Float64Array(3);
  const turning = new Float64Array(3);

  /** Clearance and closing speed of the point nearest to any boundary. */
  function nearest(points: readonly Point[], x: Float64Array): { clear: number; closing: number } {
    let clear = Number.POSITIVE_INFINITY;
    let closing = 0;
    for (const { at, radius } of points) {
      toWorld(x, 6, at, 0, arm, 0);
      // Velocity of the point: v + w x r, in world axes.
      rate[0] = x[11] * at[2] - x[12] * at[1];
      rate[1] = x[12] * at[0] - x[10] * at[2];
      rate[2] = x[10] * at[1] - x[11] * at[0];
      toWorld(x, 6, rate, 0, turning, 0);
      const [n, e, d] = [x[0] + arm[0], x[1] + arm[1], x[2] + arm[2]];
      for (const slot of slots) {
        const here = clearance(slot, 0, n, e, d) - radius;
        if (here >= clear || !isOver(slot, 0, n, e, d)) continue;
        clear = here;
        closing = -(
          (x[3] + turning[0]) * slot[3] +
          (x[4] + turning[1]) * slot[4] +
          (x[5] + turning[2]) * slot[5]
        );
      }
    }
    return { clear, closing };
  }

  return {
    fields: [],
    events: ["impact", "touchdown", "tip_over"],
    memory: [memory],
    reset,
    watch(t, x, _out, report) {
      const { clear, closing } = nearest(contacts, x);
      const isFirst = Number.isNaN(memory[TIME]);
      if (clear <= 0) {
        const wasFree = !isFirst && memory[CLEARANCE] > 0 && t - memory[FREE_SINCE] >= APART;
        if (wasFree) {
          const part = memory[CLEARANCE] / (memory[CLEARANCE] - clear);
          const at = memory[TIME] + part * (t - memory[TIME]);
          report(memory[CLOSING] > HARD ? "impact" : "touchdown", at, Math.max(0, memory[CLOSING]));
        }
        memory[FREE_SINCE] = Number.NaN;
      } else if (Number.isNaN(memory[FREE_SINCE])) memory[FREE_SINCE] = t;
      memory.set([t, clear, closing]);
      lookForTilt(t, x, Math.min(clear, nearest(body, x).clear), report);
      return false;
    },
  };

  function lookForTilt(
    t: number,
    x: Float64Array,
    clear: number,
    report: (name: string, t: number, value: number) => void,
  ): void {
    arm.set([0, 0, 1]);
    toBody(x, 6, arm, 0, turning, 0);
    const cosine = Math.max(-1, Math.min(1, turning[2]));
    const speed = Math.sqrt(x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
    const spin = Math.sqrt(x[10] * x[10] + x[11] * x[11] + x[12] * x[12]);
    if (cosine > LYING_COSINE) memory[HAS_TIPPED] = 0;
    const isLying = cosine < LYING_COSINE && clear < NEXT_TO && speed < STILL && spin < STILL;
    if (!isLying) memory[LYING_SINCE] = Number.NaN;
    else if (Number.isNaN(memory[LYING_SINCE])) memory[LYING_SINCE] = t;
    if (memory[HAS_TIPPED] === 1 || !(t - memory[LYING_SINCE] >= WHILE)) return;
    memory[HAS_TIPPED] = 1;
    report("tip_over", memory[LYING_SINCE], acos(cosine));
  }
}
