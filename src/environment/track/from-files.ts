/** A track of somebody's own: centre line and cones put together, and looked at. */
import { InputError } from "../../model/input-error.ts";
import { Progress } from "./progress.ts";
import { type CenterLine, type Cone, type Gate, gateAt, type Track } from "./track.ts";

/** Where laps are timed without orange cones: so far from the line's first point [m]. */
const GATE = 5;

/** `width` is the car's: it must fit between the cones. */
export function trackOf(name: string, line: CenterLine, cones: readonly Cone[], width: number): Track {
  const narrow = line.w.findIndex((w) => 2 * w < width);
  if (narrow >= 0)
    throw new InputError(
      `is ${(2 * line.w[narrow]).toFixed(2)} m wide at (${line.X[narrow].toFixed(2)}, ${line.Y[narrow].toFixed(2)}), and the ` +
        `car ${width.toFixed(2)} m`,
      { allowed: "a track wider than the car" },
    );
  const placed = cones.map((cone) => {
    const progress = new Progress(line);
    progress.look(cone.X, cone.Y);
    return { ...cone, s: progress.s, offset: progress.offset };
  });
  const inWay = placed.find((c) => c.color !== "orange" && Math.abs(c.offset) < width / 2);
  if (inWay)
    throw new InputError(
      `there is no gap for the car: the ${inWay.color} cone at (${inWay.X.toFixed(2)}, ${inWay.Y.toFixed(2)}) stands ` +
        `${Math.abs(inWay.offset).toFixed(2)} m from the centre line, and the car is ${width.toFixed(2)} m wide`,
      { allowed: "cones beside the centre line" },
    );
  const sided = placed.filter((c) => c.color !== "orange");
  const wrong = sided.filter((c) => c.offset > 0 !== (c.color === "blue")).length;
  if (2 * wrong > sided.length)
    throw new InputError("blue cones stand on the right and yellow ones on the left", {
      allowed: "blue left, yellow right, as one drives along the centre line",
    });
  return { name, line, cones, start: gateOf(line, placed) };
}

/** Between the first two orange cones along the line, as brains2 has it. */
function gateOf(line: CenterLine, cones: readonly (Cone & { s: number; offset: number })[]): Gate {
  const orange = cones.filter((c) => c.color === "orange").sort((a, b) => a.s - b.s);
  const left = orange.find((c) => c.offset > 0);
  const right = orange.find((c) => c.offset < 0);
  return left && right ? { left: [left.X, left.Y], right: [right.X, right.Y] } : gateAt(line, GATE);
}
