/**
 * Where the search for a steady motion begins. What has propulsion begins where its forces balance roughly, moments left alone: rotors
 * that together carry the weight in hover, pitch and thrust of level flight on wings.
 */

import { atan2 } from "../math/elementary.ts";
import type { Control } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { usualSpeed } from "../vehicles/vehicle.ts";
import { isRigidBody, type Unknown } from "./motion.ts";
import type { Condition } from "./trim.ts";

/** The part of a trim problem that the search for a starting point needs. */
export interface Unstarted {
  readonly vehicle: Vehicle;
  readonly condition: Condition;
  /** Of the motion, of free controls. */
  readonly unknowns: readonly Unknown[];
  readonly free: readonly Control[];
  readonly z: Float64Array;
  readonly rows: number;
  evaluate(unknowns: Float64Array, r: Float64Array): void;
  /** Angle of attack left to the stall where it was evaluated last [rad]. */
  stallMargin(): number;
}

/** Pitch that is tried on wings, from the path on [rad], and parts of the largest thrust. */
const PITCHES = [0, 0.06, 0.12, 0.18, -0.06, 0.24, 0.3, -0.12, -0.2, -0.4, -0.7];
const THRUSTS = [0.02, 0.06, 0.12, 0.2, 0.32, 0.5, 0.75, 1];
/** Among balances much alike the one of the smaller angle of attack is flown, and none beyond the stall [m^2/s^4]. */
const STEEP = 100;
const STALLED = 1e6;
/** A turn begins banked by no more than this [rad]. */
const MOST_BANK = 1;
const HALVINGS = 20;
/** Rates that vanish in straight flight, by their places among the residuals. */
const FORWARD = 0;
const DOWN = 2;

export function startOf(problem: Unstarted): Float64Array {
  const { free, condition, unknowns, z } = problem;
  const start = plainStart(problem);
  const thrusting = free.flatMap((c, i) => (c.isPropulsion && c.isSquare ? [z.length + i] : []));
  if (!isRigidBody(problem.vehicle.model) || thrusting.length === 0) return start;
  const setThrust = (part: number) => {
    for (const i of thrusting) start[i] = part * unknowns[i].upper;
  };
  return condition.speed === 0
    ? hoverStart(problem, start, setThrust)
    : flightStart(problem, start, setThrust);
}

/** Straight ahead or in a turn of that bank, rotors at half their fastest speed, surfaces at rest. */
function plainStart({ vehicle, condition, unknowns, free, z }: Unstarted): Float64Array {
  const { turn = 0, lateral = 0, climb, branch } = condition;
  const follows = turn !== 0 && lateral !== 0 ? lateral / turn : undefined;
  const { speed = follows ?? (usualSpeed(vehicle) || 5) } = condition;
  const { g = 9.81 } = vehicle.parameters as { g?: number };
  const isFlight = isRigidBody(vehicle.model);
  const level = climb === undefined ? speed : Math.sqrt(Math.max(0, speed * speed - climb * climb));
  const values: Readonly<Record<string, number>> = {
    v_forward: branch === "tail-first" ? -level : level,
    v_x: speed,
    v_down: isFlight ? 0.1 * speed : 0,
    roll: Math.max(-MOST_BANK, Math.min(MOST_BANK, (turn * speed) / g)),
    pitch: 0,
    turn: turn === 0 && lateral !== 0 ? lateral / Math.max(1, speed) : turn,
  };
  return Float64Array.from(unknowns, ({ name, lower, upper }, i) => {
    const control = free[i - z.length];
    if (control?.isSquare) return 0.25 * upper;
    if (control) return control.neutral;
    return Math.max(lower, Math.min(upper, values[name] ?? 0));
  });
}

/** Level, with the same part of every rotor's thrust, so that nothing falls or rises. */
function hoverStart(
  problem: Unstarted,
  start: Float64Array,
  setThrust: (part: number) => void,
): Float64Array {
  const r = new Float64Array(problem.rows);
  let [low, high] = [0, 1];
  for (let round = 0; round < HALVINGS; round++) {
    const part = (low + high) / 2;
    setThrust(part);
    problem.evaluate(start, r);
    if (r[DOWN] > 0) low = part;
    else high = part;
  }
  return start;
}

/** The pitch and the thrust, of a few, that come nearest to a balance along the path and across it, short of the stall if that goes. */
function flightStart(
  problem: Unstarted,
  start: Float64Array,
  setThrust: (part: number) => void,
): Float64Array {
  const { unknowns } = problem;
  const r = new Float64Array(problem.rows);
  const pitch = unknowns.findIndex((a) => a.name === "pitch");
  const path = atan2(-start[DOWN], Math.abs(start[FORWARD]));
  let best = start;
  let least = Number.POSITIVE_INFINITY;
  for (const above of PITCHES)
    for (const part of THRUSTS) {
      start[pitch] = path + above;
      setThrust(part);
      problem.evaluate(start, r);
      const balance = r[FORWARD] * r[FORWARD] + r[DOWN] * r[DOWN];
      const size = balance + STEEP * above * above + (problem.stallMargin() < 0 ? STALLED : 0);
      if (!(size < least)) continue;
      least = size;
      best = start.slice();
    }
  return best;
}
