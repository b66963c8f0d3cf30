/** Where the vehicle has been. */
import * as THREE from "three";

const MOST = 3000;

export class Trail {
  readonly object: THREE.Line;
  private readonly points = new Float32Array(3 * MOST);
  private readonly geometry = new THREE.BufferGeometry();
  private count = 0;
  private readonly last = new THREE.Vector3(Number.NaN, 0, 0);

  constructor() {
    this.geometry.setAttribute("position", new THREE.BufferAttribute(this.points, 3));
    this.object = new THREE.Line(
      this.geometry,
      new THREE.LineBasicMaterial({ color: 0xe8833a, transparent: true, opacity: 0.85 }),
    );
    this.object.frustumCulled = false;
    this.clear();
  }

  clear(): void {
    this.count = 0;
    this.last.x = Number.NaN;
    this.geometry.setDrawRange(0, 0);
  }

  /** A jump starts anew. */
  add(place: THREE.Vector3, least: number): void {
    const moved = this.last.distanceTo(place);
    if (moved < least) return;
    if (moved > 60) this.count = 0;
    if (this.count === MOST) {
      this.points.copyWithin(0, 3 * (MOST / 4));
      this.count -= MOST / 4;
    }
    this.points.set([place.x, place.y, place.z], 3 * this.count++);
    this.last.copy(place);
    this.geometry.setDrawRange(0, this.count);
    this.geometry.attributes.position.needsUpdate = true;
  }
}
