/** A user's track: centre line and cones combined and validated. */
import { InputError } from "../../model/input-error.ts";
import { Progress } from "./progress.ts";
import { type CenterLine, type Cone, type Gate, gateAt, resampled, type Track } from "./track.ts";

/** Where laps are timed without orange cones: so far from the line's first point [m]. */
const GATE = 5;
/** Orange cones further apart along the line are no pair [m]. */
const PAIR = 3;
/** Points further apart than this are refined to that [m]: offsets are measured from the nearest one. */
const COARSE = 0.8;
const FINE = 0.5;

/** The vehicle that must fit on the track. */
export interface VehicleSize {
  readonly width: number;
  /** Of the circle that the wheels' stops allow [m]. */
  readonly turningRadius: number;
}

/** A line that the car can drive: wide enough, and no corner tighter than it can turn, even along the outer edge. */
export function refuseLine(line: CenterLine, { width, turningRadius }: VehicleSize): void {
  const narrow = line.w.findIndex((w) => 2 * w < width);
  if (narrow >= 0)
    throw new InputError(
      `is ${(2 * line.w[narrow]).toFixed(2)} m wide at (${line.X[narrow].toFixed(2)}, ${line.Y[narrow].toFixed(2)}), and the ` +
        `car ${width.toFixed(2)} m`,
      { allowed: "a track wider than the car" },
    );
  const tight = line.kappa.findIndex((k, i) => 1 / Math.abs(k) + line.w[i] < turningRadius);
  if (tight >= 0)
    throw new InputError(
      `turns with a radius of ${Math.abs(1 / line.kappa[tight]).toFixed(2)} m at (${line.X[tight].toFixed(2)}, ` +
        `${line.Y[tight].toFixed(2)}), and the car's turning circle has ${turningRadius.toFixed(2)} m`,
      { allowed: "corners that the car can drive" },
    );
}

/**
 * A track from a drawn centre line and cones.
 *
 * @throws InputError where the vehicle cannot follow the line: too narrow, too tight
 */
export function trackOf(name: string, drawn: CenterLine, cones: readonly Cone[], car: VehicleSize): Track {
  const line = drawn.length / drawn.s.length > COARSE ? resampled(drawn, FINE) : drawn;
  refuseLine(line, car);
  const { width } = car;
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
  const start = gateOf(line, placed);
  // A line that does not come back ends at its last point.
  return line.isClosed
    ? { name, line, cones, start }
    : { name, line, cones, start, finish: gateAt(line, line.length), laps: 1 };
}

/** Between the first two orange cones along the line, as brains2 has it. */
function gateOf(line: CenterLine, cones: readonly (Cone & { s: number; offset: number })[]): Gate {
  const orange = cones.filter((c) => c.color === "orange").sort((a, b) => a.s - b.s);
  const left = orange.find((c) => c.offset > 0);
  const apart = (c: { s: number }) => {
    const d = Math.abs(c.s - (left?.s ?? 0));
    return line.isClosed ? Math.min(d, line.length - d) : d;
  };
  const [right] = orange.filter((c) => c.offset < 0 && apart(c) < PAIR).sort((a, b) => apart(a) - apart(b));
  return left && right ? { left: [left.X, left.Y], right: [right.X, right.Y] } : gateAt(line, GATE);
}
