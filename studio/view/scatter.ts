/** Where the runs of a campaign ended, as dots on the ground. */
import * as THREE from "three";
import { put } from "./frames.ts";

const [FINE, FAILED] = [new THREE.Color(0x4aa3df), new THREE.Color(0xe0523a)];

export function scatterObject(
  north: Float64Array,
  east: Float64Array,
  failed: Uint8Array,
  ground: number,
): THREE.Points {
  const places: number[] = [];
  const colours: number[] = [];
  const point = new THREE.Vector3();
  north.forEach((n, i) => {
    if (!Number.isFinite(n) || !Number.isFinite(east[i])) return;
    put(point, n, east[i], 0);
    places.push(point.x, ground + 0.05, point.z);
    colours.push(...(failed[i] ? FAILED : FINE).toArray());
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
  const points = new THREE.Points(
    geometry,
    new THREE.PointsMaterial({ size: 4, sizeAttenuation: false, vertexColors: true }),
  );
  points.frustumCulled = false;
  return points;
}
