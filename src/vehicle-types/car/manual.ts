/** Manual control by steering wheel and pedals. At speed the steering is limited to the curvature that the tyres allow. */
import { clamp } from "../../math/clamp.ts";
import { atan } from "../../math/elementary.ts";
import { type ManualControl, sprung } from "../../model/manual-control.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import { U_DELTA, U_TAU_FL, U_TAU_FR, U_TAU_RL, U_TAU_RR, V_X } from "../../vehicles/car/places.ts";

/** Of the tyres' peak friction: full lock slides a little, as it should. */
const LOCK = 1.15;
/** Part of the grip that the pedals may use. */
const PEDAL = 0.8;

export function carManualControl(p: CarParameters): ManualControl {
  const L = p.l_F + p.l_R;
  const lock = (v: number) => Math.min(p.steering_max, atan((L * LOCK * p.Da * p.g) / Math.max(1, v * v)));
  const most = Math.min(p.torque_max, (PEDAL * p.Da * p.m * p.g) / (4 * p.C_m0));
  return {
    help: "steering and torque within what the tyres can take",
    sticks: [
      sprung("steer", "steering wheel, right positive", 1.2),
      sprung("pedal", "throttle and brake", 1.5),
    ],
    actions: [
      { keys: ["KeyW", "ArrowUp"], meaning: "throttle", pushes: { pedal: 1 } },
      { keys: ["KeyS", "ArrowDown"], meaning: "brake", pushes: { pedal: -1 } },
      { keys: ["KeyA", "ArrowLeft"], meaning: "steer left", pushes: { steer: -1 } },
      { keys: ["KeyD", "ArrowRight"], meaning: "steer right", pushes: { steer: 1 } },
    ],
    memory: [],
    sticksAt: (x, u) => [
      clamp(-u[U_DELTA] / lock(x[V_X]), -1, 1),
      clamp((u[U_TAU_FL] + u[U_TAU_FR] + u[U_TAU_RL] + u[U_TAU_RR]) / (4 * most), -1, 1),
    ],
    act({ x }, [steer, pedal], u) {
      const v = x[V_X];
      u[U_DELTA] = -steer * lock(v);
      u.fill(pedal * most, 1, 5);
    },
  };
}
