/** Manual control of a hovering vehicle by velocity commands; with released sticks it holds its position. */
import { clamp, wrap } from "../../../math/clamp.ts";
import { cos, sin } from "../../../math/elementary.ts";
import { yawOf } from "../../../math/quaternion.ts";
import { type KeyAction, type ManualControl, sprung } from "../../../model/manual-control.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { Q_W, Q_X, Q_Y, Q_Z, V_DOWN, V_EAST, V_NORTH } from "../../../vehicles/rigid-body.ts";
import type { Setpoint } from "../multirotor/loops.ts";
import { hoverPilot } from "../multirotor/pilot.ts";

/** With a stick at its end: level, up, down [m/s], turning [rad/s]. */
const PACE = 6;
const CLIMB = 2.5;
const DESCENT = 1.5;
const TURN = 1;
/** How far the heading asked for may be ahead of the nose [rad]. */
const AHEAD = 0.6;
/** Sticks nearer to their rest than this are at rest. */
const TOUCH = 0.02;
/** Slower than this it stays where it is [m/s]. */
const STOPPED = 0.6;
/** Standing: no faster than [m/s], the rotors carry less of the weight than this, for so long [s]. */
const STILL = 0.15;
const CARRIED = 0.6;
const WHILE = 0.6;

/** Places of the memory. */
const TARGET = 0; // north, east, down
const YAW = 3;
const IS_HELD = 4;
const RESTED = 5;
const IS_BEGUN = 6;

export const HOVER_STICKS = [
  sprung("forward", "ahead and back"),
  sprung("right", "to the right and left"),
  sprung("up", "up and down"),
  sprung("turn", "nose to the right and left"),
];

export const HOVER_ACTIONS: readonly KeyAction[] = [
  { keys: ["KeyW"], meaning: "forward", pushes: { forward: 1 } },
  { keys: ["KeyS"], meaning: "backward", pushes: { forward: -1 } },
  { keys: ["KeyA"], meaning: "to the left", pushes: { right: -1 } },
  { keys: ["KeyD"], meaning: "to the right", pushes: { right: 1 } },
  { keys: ["ArrowUp"], meaning: "climb", pushes: { up: 1 } },
  { keys: ["ArrowDown"], meaning: "descend", pushes: { up: -1 } },
  { keys: ["ArrowLeft", "KeyQ"], meaning: "turn left", pushes: { turn: -1 } },
  { keys: ["ArrowRight", "KeyE"], meaning: "turn right", pushes: { turn: 1 } },
];

/** Where the four sticks are at a velocity. */
export function hoverSticksAt(x: Float64Array): number[] {
  const nose = yawOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]);
  const forward = x[V_NORTH] * cos(nose) + x[V_EAST] * sin(nose);
  const right = x[V_EAST] * cos(nose) - x[V_NORTH] * sin(nose);
  return [forward / PACE, right / PACE, -x[V_DOWN] / (x[V_DOWN] < 0 ? CLIMB : DESCENT), 0].map((v) =>
    clamp(v, -1, 1),
  );
}

interface HoverHands {
  readonly memory: readonly Float64Array[];
  readonly pilot: ReturnType<typeof hoverPilot>;
  /** It stays from here on. */
  begin(nav: Float64Array): void;
  act(x: Float64Array, sticks: ArrayLike<number>, u: Float64Array): void;
}

export function hoverManualControl(
  p: AircraftParameters,
  interval: number,
  lifters?: readonly number[],
): HoverHands {
  const pilot = hoverPilot(p, interval, lifters);
  const memory = new Float64Array(7);

  function begin(nav: Float64Array): void {
    memory.set(nav.subarray(0, 3), TARGET);
    memory[YAW] = yawOf(nav[6], nav[7], nav[8], nav[9]);
    memory[IS_HELD] = 0;
    memory[RESTED] = 0;
    memory[IS_BEGUN] = 1;
  }

  function wanted(
    nav: Float64Array,
    [forward, right, up, turn]: ArrayLike<number> & Iterable<number>,
  ): Setpoint {
    const nose = yawOf(nav[6], nav[7], nav[8], nav[9]);
    // The commanded heading does not run ahead of a vehicle that turns slowly.
    const lead = wrap(memory[YAW] + TURN * turn * interval - nose);
    const yaw = (memory[YAW] = nose + clamp(lead, -AHEAD, AHEAD));
    const speed = Math.sqrt(nav[3] * nav[3] + nav[4] * nav[4] + nav[5] * nav[5]);
    const isStanding = up < -TOUCH && speed < STILL && pilot.loops.load() < CARRIED;
    if (memory[RESTED] < WHILE) memory[RESTED] = isStanding ? memory[RESTED] + interval : 0;
    if (up > TOUCH) memory[RESTED] = 0;
    if (memory[RESTED] >= WHILE) return { kind: "off" };
    const isAsked = Math.abs(forward) + Math.abs(right) + Math.abs(up) > TOUCH;
    if (!isAsked && memory[IS_HELD] === 0 && speed < STOPPED) {
      memory.set(nav.subarray(0, 3), TARGET);
      memory[IS_HELD] = 1;
    }
    if (isAsked) memory[IS_HELD] = 0;
    if (memory[IS_HELD] === 1)
      return { kind: "position", position: [memory[0], memory[1], memory[2]], yaw, speed: PACE };
    const [f, r] = [PACE * forward, PACE * right];
    return {
      kind: "velocity",
      velocity: [
        f * cos(nose) - r * sin(nose),
        f * sin(nose) + r * cos(nose),
        -up * (up > 0 ? CLIMB : DESCENT),
      ],
      yaw,
    };
  }

  return {
    memory: [memory, ...pilot.memory],
    pilot,
    begin,
    act(x, sticks, u) {
      if (memory[IS_BEGUN] === 0) begin(x);
      pilot.obey(wanted(x, sticks as Float64Array), x, x, u);
    },
  };
}

export function multirotorManualControl(p: AircraftParameters, interval: number): ManualControl {
  const hover = hoverManualControl(p, interval);
  return {
    help: "holds its position; sticks command velocity",
    sticks: HOVER_STICKS,
    actions: HOVER_ACTIONS,
    memory: hover.memory,
    sticksAt: hoverSticksAt,
    act: ({ x }, sticks, u) => hover.act(x, sticks, u),
  };
}
