/** Manual control of an aeroplane by bank, climb and airspeed; with released sticks it flies straight and level. */
import { clamp } from "../../../math/clamp.ts";
import { exp } from "../../../math/elementary.ts";
import { rollOf } from "../../../math/quaternion.ts";
import { type KeyAction, type ManualControl, type Stick, sprung } from "../../../model/manual-control.ts";
import type { Model } from "../../../model/model.ts";
import { indexOf } from "../../../model/model.ts";
import type { AircraftParameters } from "../../../vehicles/aircraft/parameters.ts";
import { Q_W, Q_X, Q_Y, Q_Z, V_DOWN, V_EAST, V_NORTH } from "../../../vehicles/rigid-body.ts";
import { type Airplane, airplane, type ControlInstant } from "../fixed-wing/loops.ts";

/** Climb and descent with the stick at its end, over the airspeed. */
const STEEP = 0.2;
const TOUCH = 0.02;
/** Slowest speed over the stall's; how fast the throttle's upper end may be, over cruise. */
const SLOW = 1.2;
const FAST = 2.2;
/** Below this the throttle is shut. */
const SHUT = 0.03;
/** Near the ground without engine: sinks as height over this [s], and a little [m/s]. */
const FLARE = 2.5;
const TOUCH_DOWN = 0.3;

interface WingHands {
  readonly plane: Airplane;
  readonly memory: readonly Float64Array[];
  /** Holds this height from here on. */
  begin(nav: Float64Array): void;
  act(now: ControlInstant, bank: number, climb: number, speed: number, turn: number): void;
  /** The position of the speed stick that means this airspeed. */
  stickFor(V: number): number;
  /** Where bank, climb and speed are in steady flight. */
  sticksAt(x: Float64Array): [number, number, number];
}

/** The fastest level speed, up to a limit of the search. */
function fastest(plane: Airplane): number {
  let V = plane.cruise;
  for (let k = 1; plane.cruise * exp(0.05 * k) < FAST * plane.cruise; k++) {
    try {
      plane.refuseSpeed(plane.cruise * exp(0.05 * k));
    } catch {
      break;
    }
    V = plane.cruise * exp(0.05 * k);
  }
  return V;
}

/** Places of the memory. */
const HEIGHT = 0;
const IS_HELD = 1;
const IS_BEGUN = 2;

export function wingManualControl(model: Model, p: AircraftParameters, interval: number): WingHands {
  const plane = airplane(model, p, interval);
  const [low, high] = [SLOW * plane.stallSpeed, Math.max(1.3 * plane.stallSpeed, fastest(plane))];
  const memory = new Float64Array(3);
  const kHeight = plane.attitudeGain / 8;
  const feet = Object.values(p.contacts ?? {}).map((c) => c.position.z + c.radius);
  const standing = Math.max(0, ...feet);
  const stickFor = (V: number) => clamp((V - low) / (high - low), 0.05, 1);
  return {
    plane,
    memory: [memory, plane.memory],
    stickFor,
    sticksAt(x) {
      const V = Math.sqrt(x[V_NORTH] * x[V_NORTH] + x[V_EAST] * x[V_EAST] + x[V_DOWN] * x[V_DOWN]);
      const bank = clamp(rollOf(x[Q_W], x[Q_X], x[Q_Y], x[Q_Z]) / plane.bankAt(V), -1, 1);
      return [bank, clamp(-x[V_DOWN] / (STEEP * V), -1, 1), stickFor(V)];
    },
    begin(nav) {
      memory[HEIGHT] = -nav[2];
      memory[IS_HELD] = 1;
    },
    act(now, bank, climb, speed, turn) {
      const { nav, airspeed } = now;
      if (memory[IS_BEGUN] === 0) {
        memory[IS_BEGUN] = 1;
        plane.take(now);
      }
      const isShut = speed < SHUT || !plane.hasPropulsion;
      const V = isShut ? 1.4 * plane.stallSpeed : low + speed * (high - low);
      let rate = climb * STEEP * V;
      if (Math.abs(climb) > TOUCH || isShut) memory[IS_HELD] = 0;
      else if (memory[IS_HELD] === 0) {
        memory[HEIGHT] = -nav[2];
        memory[IS_HELD] = 1;
      }
      if (memory[IS_HELD] === 1) rate = kHeight * (memory[HEIGHT] + nav[2]);
      if (isShut) {
        const height = Math.max(0, -nav[2] - standing);
        const sink = Math.min(plane.glide(V) * V - rate, height / FLARE + TOUCH_DOWN);
        rate = -Math.max(TOUCH_DOWN, sink);
      }
      const { pitch, thrust } = plane.climb(nav, airspeed, V, rate);
      plane.steer(now, {
        roll: bank * plane.bankAt(airspeed),
        pitch,
        thrust: isShut ? 0 : thrust,
        ...(Math.abs(turn) > TOUCH ? { yawRate: 0.5 * turn } : {}),
      });
    },
  };
}

const speedStick = (rest: number): Stick => ({
  name: "speed",
  meaning: "airspeed; at the lower end the engine stops",
  min: 0,
  max: 1,
  rest,
  springs: false,
  speed: 0.35,
});

const ACTIONS: readonly KeyAction[] = [
  { keys: ["KeyA", "ArrowLeft"], meaning: "bank left", pushes: { bank: -1 } },
  { keys: ["KeyD", "ArrowRight"], meaning: "bank right", pushes: { bank: 1 } },
  { keys: ["ArrowUp"], meaning: "climb", pushes: { climb: 1 } },
  { keys: ["ArrowDown"], meaning: "descend", pushes: { climb: -1 } },
  { keys: ["KeyW"], meaning: "faster", pushes: { speed: 1 } },
  { keys: ["KeyS"], meaning: "slower, then engine off", pushes: { speed: -1 } },
  { keys: ["KeyQ"], meaning: "rudder left", pushes: { rudder: -1 } },
  { keys: ["KeyE"], meaning: "rudder right", pushes: { rudder: 1 } },
];

export function airplaneManualControl(model: Model, p: AircraftParameters, interval: number): ManualControl {
  const wings = wingManualControl(model, p, interval);
  const airspeed = indexOf(model.outputs, "airspeed");
  return {
    help: "holds height and airspeed; sticks command bank and climb",
    sticks: [
      sprung("bank", "to the right and left"),
      sprung("climb", "up and down"),
      speedStick(wings.stickFor(wings.plane.cruise)),
      ...(wings.plane.canYaw ? [sprung("rudder", "nose to the right and left")] : []),
    ],
    actions: ACTIONS.filter((a) => wings.plane.canYaw || a.pushes?.rudder === undefined),
    memory: wings.memory,
    sticksAt: wings.sticksAt,
    act({ x, y }, [bank, climb, speed, rudder = 0], u) {
      wings.act({ nav: x, airspeed: y[airspeed], x, u }, bank, climb, speed, rudder);
    },
  };
}
