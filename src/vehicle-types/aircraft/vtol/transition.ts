/**
 * Between hover and wings: forward with the pushers while the lifters keep the height, back with the lifters until it is slow.
 * The pilot or the manual control commands one of the two and flies it.
 */
import { yawOf } from "../../../math/quaternion.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import type { Airplane, ControlInstant } from "../fixed-wing/loops.ts";
import type { HoverPilot } from "../multirotor/pilot.ts";

/** Wings carry above this over the stall speed; hover begins again below that part of it. */
const WING_BORNE = 1.25;
const SLOW = 0.5;
/** Lowest height of a transition above the ground [m]. */
const LOWEST = 12;
/** How long the lifters fade out [s]. */
const FADING = 2;

/** Places of the memory. */
const MODE = 0;
const SINCE = 1;
const HEIGHT = 2;
const EXTRA = 3; // thrust commanded by the height loop beside the weight [N]
const GROUND = 4; // altitude
const IS_BEGUN = 5;

const HOVER = 0;
const FORWARD = 1;
const WINGS = 2;
const BACK = 3;

/** How each of the two is flown. */
export interface FlightModes {
  /** Hover, from now on or once more. */
  beginHover(nav: Float64Array): void;
  hover(now: ControlInstant): void;
  beginWings(nav: Float64Array): void;
  wings(now: ControlInstant): void;
}

export interface Transition {
  readonly memory: Float64Array;
  /** One tick; `V` is the airspeed wanted on wings. */
  fly(t: number, now: ControlInstant, onWings: boolean, V: number, ways: FlightModes): void;
}

/** `ground` is an altitude; without it that where it begins. */
export function transition(
  p: AircraftParameters,
  lifters: readonly number[],
  interval: number,
  hover: HoverPilot,
  plane: Airplane,
  ground?: number,
): Transition {
  const N = Object.keys(p.rotors ?? {}).length;
  const S = Object.keys(p.servos ?? {}).length;
  const memory = new Float64Array(6);
  const weight = p.m * p.g;
  const still = (u: Float64Array) => {
    for (let k = 1; k <= N; k++) if (!lifters.includes(k)) u[k - 1] = 0;
    u.fill(0, 2 * N, 2 * N + S);
  };

  /** Lifters keep height and attitude; what the wings carry already shows in the height's integral. */
  function keepHeight({ nav, x, u }: ControlInstant, part: number): void {
    const climb = 0.5 * (memory[HEIGHT] + nav[2]);
    const error = Math.max(-1.5, Math.min(1.5, climb)) + nav[5];
    memory[EXTRA] = Math.max(-weight, Math.min(0.5 * weight, memory[EXTRA] + 0.8 * p.m * interval * error));
    const thrust = Math.max(0, weight + memory[EXTRA] + 2 * p.m * error) * part;
    const yaw = yawOf(nav[6], nav[7], nav[8], nav[9]);
    hover.obey({ kind: "attitude", roll: 0, pitch: 0, yaw, thrust }, nav, x, u);
  }

  function change(to: number, nav: Float64Array, t: number): void {
    memory[MODE] = to;
    memory[SINCE] = t;
    if (to === FORWARD || to === BACK) memory[HEIGHT] = Math.max(-nav[2], memory[GROUND] + LOWEST);
    if (to === FORWARD) memory[EXTRA] = 0;
    if (to === BACK) memory[EXTRA] = -weight;
  }

  return {
    memory,
    fly(t, now, onWings, V, ways) {
      const { nav, airspeed, u } = now;
      if (memory[IS_BEGUN] === 0) {
        memory[IS_BEGUN] = 1;
        memory[GROUND] = ground ?? -nav[2];
      }
      if (onWings && (memory[MODE] === HOVER || memory[MODE] === BACK)) change(FORWARD, nav, t);
      if (!onWings && (memory[MODE] === WINGS || memory[MODE] === FORWARD)) change(BACK, nav, t);
      if (memory[MODE] === FORWARD && airspeed > WING_BORNE * plane.stallSpeed) {
        change(WINGS, nav, t);
        plane.settle();
        ways.beginWings(nav);
      }
      if (memory[MODE] === BACK && airspeed < SLOW * plane.stallSpeed) {
        change(HOVER, nav, t);
        ways.beginHover(nav);
      }
      if (memory[MODE] === HOVER) {
        still(u);
        ways.hover(now);
      } else if (memory[MODE] === WINGS) {
        ways.wings(now);
        const part = 1 - (t - memory[SINCE]) / FADING;
        if (part > 0) keepHeight(now, part);
        else for (const n of lifters) u[n - 1] = 0;
      } else if (memory[MODE] === FORWARD) {
        const { thrust } = plane.climb(nav, airspeed, V, 0);
        // First up, then forward.
        const isHigh = -nav[2] > memory[GROUND] + LOWEST - 1;
        plane.steer(now, { roll: 0, pitch: 0.03, thrust: isHigh ? thrust : 0, yawRate: 0 });
        keepHeight(now, 1);
      } else {
        plane.steer(now, { roll: 0, pitch: 0, thrust: 0, yawRate: 0 });
        keepHeight(now, 1);
      }
    },
  };
}
