/** A pilot for aeroplanes: height, course, bank, routes, circles, take-off and landing, by the loops of `airplane`. */

import type { Estimator } from "../../../control/estimator.ts";
import {
  lineAt,
  type PilotCommand,
  type PilotLine,
  unflyable,
  validateCommands,
  type Waypoint,
} from "../../../control/pilot-command.ts";
import { wrap } from "../../../math/clamp.ts";
import { atan2, cos, sin, tan } from "../../../math/elementary.ts";
import { pitchOf, yawOf } from "../../../math/quaternion.ts";
import type { InputSource } from "../../../model/input-source.ts";
import type { Model } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { alongLine, anticipation, aroundCircle, bankFor } from "./guidance.ts";
import { type Airplane, airplane, type ControlInstant } from "./loops.ts";

/** Approach: path angle downward, speed over the stall's; the flare's time constant and the sink that it ends in. */
const STEEPEST_SLOPE = 0.08;
/** Part of the glide angle without thrust, so that the throttle can still control the airspeed. */
const OF_GLIDE = 0.8;
/** From where the final approach begins, at most [m]. */
const FINAL_HEIGHT = 30;
const APPROACH = 1.3;
const FLARE = 2;
const TOUCH = 0.15;
/** So near to standing it has touched the ground [m]. */
const TOUCHED = 0.03;
/** Take-off: rotates at this over the stall speed, climbs so steeply, has left the ground so high [m]. */
const ROTATE = 1.15;
const TAKE_OFF_PITCH = 0.18;
const AWAY = 3;
/** Landed when slower than this [m/s]. */
const STILL = 0.3;

/** Places of the memory. */
const WAYPOINT = 0;
const TARGET = 1; // north, east, altitude, course
const FROM = 5; // north, east where the leg began
const PHASE = 7;
const GROUND = 8; // altitude where it began
const NOSE = 9; // pitch on the ground
const STANDING = 10; // height of the centre of mass over the wheels
const GATE = 11; // north, east, height over the landing point

/** Phases of a landing. */
const CIRCUIT = 0;
const FINAL = 1;
const FLARING = 2;
const ROLLING = 3;
const STOPPED = 4;

export interface WingPilot {
  readonly memory: readonly Float64Array[];
  readonly plane: Airplane;
  begin(command: PilotCommand, nav: Float64Array): void;
  fly(command: PilotCommand, now: ControlInstant): void;
}

/** The part of the pilot that flies on wings, for aeroplanes and for those that can also hover. */
export function wingPilot(model: Model, p: AircraftParameters, interval: number): WingPilot {
  const plane = airplane(model, p, interval);
  const N = Object.keys(p.rotors ?? {}).length;
  const S = Object.keys(p.servos ?? {}).length;
  const memory = new Float64Array(14);
  const feet = Object.values(p.contacts ?? {}).map((c) => c.position.z + c.radius);
  memory[STANDING] = Math.max(0, ...feet);
  const target = memory.subarray(TARGET, TARGET + 4);
  const kCourse = plane.attitudeGain / 4;
  const kHeight = plane.attitudeGain / 8;
  const flare = FLARE + 2 / plane.attitudeGain;
  const approach = APPROACH * plane.stallSpeed;
  const slope = Math.min(STEEPEST_SLOPE, Math.max(0.02, OF_GLIDE * plane.glide(approach)));

  function aimAt({ north, east, altitude, yaw }: Waypoint): void {
    if (north !== undefined) target[0] = north;
    if (east !== undefined) target[1] = east;
    if (altitude !== undefined) target[2] = altitude;
    if (yaw !== undefined) target[3] = yaw;
  }

  const track = (nav: Float64Array) =>
    nav[3] * nav[3] + nav[4] * nav[4] > 1 ? atan2(nav[4], nav[3]) : yawOf(nav[6], nav[7], nav[8], nav[9]);

  const bearing = (nav: ArrayLike<number>, north: number, east: number) =>
    atan2(east - nav[1], north - nav[0]);

  function startLeg(from: Float64Array, place: Waypoint): void {
    memory[FROM] = from[0];
    memory[FROM + 1] = from[1];
    aimAt(place);
    target[3] = atan2(target[1] - memory[FROM + 1], target[0] - memory[FROM]);
  }

  /** Rotors still, servos in the middle. */
  function idle({ u }: ControlInstant): void {
    u.fill(0, 0, N);
    u.fill(0, 2 * N, 2 * N + S);
  }

  /** Bank towards a course over ground; `rate` is what the way itself turns. */
  function bankTo(nav: Float64Array, airspeed: number, course: number, rate = 0): number {
    const speed = Math.max(1, Math.sqrt(nav[3] * nav[3] + nav[4] * nav[4]));
    return bankFor(kCourse * wrap(course - track(nav)) + rate, speed, p.g, plane.bankAt(airspeed));
  }

  /** Bank and height for a course: most commands are flown this way. */
  function hold(now: ControlInstant, V: number, course: number, rate = 0): void {
    const { nav, airspeed } = now;
    const roll = bankTo(nav, airspeed, course, rate);
    const { pitch, thrust } = plane.climb(nav, airspeed, V, kHeight * (target[2] + nav[2]));
    plane.steer(now, { roll, pitch, thrust });
  }

  function circle(now: ControlInstant, V: number, radius: number, turn: number): void {
    const { nav } = now;
    const speed = Math.sqrt(nav[3] * nav[3] + nav[4] * nav[4]);
    const { course, isNear } = aroundCircle(
      nav[0],
      nav[1],
      { north: target[0], east: target[1], radius, turn },
      lookahead(V),
    );
    hold(now, V, course, isNear ? (turn * speed) / radius : 0);
  }

  const lookahead = (V: number) => (1.5 * V) / kCourse;
  const radiusAt = (V: number) => (1.5 * V * V) / (p.g * 0.577);

  function route(now: ControlInstant, places: readonly Waypoint[], V: number): void {
    const { nav } = now;
    const at = memory[WAYPOINT];
    const next = places[at + 1];
    const course = target[3];
    const ahead = (target[0] - nav[0]) * cos(course) + (target[1] - nav[1]) * sin(course);
    const corner =
      next === undefined
        ? 0
        : wrap(bearing(target, next.north ?? target[0], next.east ?? target[1]) - course);
    const early = next === undefined ? 0 : anticipation(V, p.g, corner);
    if (ahead < early || at >= places.length) {
      if (next === undefined) {
        memory[WAYPOINT] = places.length;
        circle(now, V, radiusAt(V), 1);
        return;
      }
      memory[WAYPOINT] = at + 1;
      startLeg(target, next);
    }
    const line = { north: memory[FROM], east: memory[FROM + 1], course: target[3] };
    hold(now, V, alongLine(nav[0], nav[1], line, lookahead(V)));
  }

  function takeOff(now: ControlInstant, V: number): void {
    const { nav, airspeed } = now;
    const height = -nav[2] - memory[GROUND];
    if (height > AWAY) memory[PHASE] = 2;
    else if (memory[PHASE] === 0 && airspeed > ROTATE * plane.stallSpeed) memory[PHASE] = 1;
    if (memory[PHASE] === 2) {
      hold(now, V, target[3]);
      return;
    }
    const heading = yawOf(nav[6], nav[7], nav[8], nav[9]);
    const { thrust } = plane.climb(nav, airspeed, V, 0.3 * V);
    plane.steer(now, {
      roll: 0,
      pitch: memory[PHASE] === 0 ? memory[NOSE] : TAKE_OFF_PITCH,
      thrust,
      ...(memory[PHASE] === 0 ? { yawRate: wrap(target[3] - heading) } : {}),
    });
  }

  /** Where it stands before the landing point, along the runway and to the right of it. */
  const onFinal = (nav: Float64Array) => {
    const [n, e] = [nav[0] - target[0], nav[1] - target[1]];
    return {
      left: -(n * cos(target[3]) + e * sin(target[3])),
      right: e * cos(target[3]) - n * sin(target[3]),
    };
  };

  function land(now: ControlInstant): void {
    const { nav, airspeed } = now;
    const height = -nav[2] - target[2] - memory[STANDING];
    const speed = Math.sqrt(nav[3] * nav[3] + nav[4] * nav[4]);
    const { left, right } = onFinal(nav);
    const radius = radiusAt(approach);
    if (memory[PHASE] === CIRCUIT) {
      // Around a gate before the point, down to the final approach's height, and off towards the runway.
      const isLow = height < memory[GATE + 2] + 3;
      const isAligned =
        Math.abs(wrap(track(nav) - target[3])) < 0.6 && left > 0 && Math.abs(right) < 2 * radius;
      if (isLow && isAligned && left > 0.8 * (height / slope)) memory[PHASE] = FINAL;
      else {
        const [n, e, h, c] = target;
        target.set([memory[GATE], memory[GATE + 1], memory[GATE + 2] + h + memory[STANDING], c]);
        circle(now, 1.1 * approach, radius, 1);
        target.set([n, e, h, c]);
        return;
      }
    }
    if (memory[PHASE] === FINAL && height < flare * slope * approach) memory[PHASE] = FLARING;
    if (memory[PHASE] === FLARING && (height < TOUCHED || airspeed < 0.8 * plane.stallSpeed))
      memory[PHASE] = ROLLING;
    if (memory[PHASE] === ROLLING && speed < STILL) memory[PHASE] = STOPPED;
    if (memory[PHASE] === STOPPED) {
      idle(now);
      return;
    }
    const line = { north: target[0], east: target[1], course: target[3] };
    const course = alongLine(nav[0], nav[1], line, lookahead(approach));
    if (memory[PHASE] === FINAL) {
      // Down the slope to the point; beyond it, on down the same slope.
      const wanted = target[2] + memory[STANDING] + Math.max(0, left) * slope;
      const down = -slope * Math.max(1, speed) + kHeight * (wanted + nav[2]);
      const roll = bankTo(nav, airspeed, course);
      const sinking = Math.min(0, left > 0 ? down : -slope * approach);
      const { pitch, thrust } = plane.climb(nav, airspeed, approach, sinking);
      plane.steer(now, { roll, pitch, thrust });
      return;
    }
    const sink = Math.max(TOUCH, height / flare);
    const heading = yawOf(nav[6], nav[7], nav[8], nav[9]);
    const { pitch, thrust } = plane.climb(nav, airspeed, approach, -sink);
    // The throttle closes on the way down, to be shut at a wheel's height.
    const open = Math.min(1, Math.max(0, (2 * height) / (flare * slope * approach)));
    const aim = memory[PHASE] === FLARING ? pitch : Math.min(0.05, pitchOf(nav[6], nav[7], nav[8], nav[9]));
    plane.steer(now, {
      roll: 0,
      pitch: aim,
      thrust: memory[PHASE] === FLARING ? open * thrust : 0,
      yawRate: 0.5 * wrap(target[3] - heading),
    });
  }

  /** Straight ahead, or to a point: then by way of a gate, unless it comes down the right slope already. */
  function beginLanding({ north, east, altitude = 0, yaw }: Waypoint, nav: Float64Array): void {
    aimAt({ north, east, altitude, yaw });
    const height = -nav[2] - altitude;
    memory[PHASE] = FINAL;
    if (north === undefined && east === undefined) {
      target[0] = nav[0] + (height / slope) * cos(target[3]);
      target[1] = nav[1] + (height / slope) * sin(target[3]);
      return;
    }
    if (yaw === undefined) target[3] = bearing(nav, target[0], target[1]);
    const { left, right } = onFinal(nav);
    const isComing = Math.abs(wrap(track(nav) - target[3])) < 1.2;
    if (isComing && left > (0.85 * height) / slope && Math.abs(right) < 0.3 * left) return;
    memory[PHASE] = CIRCUIT;
    const low = Math.min(height, FINAL_HEIGHT);
    const away = low / slope + 3 * radiusAt(approach);
    memory[GATE] = target[0] - away * cos(target[3]);
    memory[GATE + 1] = target[1] - away * sin(target[3]);
    memory[GATE + 2] = low;
  }

  return {
    memory: [memory, plane.memory],
    plane,
    begin(command, nav) {
      target.set([nav[0], nav[1], -nav[2], track(nav)]);
      memory[WAYPOINT] = 0;
      memory[PHASE] = 0;
      memory[GROUND] = -nav[2];
      memory[NOSE] = pitchOf(nav[6], nav[7], nav[8], nav[9]);
      if (command.kind === "hold" || command.kind === "loiter" || command.kind === "takeoff")
        aimAt(command.place);
      if (command.kind === "goto") startLeg(nav, command.place);
      if (command.kind === "waypoints") startLeg(nav, command.places[0]);
      if (command.kind === "land") beginLanding(command.place, nav);
    },
    fly(command, now) {
      const V = ("airspeed" in command ? command.airspeed : undefined) ?? plane.cruise;
      if (command.kind === "hold") hold(now, V, target[3]);
      else if (command.kind === "goto") route(now, [command.place], V);
      else if (command.kind === "waypoints") route(now, command.places, V);
      else if (command.kind === "loiter") circle(now, V, command.radius, command.turn);
      else if (command.kind === "takeoff") takeOff(now, V);
      else if (command.kind === "land") land(now);
      else if (command.kind === "attitude") {
        const { roll, pitch, thrust = plane.climb(now.nav, now.airspeed, V, -now.nav[5]).thrust } = command;
        plane.steer(now, { roll, pitch, thrust });
      } else idle(now);
    },
  };
}

/** Speeds at which it does not fly, and circles that it cannot bank for. */
export function refuseOnWings(command: PilotCommand, plane: Airplane, g: number): void {
  const V = ("airspeed" in command ? command.airspeed : undefined) ?? plane.cruise;
  if ("airspeed" in command && command.airspeed !== undefined) plane.refuseSpeed(command.airspeed);
  if (command.kind !== "loiter") return;
  const least = (V * V) / (g * tan(plane.bankAt(V)));
  if (command.radius < least)
    throw unflyable(
      `a circle of ${command.radius} m is too tight at ${V.toPrecision(3)} m/s`,
      `a radius above ${least.toPrecision(3)} m, or a lower airspeed`,
    );
}

/**
 * A pilot for aircraft on wings: altitude, airspeed, heading, waypoints, loiter, landing.
 *
 * @throws InputError where the aircraft cannot be flown that way: no propulsion for level flight, no pitch control
 */
export function fixedWingPilot(
  model: Model,
  p: AircraftParameters,
  lines: readonly PilotLine[],
  interval: number,
  airspeedAt: (sensed: { y: Float64Array; z: Float64Array }) => number,
  estimator?: Estimator,
): InputSource {
  const pilot = wingPilot(model, p, interval);
  validateCommands(
    lines,
    "an aeroplane",
    ["hold", "goto", "waypoints", "loiter", "attitude", "takeoff", "land", "off"],
    (command) => {
      if ("speed" in command && command.speed !== undefined)
        return "speed applies to hover; on wings use airspeed";
      refuseOnWings(command, pilot.plane, p.g);
      return command.kind === "takeoff" && !pilot.plane.hasPropulsion
        ? "it cannot take off: it has no forward thrust"
        : undefined;
    },
  );
  const memory = Float64Array.of(-1);
  const idle = { kind: "off" } as const;
  return {
    memory: [memory, ...pilot.memory, ...(estimator ? [estimator.memory] : [])],
    update(sensed, u) {
      const { t, x, z } = sensed;
      const nav = estimator ? estimator.update(z) : x;
      const line = lineAt(lines, t);
      const command = line < 0 ? idle : lines[line].command;
      if (line >= 0 && line !== memory[0]) {
        memory[0] = line;
        pilot.begin(command, nav);
      }
      pilot.fly(command, { nav, airspeed: airspeedAt(sensed), x, u });
    },
  };
}
