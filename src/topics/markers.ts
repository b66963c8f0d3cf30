/** Simple pictures of vehicles for RViz and Foxglove: lines in the body's axes, and boxes. */
import type { Vehicle } from "../model/model.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import type { Xyz, Xyzw } from "./frames.ts";
import { headerOf } from "./topic.ts";

export const SHAPES = { cube: 1, cylinder: 3, lines: 5 } as const;
type Color = readonly [number, number, number];

export interface MarkerSpec {
  readonly ns: string;
  readonly id: number;
  readonly type: number;
  readonly pose: { readonly position: Xyz; readonly orientation: Xyzw };
  readonly scale: Xyz;
  readonly color: Color;
  readonly points?: readonly Xyz[];
}

export function marker(
  t: number,
  frame: string,
  { ns, id, type, pose, scale, color, points = [] }: MarkerSpec,
): object {
  const [r, g, b] = color;
  return {
    header: headerOf(t, frame),
    ns,
    id,
    type,
    action: 0,
    pose,
    scale,
    color: { r, g, b, a: 1 },
    lifetime: { sec: 0, nanosec: 0 },
    frame_locked: false,
    points,
    colors: [],
    texture_resource: "",
    texture: { header: headerOf(0, ""), format: "", data: new Uint8Array(0) },
    uv_coordinates: [],
    text: "",
    mesh_resource: "",
    mesh_file: { filename: "", data: new Uint8Array(0) },
    mesh_use_embedded_materials: false,
  };
}

/** Pairs of points, each a line, in forward-right-down. */
type Lines = [Triple, Triple][];
type Triple = readonly [number, number, number];

/** Canopy, payload and the lines between them. */
export function parafoilLines(span: number, chord: number, height: number): Lines {
  const cells = 8;
  // The canopy bends down towards its tips.
  const rib = (k: number): Triple => {
    const s = (2 * k) / cells - 1;
    return [0, (s * span) / 2, -height + 0.15 * span * s * s];
  };
  const lines: Lines = [];
  for (let k = 0; k <= cells; k++) {
    const [, y, z] = rib(k);
    lines.push([
      [chord / 2, y, z],
      [-chord / 2, y, z],
    ]);
    if (k % 2 === 0) lines.push([rib(k), [0, 0, 0.3]]);
    if (k === 0) continue;
    const [, y0, z0] = rib(k - 1);
    for (const x of [chord / 2, -chord / 2])
      lines.push([
        [x, y0, z0],
        [x, y, z],
      ]);
  }
  return [...lines, ...box(0.15, 0.3)];
}

/** The edges of a payload. */
function box(half: number, down: number): Lines {
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [0, 2].map((z): Triple => [x * half, y * half, down + z * half])),
  );
  const lines: Lines = [];
  corners.forEach((a, i) => {
    for (const bit of [1, 2, 4]) if ((i & bit) === 0) lines.push([a, corners[i | bit]]);
  });
  return lines;
}

/** Arms with rotors, wings as wide as they are. */
export function aircraftLines({ parameters }: Vehicle): Lines {
  const { rotors = {}, surfaces = {} } = parameters as Partial<AircraftParameters>;
  const lines: Lines = [];
  const xyz = ({ x, y, z }: Xyz): Triple => [x, y, z];
  for (const { position, radius } of Object.values(rotors)) {
    const [x, y, z] = xyz(position);
    lines.push([
      [0, 0, 0],
      [x, y, z],
    ]);
    const r = radius > 0 ? radius : 0.1;
    lines.push(
      [
        [x - r, y, z],
        [x + r, y, z],
      ],
      [
        [x, y - r, z],
        [x, y + r, z],
      ],
    );
  }
  for (const { position, area, AR } of Object.values(surfaces)) {
    const [x, y, z] = xyz(position);
    const half = AR > 0 ? Math.sqrt(area * AR) / 2 : Math.sqrt(area);
    lines.push([
      [x, y - half, z],
      [x, y + half, z],
    ]);
  }
  return lines.length > 0 ? lines : box(0.2, -0.2);
}
