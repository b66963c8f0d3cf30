/** Wind as particles that drift with the air around the vehicle. */
import * as THREE from "three";
import { put } from "./frames.ts";

const COUNT = 260;

export class Air {
  readonly object: THREE.LineSegments;
  private readonly seeds = new Float32Array(3 * COUNT);
  private readonly points = new Float32Array(6 * COUNT);
  private readonly geometry = new THREE.BufferGeometry();
  private readonly wind = new THREE.Vector3();

  constructor() {
    for (let i = 0; i < this.seeds.length; i++) this.seeds[i] = Math.random() - 0.5;
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.points, 3));
    this.object = new THREE.LineSegments(
      this.geometry,
      new THREE.LineBasicMaterial({ color: 0x9fc4de, transparent: true, opacity: 0.55 }),
    );
    this.object.frustumCulled = false;
  }

  /** The wind's velocity is where the air goes to. */
  move(
    center: THREE.Vector3,
    size: number,
    north: number,
    east: number,
    down: number,
    seconds: number,
  ): void {
    const { wind, seeds, points } = this;
    put(wind, north || 0, east || 0, down || 0);
    const speed = wind.length();
    this.object.visible = speed > 0.05;
    if (!this.object.visible) return;
    const box = 14 * size;
    const home = [center.x, center.y, center.z];
    for (let i = 0; i < COUNT; i++) {
      for (let axis = 0; axis < 3; axis++) {
        const k = 3 * i + axis;
        const v = wind.getComponent(axis);
        seeds[k] += (v * seconds) / box;
        // The box travels with the vehicle; who leaves on one side comes back on the other.
        let at = seeds[k] - home[axis] / box;
        at -= Math.round(at);
        seeds[k] = at + home[axis] / box;
        const place = home[axis] + at * box;
        points[6 * i + axis] = place;
        points[6 * i + 3 + axis] = place - 0.12 * v;
      }
      if (points[6 * i + 1] < 0) points[6 * i + 4] = points[6 * i + 1];
    }
    this.geometry.attributes.position.needsUpdate = true;
  }
}
