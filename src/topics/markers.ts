/** Simple pictures of vehicles for RViz and Foxglove: lines in the body's axes, and boxes. */
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
export type Lines = [Triple, Triple][];
export type Triple = readonly [number, number, number];

/** The edges of a cube, so far below the origin. */
export function box(half: number, down: number): Lines {
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [0, 2].map((z): Triple => [x * half, y * half, down + z * half])),
  );
  const lines: Lines = [];
  corners.forEach((a, i) => {
    for (const bit of [1, 2, 4]) if ((i & bit) === 0) lines.push([a, corners[i | bit]]);
  });
  return lines;
}
