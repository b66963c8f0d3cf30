/** A Linux joystick device, mapped to sticks by a layout. */
import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import type { Radio } from "../bridges/autopilot/radio.ts";
import { type JoystickLayout, sticksFrom } from "../control/joystick.ts";
import { InputError } from "../model/input-error.ts";
import { readJoystick } from "../vehicle-types/aircraft/stick-timeline-schema.ts";
import { readYaml } from "./inputs.ts";

export const USUAL_JOYSTICK = "/dev/input/js0";
/** An event: time [ms], value, type, number (linux/joystick.h). */
const EVENT = 8;
const BUTTON = 1;
const AXIS = 2;
const FULL = 32767;
/** Polling interval [ms]. */
const EVERY = 10;

/** Two sticks as most have them: roll and pitch on one, throttle (forward is up) and yaw on the other. */
const USUAL: JoystickLayout = {
  roll: { axis: 0, reverse: false, range: [-1, 1], deadZone: 0.05, expo: 0 },
  pitch: { axis: 1, reverse: false, range: [-1, 1], deadZone: 0.05, expo: 0 },
  yaw: { axis: 3, reverse: false, range: [-1, 1], deadZone: 0.05, expo: 0 },
  throttle: { axis: 2, reverse: true, range: [0, 1], deadZone: 0, expo: 0 },
};

export interface Joystick {
  /** Current positions; undefined once it is unplugged. */
  sticks(): Radio | undefined;
  close(): void;
}

/** Decodes events from a byte stream in pieces of any size. */
export function joystickReader() {
  const axes: number[] = [];
  const buttons: number[] = [];
  let rest: Uint8Array = new Uint8Array(0);
  return {
    axes,
    buttons,
    push(bytes: Uint8Array): void {
      const data = new Uint8Array(rest.length + bytes.length);
      data.set(rest);
      data.set(bytes, rest.length);
      const view = new DataView(data.buffer);
      let at = 0;
      for (; at + EVENT <= data.length; at += EVENT) {
        const value = view.getInt16(at + 4, true);
        const number = view.getUint8(at + 7);
        // The highest bit marks events that report the initial state.
        const type = view.getUint8(at + 6) & 0x7f;
        if (number > 63) continue;
        if (type === AXIS) axes[number] = Math.max(-1, value / FULL);
        if (type === BUTTON) buttons[number] = value === 0 ? 0 : 1;
      }
      rest = data.slice(at);
    },
  };
}

function opened(path: string): number {
  try {
    const kind = statSync(path);
    if (!kind.isCharacterDevice() && !kind.isFIFO()) throw new Error("it is not a device");
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new InputError(`${path} cannot be opened: ${(error as Error).message}`, {
      field: "--joystick",
      value: path,
      allowed: "a joystick device that you may read (usually as a member of the group `input`)",
    });
  }
}

export function openJoystick(
  path: string,
  layoutFile: string | undefined,
  report: (message: string) => void,
): Joystick {
  if (!existsSync(path))
    throw new InputError(`there is no joystick at ${path}`, {
      field: "--joystick",
      allowed: "a device such as /dev/input/js0; or a gamepad in the Studio, with --studio",
    });
  const layout = layoutFile === undefined ? USUAL : readJoystick(readYaml(layoutFile));
  const reader = joystickReader();
  const buffer = new Uint8Array(EVENT * 64);
  // A read that blocks would keep the process from ending.
  let device: number | undefined = opened(path);
  const close = () => {
    clearInterval(timer);
    if (device !== undefined) closeSync(device);
    device = undefined;
  };
  const timer = setInterval(() => {
    try {
      // Further events are read at the next interval.
      if (device !== undefined) reader.push(buffer.subarray(0, readSync(device, buffer)));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Nothing new.
      if (code === "EAGAIN") return;
      report(`the joystick at ${path} was disconnected (${message}): radio control ends`);
      close();
    }
  }, EVERY);
  return {
    sticks() {
      if (device === undefined) return undefined;
      const { flaps, ...sticks } = sticksFrom(layout, reader.axes, reader.buttons);
      return layout.flaps ? { ...sticks, flaps } : sticks;
    },
    close,
  };
}
