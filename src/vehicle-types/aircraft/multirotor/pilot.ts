/** A pilot for what hovers: a timeline of commands (hold, goto, waypoints, land, ...) flown by the cascaded loops. */

import type { Estimator } from "../../../control/estimator.ts";
import {
  lineAt,
  PILOT_COMMANDS,
  type PilotCommand,
  type PilotLine,
  validateCommands,
  type Waypoint,
} from "../../../control/pilot-command.ts";
import { yawOf } from "../../../math/quaternion.ts";
import type { InputSource } from "../../../model/input-source.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { type Loops, multirotorLoops, type Setpoint } from "./loops.ts";

/** A waypoint counts as reached within this distance [m]. */
const REACHED = 0.3;
/** Default fastest level speed [m/s]. */
const PACE = 3;
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

/** Places of the memory. */
const WAYPOINT = 0;
const TARGET = 1; // north, east, down, yaw
const LANDED = 5;
const RESTED = 6;

const HOVER_COMMANDS = PILOT_COMMANDS.filter((kind) => kind !== "loiter");

export interface HoverPilot {
  readonly memory: readonly Float64Array[];
  readonly loops: Loops;
  begin(command: PilotCommand, nav: Float64Array): void;
  fly(command: PilotCommand, nav: Float64Array, x: Float64Array, u: Float64Array): void;
  /** Commands for a setpoint of the loops. */
  obey(setpoint: Setpoint, nav: Float64Array, x: Float64Array, u: Float64Array): void;
}

/** `lifters` are the numbers (from 1) of the rotors that carry it. */
export function hoverPilot(
  p: AircraftParameters,
  interval: number,
  lifters: readonly number[] = Object.keys(p.rotors ?? {}).map(Number),
): HoverPilot {
  const N = Object.keys(p.rotors ?? {}).length;
  const servos = Object.keys(p.servos ?? {}).length;
  const contacts = Object.keys(p.contacts ?? {}).length;
  const carried = { ...p, rotors: Object.fromEntries(lifters.map((n, i) => [i + 1, p.rotors[n]])) };
  const loops = multirotorLoops(carried, interval);
  const memory = new Float64Array(7);
  const target = memory.subarray(TARGET, TARGET + 4);
  const speeds = new Float64Array(lifters.length);
  const health = new Float64Array(lifters.length);
  const commands = new Float64Array(lifters.length);

  function aimAt({ north, east, altitude, yaw }: Waypoint): void {
    if (north !== undefined) target[0] = north;
    if (east !== undefined) target[1] = east;
    if (altitude !== undefined) target[2] = -altitude;
    if (yaw !== undefined) target[3] = yaw;
  }

  const toTarget = (speed: number): Setpoint => ({
    kind: "position",
    position: [target[0], target[1], target[2]],
    yaw: target[3],
    speed,
  });

  function setpointFor(command: PilotCommand, nav: Float64Array): Setpoint {
    if (command.kind === "velocity") return { kind: "velocity", velocity: command.velocity, yaw: target[3] };
    if (command.kind === "attitude")
      return {
        kind: "attitude",
        roll: command.roll,
        pitch: command.pitch,
        yaw: target[3],
        thrust: command.thrust ?? 0,
      };
    if (command.kind === "off" || memory[LANDED] === 1) return { kind: "off" };
    if (command.kind === "goto" || command.kind === "hold") return toTarget(command.speed ?? PACE);
    if (command.kind === "waypoints") {
      const [n, e, d] = [nav[0] - target[0], nav[1] - target[1], nav[2] - target[2]];
      const away = Math.sqrt(n * n + e * e + d * d);
      if (away < REACHED && memory[WAYPOINT] < command.places.length - 1)
        aimAt(command.places[++memory[WAYPOINT]]);
      return toTarget(command.speed ?? PACE);
    }
    if (command.kind === "takeoff" || command.kind === "loiter") return toTarget(1.5);
    const { north, east } = command.place;
    const [n, e] = [nav[0] - (north ?? nav[0]), nav[1] - (east ?? nav[1])];
    // First over the point, then down.
    if (n * n + e * e > 0.25) return toTarget(3);
    target[2] = Math.min(target[2] + DESCENT * interval, nav[2] + AHEAD);
    const isHeld = target[2] >= nav[2] + AHEAD && Math.abs(nav[5]) < STILL && loops.load() < CARRIED;
    memory[RESTED] = isHeld ? memory[RESTED] + interval : 0;
    if (memory[RESTED] > WHILE) memory[LANDED] = 1;
    return toTarget(1);
  }

  /** The speed controllers measure rotor speeds, rotor health and the battery's charge. */
  function obey(setpoint: Setpoint, nav: Float64Array, x: Float64Array, u: Float64Array): void {
    lifters.forEach((n, i) => {
      speeds[i] = x[12 + n];
      health[i] = u[N + n - 1];
    });
    loops.update(nav, setpoint, speeds, health, x[13 + N + servos + 2 * contacts], commands);
    lifters.forEach((n, i) => {
      u[n - 1] = commands[i];
    });
  }

  return {
    memory: [memory, loops.memory],
    loops,
    obey,
    /** A new command starts from the present position. */
    begin(command, nav) {
      target.set(nav.subarray(0, 3));
      target[3] = yawOf(nav[6], nav[7], nav[8], nav[9]);
      memory[WAYPOINT] = 0;
      memory[LANDED] = 0;
      memory[RESTED] = 0;
      if (command.kind === "goto" || command.kind === "hold" || command.kind === "takeoff")
        aimAt(command.place);
      if (command.kind === "land") aimAt({ ...command.place, altitude: undefined });
      if (command.kind === "waypoints") aimAt(command.places[0]);
      if ((command.kind === "velocity" || command.kind === "attitude") && command.yaw !== undefined)
        target[3] = command.yaw;
    },
    fly(command, nav, x, u) {
      obey(setpointFor(command, nav), nav, x, u);
    },
  };
}

/** Why a hovering vehicle cannot fly a command that it supports in principle. */
const hoverProblem = (command: PilotCommand): string | undefined =>
  "airspeed" in command && command.airspeed !== undefined
    ? "airspeed applies to flight on wings; in hover use speed"
    : command.kind === "attitude" && command.thrust === undefined
      ? "attitude needs a thrust"
      : undefined;

/** A pilot for aircraft that hover: hold, goto, waypoints, velocity, attitude, landing. */
export function multirotorPilot(
  p: AircraftParameters,
  lines: readonly PilotLine[],
  interval: number,
  estimator?: Estimator,
): InputSource {
  const N = Object.keys(p.rotors ?? {}).length;
  const pilot = hoverPilot(p, interval);
  validateCommands(lines, "a multirotor", HOVER_COMMANDS, hoverProblem);
  const memory = Float64Array.of(-1);
  return {
    memory: [memory, ...pilot.memory, ...(estimator ? [estimator.memory] : [])],
    update({ t, x, z }, u) {
      const nav = estimator ? estimator.update(z) : x;
      const line = lineAt(lines, t);
      if (line < 0) {
        u.fill(0, 0, N);
        return;
      }
      if (line !== memory[0]) {
        memory[0] = line;
        pilot.begin(lines[line].command, nav);
      }
      pilot.fly(lines[line].command, nav, x, u);
    },
  };
}
