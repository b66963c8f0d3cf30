import { atan2, cos, sin } from "./elementary.ts";

/** Not below `low`, not above `high`; NaN stays NaN. */
export function clamp(v: number, low: number, high: number): number {
  const raised = v < low ? low : v;
  return raised > high ? high : raised;
}

/** An angle into -pi..pi. */
export const wrap = (angle: number): number => atan2(sin(angle), cos(angle));
