/** Handling of a car: cornering on a circle, limits at a speed (g-g), driving off and stopping. */

import { type Start, type Trimmed, trim } from "../../analysis/trim.ts";
import { acceleration } from "../../environment/track/events.ts";
import { atan2, tan } from "../../math/elementary.ts";
import { plainSource } from "../../model/document.ts";
import { indexOf } from "../../model/model.ts";
import { loadedMagicFormula, magicFormula } from "../../parts/tyre.ts";
import { createSimulation } from "../../simulation/create.ts";
import { RunError } from "../../simulation/divergence.ts";
import { lapTimes } from "../../simulation/lap-timer.ts";
import { readScenario } from "../../simulation/scenario.ts";
import { type CarParameters, downforce } from "../../vehicles/car/parameters.ts";
import { DELTA, OMEGA, TAU_FL, U_DELTA, V_X, V_Y, X } from "../../vehicles/car/places.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";

/** A steady state of cornering: nothing changes but place, heading and, with drive forces, speed. */
export interface Cornering {
  readonly v_x: number;
  readonly v_y: number;
  readonly omega: number;
  readonly delta: number;
  readonly a_x: number;
  readonly a_y: number;
  /** Steering beyond that of rolling wheels [rad]. */
  readonly understeer: number;
  /** Torque of each wheel [N m]. */
  readonly tau: number;
}

type Car = Vehicle<CarParameters>;

/** Balanced states of a car at given slip angles. */
class SteadyState {
  private readonly vehicle: Car;
  private readonly x: Float64Array;
  private readonly u: Float64Array;
  private readonly dx: Float64Array;
  private readonly y: Float64Array;
  private readonly names: readonly number[];

  constructor(vehicle: Car) {
    this.vehicle = vehicle;
    const { states, inputs, outputs } = vehicle.model;
    this.x = new Float64Array(states.length);
    this.u = new Float64Array(inputs.length);
    this.dx = new Float64Array(states.length);
    this.y = new Float64Array(outputs.length);
    this.x[indexOf(states, "mode")] = 1;
    this.names = ["a_x", "a_y", "understeer"].map((name) => indexOf(outputs, name));
  }

  /** Rates at v_y, steering angle and wheel torque: v_y', the moment over the mass, v_x'. All vanish where the torque holds the speed. */
  private rates(unknowns: Float64Array, v: number, a_y: number): number[] {
    const { x, u, dx, vehicle } = this;
    [x[V_X], x[V_Y], x[OMEGA], x[DELTA]] = [v, unknowns[0], a_y / v, unknowns[1]];
    x.fill(unknowns[2], 7, 11);
    u[U_DELTA] = x[DELTA];
    u.fill(x[TAU_FL], 1);
    vehicle.model.derivative(x, u, vehicle.parameters, x, dx, this.y);
    const { I_z, m } = vehicle.parameters;
    return [dx[V_Y], (dx[OMEGA] * I_z) / m, dx[V_X]];
  }

  /** Cornering with this rear slip angle and the front slip angle, up to `most`, that turns it no further. */
  balanced(v: number, rear: number, most: number, torque: number): Cornering | undefined {
    let [low, high] = [-most, most];
    if (!(this.turning(v, low, rear, torque) < 0 && this.turning(v, high, rear, torque) > 0))
      return undefined;
    while (high - low > 1e-9) {
      const middle = (low + high) / 2;
      if (this.turning(v, middle, rear, torque) < 0) low = middle;
      else high = middle;
    }
    return this.canBe(v) ? this.found(v) : undefined;
  }

  /** Yaw acceleration with these slip angles of the axles, the yaw rate following from the lateral acceleration. */
  private turning(v: number, front: number, rear: number, torque: number): number {
    const { l_F, l_R } = this.vehicle.parameters;
    const unknowns = Float64Array.of(0, 0, torque);
    let a_y = 0;
    for (let round = 0; round < 60; round++) {
      const omega = a_y / v;
      unknowns[0] = l_R * omega - v * tan(rear);
      unknowns[1] = front + atan2(unknowns[0] + l_F * omega, v);
      this.rates(unknowns, v, a_y);
      const next = this.dx[V_Y] + v * omega;
      if (Math.abs(next - a_y) < 1e-10) break;
      a_y = next;
    }
    return this.dx[OMEGA];
  }

  /** Within the stops of steering and motors, and on four wheels. */
  private canBe(v: number): boolean {
    const p = this.vehicle.parameters;
    const { x, y, names } = this;
    return (
      Math.abs(x[DELTA]) <= p.steering_max && Math.abs(x[TAU_FL]) <= p.torque_max && !tips(p, v, y[names[1]])
    );
  }

  private found(v: number): Cornering {
    const [a_x, a_y, understeer] = this.names.map((i) => this.y[i]);
    const { x } = this;
    return { v_x: v, v_y: x[V_Y], omega: x[OMEGA], delta: x[DELTA], a_x, a_y, understeer, tau: x[TAU_FL] };
  }
}

/** More roll moment than weight and downforce can balance. */
function tips(p: CarParameters, v_x: number, a_y: number): boolean {
  return Math.abs(a_y) * p.m * 2 * p.z_CG >= (p.m * p.g + downforce(p, v_x)) * p.W;
}

function cornering({ motion, outputs, x }: Trimmed): Cornering {
  const { v_x, v_y, turn } = motion;
  const { a_x, a_y, understeer } = outputs;
  return { v_x, v_y, omega: turn, delta: x[DELTA], a_x, a_y, understeer, tau: x[TAU_FL] };
}

/** The largest lateral acceleration of a family of steady states, and the states on the way, `step` apart at first. */
function climb(find: (a_y: number) => Cornering | undefined, step: number): Cornering[] {
  const found: Cornering[] = [];
  let a_y = 0;
  for (let by = step; by > 1e-4; ) {
    const next = find(a_y + by);
    if (next === undefined) {
      by /= 2;
      continue;
    }
    a_y += by;
    found.push(next);
    if (found.length > 10_000) throw new RunError("its lateral acceleration has no limit");
  }
  return found;
}

export interface SteadyCircle {
  readonly radius: number;
  readonly rows: readonly Cornering[];
  /** Change of steering with lateral acceleration while both are small [rad s^2/m]; positive understeers. */
  readonly understeer_gradient: number;
  readonly limit: Cornering;
  /** Of one lap of the centre line at the limit [s]. */
  readonly lap_time: number;
}

/** Steady circles of one radius, faster and faster, the torque holding the speed. */
export function steadyCircle(vehicle: Car, radius: number): SteadyCircle {
  const p = vehicle.parameters;
  const step = 0.015 * p.g * p.Da;
  let start: Start | undefined;
  const rows = climb((a_y) => {
    const found = trim(
      vehicle,
      { speed: Math.sqrt(a_y * radius), lateral: a_y },
      {},
      start,
      start ? "near" : "far",
    );
    if (!found.isTrimmed || tips(p, found.motion.v_x, a_y)) return undefined;
    start = found.unknowns;
    return cornering(found);
  }, step);
  if (rows.length < 4)
    throw new RunError(
      `${vehicle.name} has no steady circle of ${radius} m within steering_max = ${p.steering_max} rad and torque_max = ` +
        `${p.torque_max} N m`,
    );
  const limit = rows[rows.length - 1];
  const small = rows.filter((r, i) => i < 2 || r.a_y < 0.2 * limit.a_y);
  const [first, last] = [small[0], small[small.length - 1]];
  return {
    radius,
    rows,
    understeer_gradient: (last.understeer - first.understeer) / (last.a_y - first.a_y),
    limit,
    lap_time: (2 * Math.PI) / limit.omega,
  };
}

export interface Envelope {
  readonly v_x: number;
  /** Limits of cornering to the left, from straight braking to straight driving. */
  readonly points: readonly { readonly a_x: number; readonly a_y: number }[];
}

/** Slip angle at which a wheel with its share of the weight pushes hardest. */
function slipOfPeak(p: CarParameters): number {
  const mu = (slip: number) =>
    p.load_sensitivity === 1
      ? loadedMagicFormula(p, p.Ca, (p.m * p.g) / 4, slip)
      : magicFormula(p.Ba, p.Ca, p.Da, p.Ea, slip);
  let best = 0.01;
  for (let slip = 0.01; slip < 0.6; slip += 0.001) if (mu(slip) > mu(best)) best = slip;
  return best;
}

const SLIPS = 60;

/**
 * The g-g diagram at a speed: the largest steady lateral acceleration for every torque, the same on all wheels. For every rear
 * slip angle the front one is sought that leaves no yawing moment.
 */
export function envelope(vehicle: Car, v: number, count = 33): Envelope {
  const p = vehicle.parameters;
  const steady = new SteadyState(vehicle);
  const peak = slipOfPeak(p);
  /** Steady states from straight on to the limit. */
  const branch = (tau: number): Cornering[] => {
    const at = (slip: number) => steady.balanced(v, slip, peak, tau);
    const step = peak / SLIPS;
    const scan = Array.from({ length: Math.round(1.2 * SLIPS) }, (_, i) => at(i * step));
    const most = scan.reduce((best, c, i) => (c && c.a_y > (scan[best]?.a_y ?? -1) ? i : best), 0);
    const found = scan.slice(0, most + 1).filter((c) => c !== undefined);
    // Where the balance ends between two slip angles, up to its end.
    let [slip, by] = [most * step, scan[most + 1] === undefined ? step / 2 : 0];
    for (; by > 1e-6; by /= 2) {
      const next = at(slip + by);
      if (next === undefined) continue;
      slip += by;
      found.push(next);
    }
    return found;
  };
  const points: Cornering[] = [];
  for (let i = 0; i < count; i++) {
    const states = branch(p.torque_max * ((2 * i) / (count - 1) - 1));
    if (states.length === 0) continue;
    // Full brakes and full drive bound the diagram below and above, the others by their limits.
    if (i === 0) points.push(...states);
    else if (i === count - 1) points.push(...states.reverse());
    else points.push(states[states.length - 1]);
  }
  if (points.length < 3) throw new RunError(`${vehicle.name} has no steady cornering at ${v} m/s`);
  return { v_x: v, points: points.map(({ a_x, a_y }) => ({ a_x, a_y })) };
}

export interface StraightLine {
  /** 75 m by the rules of Formula Student [s]. */
  readonly acceleration_time: number;
  /** At its end [m/s]. */
  readonly acceleration_speed: number;
  /** From standstill to 100 km/h [s]. */
  readonly to_100: number;
  /** From 20 m/s to standstill with all the brakes have: time [s] and way [m]. */
  readonly braking_time: number;
  readonly braking_distance: number;
}

const FAST = 100 / 3.6;
const BRAKE_FROM = 20;
const INTERVAL = 0.01;

/** Driving off and stopping with all that motors and brakes have. */
export function straightLine(vehicle: Car): StraightLine {
  const { torque_max } = vehicle.parameters;
  const all = (tau: number) => ({ u_tau_FL: tau, u_tau_FR: tau, u_tau_RL: tau, u_tau_RR: tau });
  const sim = (spec: object) =>
    createSimulation(
      readScenario(
        plainSource({ vehicle: vehicle.name, control_dt: INTERVAL, ...spec }, vehicle.name),
        vehicle,
      ),
    );
  const off = sim({ track: acceleration().name, inputs: [{ t: 0, ...all(torque_max) }], duration: 60 });
  let to_100 = 0;
  while (off.t < 60 && !off.finished) {
    const before = off.x[V_X];
    off.step();
    if (to_100 === 0 && off.x[V_X] >= FAST)
      to_100 = off.t - (INTERVAL * (off.x[V_X] - FAST)) / (off.x[V_X] - before);
  }
  const [acceleration_time] = lapTimes(off.events);
  if (acceleration_time === undefined) throw new RunError(`${vehicle.name} does not reach 75 m in a minute`);
  const stop = sim({
    initial: { phi: 0, v_x: BRAKE_FROM },
    inputs: [{ t: 0, ...all(-torque_max) }],
    duration: 60,
  });
  // Brakes fade towards standstill (tanh): walking pace counts as standing.
  while (stop.t < 60 && stop.x[V_X] > 0.1) stop.step();
  return {
    acceleration_time,
    acceleration_speed: off.x[V_X],
    to_100,
    braking_time: stop.t,
    braking_distance: stop.x[X],
  };
}
