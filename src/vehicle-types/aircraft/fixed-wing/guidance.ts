/** Ways over ground: courses along lines and around circles, and the bank that turns towards them. */
import { wrap } from "../../../math/clamp.ts";
import { atan, atan2, cos, sin, tan } from "../../../math/elementary.ts";

/** Course back to the line through a point in a direction: at right angles far away, along it near. */
export function alongLine(
  north: number,
  east: number,
  line: { readonly north: number; readonly east: number; readonly course: number },
  lookahead: number,
): number {
  const right = (east - line.east) * cos(line.course) - (north - line.north) * sin(line.course);
  return line.course - atan(right / lookahead);
}

/** Course around a circle, clockwise for turn = 1, and the bank (as turn rate) that stays on it. */
export function aroundCircle(
  north: number,
  east: number,
  circle: { readonly north: number; readonly east: number; readonly radius: number; readonly turn: number },
  lookahead: number,
): { course: number; isNear: boolean } {
  const [dn, de] = [north - circle.north, east - circle.east];
  const outside = Math.sqrt(dn * dn + de * de) - circle.radius;
  const side = circle.turn * (Math.PI / 2 + atan(outside / lookahead));
  return { course: wrap(atan2(de, dn) + side), isNear: Math.abs(outside) < 0.5 * circle.radius };
}

/** Bank for a turn rate, within a limit. */
export function bankFor(turning: number, speed: number, g: number, limit: number): number {
  const bank = atan((speed * turning) / g);
  return bank > limit ? limit : bank < -limit ? -limit : bank;
}

/** How far before a corner the turn must begin, at a bank of 30 deg. */
export function anticipation(speed: number, g: number, corner: number): number {
  const radius = (speed * speed) / (g * 0.577);
  return radius * Math.min(2, tan(Math.min(1.2, Math.abs(corner) / 2)));
}
