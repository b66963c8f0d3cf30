/** Two brakes, as seed 001's keyboard has them: they stay where they are put. */
import type { ManualControl, Stick } from "../../model/manual-control.ts";

const brake = (name: string, meaning: string): Stick => ({
  name,
  meaning,
  min: 0,
  max: 1,
  rest: 0,
  springs: false,
  speed: 0.6,
});

export function parafoilManualControl(): ManualControl {
  return {
    help: "one stick for each brake",
    sticks: [brake("brake_left", "left brake"), brake("brake_right", "right brake")],
    actions: [
      { keys: ["KeyW", "ArrowUp"], meaning: "pull both brakes", pushes: { brake_left: 1, brake_right: 1 } },
      {
        keys: ["KeyS", "ArrowDown"],
        meaning: "release both brakes",
        pushes: { brake_left: -1, brake_right: -1 },
      },
      { keys: ["KeyA", "ArrowLeft"], meaning: "pull left: turn left", pushes: { brake_left: 1 } },
      { keys: ["KeyD", "ArrowRight"], meaning: "pull right: turn right", pushes: { brake_right: 1 } },
      { keys: ["KeyQ"], meaning: "release left", pushes: { brake_left: -1 } },
      { keys: ["KeyE"], meaning: "release right", pushes: { brake_right: -1 } },
      { keys: ["Space"], meaning: "release both brakes fully", puts: { brake_left: 0, brake_right: 0 } },
      { keys: ["KeyR"], meaning: "full brakes", puts: { brake_left: 1, brake_right: 1 } },
    ],
    memory: [],
    sticksAt: (_, u) => [u[0], u[1]],
    act(_, [left, right], u) {
      u[0] = left;
      u[1] = right;
    },
  };
}
