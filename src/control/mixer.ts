/**
 * PX4's mixers (up to v1.13): a pilot's commands, in groups of eight between -1 and 1, become actuator outputs between -1 and 1.
 * Reading them from files: formats/px4-mix.ts.
 */
import { clamp } from "../math/clamp.ts";
import { cos, sin } from "../math/elementary.ts";

export interface Scaler {
  readonly negative: number;
  readonly positive: number;
  readonly offset: number;
  readonly lower: number;
  readonly upper: number;
}
export type Mixer =
  | { readonly kind: "null" }
  | {
      readonly kind: "simple";
      readonly output: Scaler;
      readonly inputs: readonly { readonly group: number; readonly index: number; readonly scaler: Scaler }[];
    }
  | {
      readonly kind: "multirotor";
      readonly geometry: string;
      readonly roll: number;
      readonly pitch: number;
      readonly yaw: number;
      /** Output when the throttle is closed, -1 to 1. */
      readonly idle: number;
    };

export const PLAIN: Scaler = { negative: 1, positive: 1, offset: 0, lower: -1, upper: 1 };

/** Azimuth clockwise from forward [deg] and turning direction (1 counter-clockwise) of each rotor, in PX4's order. */
const GEOMETRIES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  "4x": [
    [45, 1],
    [-135, 1],
    [-45, -1],
    [135, -1],
  ],
  "4+": [
    [90, 1],
    [-90, 1],
    [0, -1],
    [180, -1],
  ],
  "6x": [
    [90, -1],
    [-90, 1],
    [-30, -1],
    [150, 1],
    [30, 1],
    [-150, -1],
  ],
  "6+": [
    [0, -1],
    [180, 1],
    [-120, -1],
    [60, 1],
    [-60, 1],
    [120, -1],
  ],
  "8x": [
    [22.5, -1],
    [-157.5, -1],
    [67.5, 1],
    [157.5, 1],
    [-22.5, 1],
    [-112.5, 1],
    [-67.5, -1],
    [112.5, -1],
  ],
  "8+": [
    [0, -1],
    [180, -1],
    [45, 1],
    [135, 1],
    [-45, 1],
    [-135, 1],
    [-90, -1],
    [90, -1],
  ],
};

export const geometries = (): string[] => Object.keys(GEOMETRIES);

export const outputsOf = (mixer: Mixer): number =>
  mixer.kind === "multirotor" ? GEOMETRIES[mixer.geometry].length : 1;

/** Negative and positive inputs have factors of their own; then an offset, then limits. */
export function scaled({ negative, positive, offset, lower, upper }: Scaler, v: number): number {
  return clamp(v * (v < 0 ? negative : positive) + offset, lower, upper);
}

/** Outputs of all mixers one after the other; `control` gives a control's value by group and index. */
export function mix(mixers: readonly Mixer[], control: (group: number, index: number) => number): number[] {
  return mixers.flatMap((mixer) => {
    if (mixer.kind === "null") return [0];
    if (mixer.kind === "simple") {
      const sum = mixer.inputs.reduce(
        (s, { group, index, scaler }) => s + scaled(scaler, control(group, index)),
        0,
      );
      return [scaled(mixer.output, sum)];
    }
    const roll = mixer.roll * clamp(control(0, 0), -1, 1);
    const pitch = mixer.pitch * clamp(control(0, 1), -1, 1);
    const yaw = mixer.yaw * clamp(control(0, 2), -1, 1);
    const throttle = clamp(control(0, 3), 0, 1);
    return GEOMETRIES[mixer.geometry].map(([azimuth, turn]) => {
      const a = (azimuth * Math.PI) / 180;
      const part = clamp(throttle - roll * sin(a) + pitch * cos(a) + yaw * turn, 0, 1);
      return mixer.idle + part * (1 - mixer.idle);
    });
  });
}
