/** A canopy of cells over lines and a payload; its trailing edge follows the brakes. */
import * as THREE from "three";
import type { ParafoilParameters } from "../../src/vehicles/parafoil/parameters.ts";
import { put } from "./frames.ts";
import { COLOURS, mesh, rod } from "./parts.ts";
import type { Shape } from "./shape.ts";

const CELLS = 12;
const ALONG = 5;
/** How far the wing arches to each side [rad]. */
const ARCH = 0.85;

export function parafoilShape(p: ParafoilParameters): Shape {
  const object = new THREE.Group();
  const { b, c } = p;
  const height = 0.62 * b;
  const radius = b / (2 * ARCH);
  const risers = [-1, 1].map((side) => new THREE.Vector3(0.06 * b * side, 0.02 * b, 0));
  const box = mesh(new THREE.BoxGeometry(0.13 * b, 0.16 * b, 0.2 * b), COLOURS.accent);
  box.position.y = -0.09 * b;
  object.add(box);
  const lid = mesh(new THREE.BoxGeometry(0.14 * b, 0.02 * b, 0.21 * b), COLOURS.dark);
  object.add(lid);

  // Rows of points from leading to trailing edge, station by station across the span.
  const rows = CELLS + 1;
  const points = new Float32Array(rows * ALONG * 3);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  const indices: number[][] = [[], []];
  for (let i = 0; i < CELLS; i++)
    for (let j = 0; j < ALONG - 1; j++) {
      const k = i * ALONG + j;
      indices[i % 2].push(k, k + 1, k + ALONG, k + 1, k + ALONG + 1, k + ALONG);
    }
  geometry.setIndex([...indices[0], ...indices[1]]);
  geometry.addGroup(0, indices[0].length, 0);
  geometry.addGroup(indices[0].length, indices[1].length, 1);
  const cloth = (colour: number) => new THREE.MeshLambertMaterial({ color: colour, side: THREE.DoubleSide });
  const canopy = new THREE.Mesh(geometry, [cloth(COLOURS.accent), cloth(0xf3efe6)]);
  canopy.castShadow = true;
  canopy.frustumCulled = false;
  object.add(canopy);

  const lineEnds: { index: number; riser: number }[] = [];
  for (let i = 0; i < rows; i += 2)
    for (const j of [0, 2, ALONG - 1]) lineEnds.push({ index: i * ALONG + j, riser: i < rows / 2 ? 0 : 1 });
  const linePoints = new Float32Array(lineEnds.length * 6);
  const lines = new THREE.BufferGeometry();
  lines.setAttribute("position", new THREE.BufferAttribute(linePoints, 3));
  const strings = new THREE.LineSegments(
    lines,
    new THREE.LineBasicMaterial({ color: 0x6b7683, transparent: true, opacity: 0.75 }),
  );
  strings.frustumCulled = false;
  object.add(strings);

  function bend(left: number, right: number): void {
    for (let i = 0; i < rows; i++) {
      const side = (2 * i) / CELLS - 1;
      const angle = side * ARCH;
      const chord = c * (1 - 0.25 * side * side);
      const brake = (side < 0 ? left : right) * Math.min(1, 0.35 + Math.abs(side));
      for (let j = 0; j < ALONG; j++) {
        const s = j / (ALONG - 1);
        const camber = 0.1 * chord * 4 * s * (1 - s) - 0.02 * chord;
        const droop = s > 0.5 ? -0.55 * chord * brake * (s - 0.5) * (s - 0.5) * 2 : 0;
        const r = radius + camber + droop;
        const k = 3 * (i * ALONG + j);
        points[k] = r * Math.sin(angle);
        points[k + 1] = height - radius + r * Math.cos(angle);
        points[k + 2] = (s - 0.35) * chord;
      }
    }
    lineEnds.forEach(({ index, riser }, n) => {
      linePoints.set(points.subarray(3 * index, 3 * index + 3), 6 * n);
      linePoints.set(risers[riser].toArray(), 6 * n + 3);
    });
    geometry.attributes.position.needsUpdate = true;
    lines.attributes.position.needsUpdate = true;
    geometry.computeVertexNormals();
  }
  bend(0, 0);
  object.add(rod(risers[0], risers[1], 0.006 * b, COLOURS.dark));

  const middle = new THREE.Vector3(0, height, 0);
  return {
    object,
    size: b,
    eyes: new THREE.Vector3(0, 0.1 * b, 0.05 * b),
    places: new Map([
      ["force_canopy", middle],
      ["moment_canopy", middle],
      ["force_payload", put(new THREE.Vector3(), p.r_pd_B.x, p.r_pd_B.y, p.r_pd_B.z)],
    ]),
    move(get) {
      bend(get("brake_left"), get("brake_right"));
    },
  };
}
