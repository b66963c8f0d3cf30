/** A pilot for multirotors: a timeline of wishes (hold, go, fly a route, land, ...) turned into inputs by the cascaded loops. */
import { yawOf } from "../../math/quaternion.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import type { Source } from "../source.ts";
import type { Estimator } from "./estimator.ts";
import { multirotorLoops, type Setpoint } from "./loops.ts";

/** Coordinates that are not given stay as they are when the wish begins. */
export interface Place {
  readonly north?: number;
  readonly east?: number;
  readonly altitude?: number;
  readonly yaw?: number;
}
export type Wish =
  | { readonly kind: "goto"; readonly place: Place; readonly speed: number }
  | { readonly kind: "waypoints"; readonly places: readonly Place[]; readonly speed: number }
  | { readonly kind: "velocity"; readonly velocity: readonly [number, number, number]; readonly yaw?: number }
  | {
      readonly kind: "attitude";
      readonly roll: number;
      readonly pitch: number;
      readonly yaw?: number;
      readonly thrust: number;
    }
  | { readonly kind: "land" }
  | { readonly kind: "off" };
export interface PilotLine {
  readonly t: number;
  readonly wish: Wish;
}

/** A waypoint counts as reached within this distance [m]. */
const REACHED = 0.3;
/** Descent when landing [m/s]. */
const DESCENT = 0.5;
/**
 * How far below the target may run ahead [m]; landed when it has, and the vehicle has not moved [m/s] for a while [s] although the
 * rotors carry only a part of the weight: less than ground effect leaves them to carry.
 */
const AHEAD = 1.2;
const STILL = 0.1;
const WHILE = 1;
const CARRIED = 0.55;

/** Places of the pilot's memory. */
const LINE = 0;
const WAYPOINT = 1;
const TARGET = 2; // north, east, down, yaw
const LANDED = 6;
const RESTED = 7;

export function multirotorPilot(
  p: AircraftParameters,
  lines: readonly PilotLine[],
  interval: number,
  estimator?: Estimator,
): Source {
  const N = Object.keys(p.rotors ?? {}).length;
  const contacts = Object.keys(p.contacts ?? {}).length;
  const loops = multirotorLoops(p, interval);
  const memory = new Float64Array(8);
  memory[LINE] = -1;
  const target = memory.subarray(TARGET, TARGET + 4);

  function aimAt({ north, east, altitude, yaw }: Place): void {
    if (north !== undefined) target[0] = north;
    if (east !== undefined) target[1] = east;
    if (altitude !== undefined) target[2] = -altitude;
    if (yaw !== undefined) target[3] = yaw;
  }

  /** A new wish begins from where the vehicle is. */
  function begin(wish: Wish, nav: Float64Array): void {
    target.set(nav.subarray(0, 3));
    target[3] = yawOf(nav[6], nav[7], nav[8], nav[9]);
    memory[WAYPOINT] = 0;
    memory[LANDED] = 0;
    memory[RESTED] = 0;
    if (wish.kind === "goto") aimAt(wish.place);
    if (wish.kind === "waypoints") aimAt(wish.places[0]);
    if ((wish.kind === "velocity" || wish.kind === "attitude") && wish.yaw !== undefined)
      target[3] = wish.yaw;
  }

  const toTarget = (speed: number): Setpoint => ({
    kind: "position",
    position: [target[0], target[1], target[2]],
    yaw: target[3],
    speed,
  });

  function setpointFor(wish: Wish, nav: Float64Array): Setpoint {
    if (wish.kind === "velocity") return { kind: "velocity", velocity: wish.velocity, yaw: target[3] };
    if (wish.kind === "attitude") return { ...wish, yaw: target[3] };
    if (wish.kind === "off" || memory[LANDED] === 1) return { kind: "off" };
    if (wish.kind === "goto") return toTarget(wish.speed);
    if (wish.kind === "waypoints") {
      const [n, e, d] = [nav[0] - target[0], nav[1] - target[1], nav[2] - target[2]];
      const away = Math.sqrt(n * n + e * e + d * d);
      if (away < REACHED && memory[WAYPOINT] < wish.places.length - 1) aimAt(wish.places[++memory[WAYPOINT]]);
      return toTarget(wish.speed);
    }
    target[2] = Math.min(target[2] + DESCENT * interval, nav[2] + AHEAD);
    const isHeld = target[2] >= nav[2] + AHEAD && Math.abs(nav[5]) < STILL && loops.load() < CARRIED;
    memory[RESTED] = isHeld ? memory[RESTED] + interval : 0;
    if (memory[RESTED] > WHILE) memory[LANDED] = 1;
    return toTarget(1);
  }

  return {
    memory: [memory, loops.memory, ...(estimator ? [estimator.memory] : [])],
    update({ t, x, z }, u) {
      const nav = estimator ? estimator.update(z) : x;
      const now = t + 1e-9;
      let line = lines.length - 1;
      while (line >= 0 && lines[line].t > now) line--;
      if (line < 0) {
        u.fill(0, 0, N);
        return;
      }
      if (line !== memory[LINE]) {
        memory[LINE] = line;
        begin(lines[line].wish, nav);
      }
      // The speed controllers know their rotors' speeds, what is left of them, and the battery.
      const rotors = x.subarray(13, 13 + N);
      loops.update(
        nav,
        setpointFor(lines[line].wish, nav),
        rotors,
        u.subarray(N, 2 * N),
        x[13 + N + 2 * contacts],
        u,
      );
    },
  };
}
