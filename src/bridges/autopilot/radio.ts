/** Radio control: stick positions of a joystick or of the Studio as pulse widths for an autopilot. */
import type { Sticks } from "../../control/joystick.ts";

/** Channels in the usual order: roll, pitch, throttle, yaw, flaps [us]. */
const pulse = (value: number) => Math.round(1500 + 500 * Math.min(1, Math.max(-1, value)));

/** Stick positions; most transmitters have no lever for flaps. */
export type Radio = Omit<Sticks, "flaps"> & { readonly flaps?: number };

/**
 * A stick pulled back is a long pulse to ArduPilot and a short one to PX4, whose pitch channel means forward. The fifth channel is
 * left alone where there are no flaps: on a copter it chooses the mode.
 */
export function channelsOf({ roll, pitch, yaw, throttle, flaps }: Radio, pulled: 1 | -1): number[] {
  const four = [pulse(roll), pulse(pulled * pitch), pulse(2 * throttle - 1), pulse(yaw)];
  return flaps === undefined ? four : [...four, pulse(2 * flaps - 1)];
}

/** Radio sticks from the Studio's sticks, whose names depend on the type of vehicle; a car has two. */
export function radioFromSticks(positions: ReadonlyMap<string, number>): Radio {
  const of = (...names: readonly string[]) => {
    for (const name of names) {
      const position = positions.get(name);
      if (position !== undefined) return position;
    }
    return 0;
  };
  return {
    roll: of("right", "bank", "steer"),
    pitch: positions.has("forward") ? -of("forward") : of("climb"),
    yaw: of("turn", "rudder"),
    throttle: 0.5 * (1 + of("up", "speed", "pedal")),
  };
}
