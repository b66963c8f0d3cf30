/**
 * Gamepads and joysticks: calibrated axes with dead zone and expo, on a vehicle's sticks; stored in
 * the browser by vehicle.
 */

import { shaped } from "../../src/control/joystick.ts";
import type { Stick } from "../../src/model/manual-control.ts";
import type { Command, SessionInfo } from "../../src/session/protocol.ts";
import { areNumbers, readStored, store } from "../storage.ts";

export interface AxisMap {
  readonly axis: number;
  readonly isReversed: boolean;
  readonly deadZone: number;
  readonly expo: number;
  /** What the axis says at its ends and in the middle, found by moving it. */
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}
/** Axes by stick. */
export type PadMap = Readonly<Record<string, AxisMap>>;

/** An axis that has not been moved. */
export const AXIS: AxisMap = {
  axis: 0,
  isReversed: false,
  deadZone: 0.08,
  expo: 0.3,
  low: -1,
  middle: 0,
  high: 1,
};

/** Usual places of sticks on a gamepad with two of them: left x 0, left y 1 (up is -1), right x 2, right y 3. */
const USUAL: Readonly<Record<string, Partial<AxisMap>>> = {
  brake_left: { axis: 1, isReversed: false },
  brake_right: { axis: 3, isReversed: false },
  steer: { axis: 0 },
  pedal: { axis: 3, isReversed: true },
  forward: { axis: 3, isReversed: true },
  right: { axis: 2 },
  up: { axis: 1, isReversed: true },
  turn: { axis: 0 },
  bank: { axis: 2 },
  climb: { axis: 3, isReversed: true },
  speed: { axis: 1, isReversed: true },
  rudder: { axis: 0 },
};

export const usualMap = (sticks: readonly Stick[]): PadMap =>
  Object.fromEntries(
    sticks.flatMap(({ name }) => (USUAL[name] ? [[name, { ...AXIS, ...USUAL[name] }]] : [])),
  );

const isMap = (value: unknown): value is PadMap =>
  areNumbers(value, ["axis", "deadZone", "expo", "low", "middle", "high"]);

export const storedMap = (vehicle: string, sticks: readonly Stick[]): PadMap =>
  readStored(`gamepad.${vehicle}`, isMap) ?? usualMap(sticks);
export const storeMap = (vehicle: string, map: PadMap): void => store(`gamepad.${vehicle}`, map);

/** -1 to 1 from what an axis says. */
export function calibrated({ low, middle, high }: AxisMap, raw: number): number {
  const way = raw < middle ? middle - low : high - middle;
  return way > 0.05 ? Math.max(-1, Math.min(1, (raw - middle) / way)) : 0;
}

/** Resolution of a stick: fine enough for control, coarse enough for a short log. */
const STEPS = 100;

/** The middle of an axis is where the stick rests. */
function positionOf(map: AxisMap, { min, max, rest }: Stick, raw: number): number {
  const v = shaped(
    { reverse: map.isReversed, range: [-1, 1], deadZone: map.deadZone, expo: map.expo },
    calibrated(map, raw),
  );
  return Math.round((rest + v * (v < 0 ? rest - min : max - rest)) * STEPS) / STEPS;
}

export const connectedPad = (): Gamepad | undefined =>
  [...navigator.getGamepads()].find((pad): pad is Gamepad => pad?.connected === true && pad.axes.length > 0);

export class Pad {
  map: PadMap = {};
  private sticks: readonly Stick[] = [];
  private last: number[] = [];
  private readonly send: (command: Command) => void;

  constructor(command: (command: Command) => void) {
    this.send = command;
  }

  begin({ sticks }: SessionInfo, map: PadMap): void {
    this.sticks = sticks;
    this.map = map;
    this.last = [];
  }

  /** Once a frame: a stick whose axis moved is held where it points; untouched ones are left to the keys. */
  look(isFlying: boolean): void {
    const pad = connectedPad();
    if (pad === undefined) return;
    this.sticks.forEach((stick, i) => {
      const map = this.map[stick.name];
      const raw = map && pad.axes[map.axis];
      if (raw === undefined) return;
      const value = positionOf(map, stick, raw);
      const before = this.last[i];
      if (before === undefined) {
        // Where it lies when it is plugged in is no gesture.
        this.last[i] = value;
        return;
      }
      // Axes tremble: a step is taken for a move only at the ends and in the middle.
      const isEnd = value === stick.min || value === stick.max || value === stick.rest;
      if (value === before || (!isEnd && Math.abs(value - before) < 1.5 / STEPS)) return;
      this.last[i] = value;
      if (isFlying) this.send({ type: "moveStick", stick: i, motion: "hold", value });
    });
  }
}
