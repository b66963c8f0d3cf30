/** Tracks of the Formula Student rules: skidpad, acceleration, and a closed autocross. */
import { cos, sin } from "../../math/elementary.ts";
import {
  type CenterLine,
  type Cone,
  type ConeColor,
  centerLine,
  edgeCones,
  gateAt,
  resampled,
  type Track,
} from "./track.ts";

const SPACING = 0.5;
const TURN = 2 * Math.PI;

/** 75 m from standstill, 0.3 m behind the line, 5 m wide, and a lane to brake in; cones every 5 m. */
export function acceleration(): Track {
  const [before, timed, after] = [5, 75, 100];
  const count = (before + timed + after) / SPACING + 1;
  const X = Array.from({ length: count }, (_, i) => -before + i * SPACING);
  const line = centerLine(
    X,
    X.map(() => 0),
    X.map(() => 2.5),
    false,
  );
  const orange = [0, timed].flatMap((at): Cone[] => [
    { color: "orange", X: at, Y: 2.8 },
    { color: "orange", X: at, Y: -2.8 },
  ]);
  return {
    name: "acceleration",
    line,
    cones: [...edgeCones(line, 5), ...orange],
    start: gateAt(line, before),
    finish: gateAt(line, before + timed),
    laps: 1,
    staging: 0.3,
  };
}

/** Circles of 15.25 m and 21.25 m diameter, their centres 18.25 m apart: twice round to the right, twice to the left. */
export function skidpad(): Track {
  const [inner, outer, apart] = [15.25 / 2, 21.25 / 2, 18.25];
  const radius = (inner + outer) / 2;
  const [before, after] = [15, 25];
  const points: [number, number, number][] = [];
  const straight = (from: number, to: number) => {
    const count = Math.round((to - from) / SPACING);
    for (let i = 0; i < count; i++) points.push([from + ((to - from) * i) / count, 0, 0]);
  };
  const circle = (side: 1 | -1) => {
    const count = Math.round((TURN * radius) / SPACING);
    for (let i = 0; i < 2 * count; i++) {
      const a = (TURN * i) / count;
      points.push([radius * sin(a), side * radius * (1 - cos(a)), side / radius]);
    }
  };
  straight(-before, 0);
  circle(-1);
  circle(1);
  straight(0, after);
  points.push([after, 0, 0]);
  const drawn = centerLine(
    points.map((p) => p[0]),
    points.map((p) => p[1]),
    points.map(() => (outer - inner) / 2),
    false,
  );
  // Circles have the curvature of circles, which a spline would round off at their joints.
  const line: CenterLine = { ...drawn, kappa: Float64Array.from(points, (p) => p[2]) };
  const half = (outer - inner) / 2;
  return {
    name: "skidpad",
    line,
    cones: skidpadCones(inner, outer, apart / 2),
    start: { left: [0, half], right: [0, -half] },
    laps: 4,
  };
}

/** Sixteen cones on each inner circle, thirteen on each outer one: its sixteen less those in the other circle's lane. */
function skidpadCones(inner: number, outer: number, centre: number): Cone[] {
  const cones: Cone[] = [];
  for (const side of [1, -1])
    for (let k = 0; k < 16; k++) {
      const a = (TURN * k) / 16;
      const at = (r: number, color: ConeColor): Cone => ({
        color,
        X: r * sin(a),
        Y: side * (centre - r * cos(a)),
      });
      cones.push(at(inner, side > 0 ? "blue" : "yellow"));
      if (k > 1 && k < 15) cones.push(at(outer, side > 0 ? "yellow" : "blue"));
    }
  return cones;
}

/** Corners of the closed autocross, through which a spline runs [m]. */
const CORNERS: readonly (readonly [number, number])[] = [
  [0, 0],
  [20, 0],
  [42, 0],
  [58, 4],
  [64, 17],
  [55, 27],
  [43, 30],
  [38, 40],
  [46, 50],
  [62, 52],
  [76, 58],
  [78, 72],
  [66, 80],
  [48, 77],
  [34, 70],
  [22, 74],
  [10, 80],
  [-4, 77],
  [-9, 65],
  [-2, 54],
  [10, 48],
  [12, 36],
  [2, 29],
  [-14, 28],
  [-24, 18],
  [-21, 5],
];

/** A closed course of 396 m and 3.5 m width, corners of 8 to 25 m radius to both sides, one straight. */
export function autocross(): Track {
  const corners = centerLine(
    CORNERS.map((c) => c[0]),
    CORNERS.map((c) => c[1]),
    CORNERS.map(() => 1.75),
    true,
  );
  const line = resampled(corners, SPACING);
  const start = gateAt(line, 5);
  const orange = [start.left, start.right].map(([X, Y]): Cone => ({ color: "orange", X, Y }));
  return { name: "autocross", line, cones: [...edgeCones(line, 4), ...orange], start };
}

export const TRACKS: Readonly<Record<string, () => Track>> = { autocross, skidpad, acceleration };
