import { atan2, cos, sin } from "./elementary.ts";

/** Not below `low`, not above `high`; NaN stays NaN. */
export const clamp = (v: number, low: number, high: number): number => (v < low ? low : v > high ? high : v);

/** An angle into -pi..pi. */
export const wrap = (angle: number): number => atan2(sin(angle), cos(angle));
