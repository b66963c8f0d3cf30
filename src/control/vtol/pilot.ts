/**
 * A pilot for what hovers on rotors and cruises on wings. Lines with an airspeed (and loiter) are flown on wings, all others in
 * hover; between the two it changes over by itself: forward with the pushers while the lifters keep the height, back with the
 * lifters until it is slow.
 */
import { yawOf } from "../../math/quaternion.ts";
import type { Model } from "../../model/model.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Estimator } from "../estimator.ts";
import { refuseOnWings, wingPilot } from "../fixed-wing/pilot.ts";
import { hoverPilot } from "../multirotor/pilot.ts";
import type { Source } from "../source.ts";
import { lineAt, type PilotLine, refuseWishes, WISH_KINDS, type Wish } from "../wishes.ts";

/** Wings carry above this over the stall speed; hover begins again below that part of it. */
const WING_BORNE = 1.25;
const SLOW = 0.5;
/** It changes over no lower than this above where it began [m]. */
const LOWEST = 12;
/** How long the lifters fade out [s]. */
const FADING = 2;

/** Places of the memory. */
const LINE = 0;
const MODE = 1;
const SINCE = 2;
const HEIGHT = 3;
const EXTRA = 4; // thrust that the height asks for beside the weight [N]
const GROUND = 5; // altitude where it began

const HOVER = 0;
const FORWARD = 1;
const WINGS = 2;
const BACK = 3;

const isOnWings = (wish: Wish) =>
  wish.kind === "loiter" || ("airspeed" in wish && wish.airspeed !== undefined && wish.kind !== "takeoff");

export function vtolPilot(
  model: Model,
  p: AircraftParameters,
  lifters: readonly number[],
  lines: readonly PilotLine[],
  interval: number,
  airspeedAt: (sensed: { y: Float64Array; z: Float64Array }) => number,
  estimator?: Estimator,
): Source {
  const N = Object.keys(p.rotors ?? {}).length;
  const S = Object.keys(p.servos ?? {}).length;
  const hover = hoverPilot(p, interval, lifters);
  const wings = wingPilot(model, p, interval);
  const { plane } = wings;
  refuseWishes(lines, "such an aircraft", WISH_KINDS, (wish) => {
    if (isOnWings(wish)) refuseOnWings(wish, plane, p.g);
    if (isOnWings(wish) && "speed" in wish && wish.speed !== undefined)
      return "speed is for hover, airspeed for wings: say one of them";
    if (wish.kind === "land" && wish.airspeed !== undefined)
      return "it lands in hover: land without an airspeed";
    if (wish.kind === "attitude" && wish.airspeed === undefined && wish.thrust === undefined)
      return "attitude needs a thrust in hover, or an airspeed on wings";
    return undefined;
  });
  const memory = new Float64Array(6);
  memory[LINE] = -1;
  const weight = p.m * p.g;
  const still = (u: Float64Array) => {
    for (let k = 1; k <= N; k++) if (!lifters.includes(k)) u[k - 1] = 0;
    u.fill(0, 2 * N, 2 * N + S);
  };

  /** Lifters keep height and attitude; what the wings carry already shows in the height's integral. */
  function keepHeight(nav: Float64Array, x: Float64Array, u: Float64Array, part: number): void {
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
    memory: [memory, ...hover.memory, ...wings.memory, ...(estimator ? [estimator.memory] : [])],
    update(sensed, u) {
      const { t, x, z } = sensed;
      const nav = estimator ? estimator.update(z) : x;
      const line = lineAt(lines, t);
      if (line < 0) {
        u.fill(0, 0, N);
        return;
      }
      if (memory[LINE] < 0) memory[GROUND] = -nav[2];
      const { wish } = lines[line];
      const airspeed = airspeedAt(sensed);
      const now = { nav, airspeed, x, u };
      const onWings = isOnWings(wish);
      if (line !== memory[LINE]) {
        memory[LINE] = line;
        hover.begin(wish, nav);
        wings.begin(wish, nav);
        if (onWings && memory[MODE] === HOVER) change(FORWARD, nav, t);
        if (!onWings && memory[MODE] === WINGS) change(BACK, nav, t);
        if (onWings && memory[MODE] === BACK) change(FORWARD, nav, t);
        if (!onWings && memory[MODE] === FORWARD) change(BACK, nav, t);
      }
      if (memory[MODE] === FORWARD && airspeed > WING_BORNE * plane.stallSpeed) {
        change(WINGS, nav, t);
        plane.settle();
        wings.begin(wish, nav);
      }
      if (memory[MODE] === BACK && airspeed < SLOW * plane.stallSpeed) {
        change(HOVER, nav, t);
        hover.begin(wish, nav);
      }
      if (memory[MODE] === HOVER) {
        still(u);
        hover.fly(wish, nav, x, u);
      } else if (memory[MODE] === WINGS) {
        wings.fly(wish, now);
        const part = 1 - (t - memory[SINCE]) / FADING;
        if (part > 0) keepHeight(nav, x, u, part);
        else for (const n of lifters) u[n - 1] = 0;
      } else if (memory[MODE] === FORWARD) {
        const V = ("airspeed" in wish ? wish.airspeed : undefined) ?? plane.cruise;
        const { thrust } = plane.climb(nav, airspeed, V, 0);
        // First up, then forward.
        const isHigh = -nav[2] > memory[GROUND] + LOWEST - 1;
        plane.steer(now, { roll: 0, pitch: 0.03, thrust: isHigh ? thrust : 0, yawRate: 0 });
        keepHeight(nav, x, u, 1);
      } else {
        plane.steer(now, { roll: 0, pitch: 0, thrust: 0, yawRate: 0 });
        keepHeight(nav, x, u, 1);
      }
    },
  };
}
