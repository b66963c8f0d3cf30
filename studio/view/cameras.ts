/** Four ways to look: from behind, around, from the ground, from inside. */
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export const CAMERAS = ["chase", "orbit", "ground", "cockpit"] as const;
export type CameraName = (typeof CAMERAS)[number];

export class Cameras {
  readonly camera = new THREE.PerspectiveCamera(55, 16 / 9, 0.02, 3000);
  name: CameraName = "chase";
  private readonly orbit: OrbitControls;
  private readonly behind = new THREE.Vector3();
  private readonly stand = new THREE.Vector3();
  private readonly aim = new THREE.Vector3();
  private isFresh = true;

  constructor(element: HTMLElement) {
    this.orbit = new OrbitControls(this.camera, element);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = 1.54;
    // Keys belong to the vehicle.
    this.orbit.enablePan = false;
    this.orbit.enabled = false;
  }

  choose(name: CameraName): void {
    this.name = name;
    this.isFresh = true;
    this.orbit.enabled = name === "orbit";
  }

  fresh(): void {
    this.isFresh = true;
  }

  follow(body: THREE.Object3D, eyes: THREE.Vector3, size: number, seconds: number): void {
    const { camera } = this;
    const place = body.position;
    const nose = new THREE.Vector3(0, 0, -1).applyQuaternion(body.quaternion);
    const level = new THREE.Vector3(nose.x, 0, nose.z);
    if (level.lengthSq() < 1e-4) level.set(0, 0, -1);
    level.normalize();
    camera.near = this.name === "cockpit" ? 0.02 : 0.05 * size;
    if (this.name === "chase") {
      const goal = place
        .clone()
        .addScaledVector(level, -2.7 * size)
        .add(new THREE.Vector3(0, 1.0 * size, 0));
      if (this.isFresh) this.behind.copy(goal);
      this.behind.lerp(goal, 1 - Math.exp(-5 * seconds));
      // However fast it flies, it stays in sight.
      const away = this.behind.distanceTo(place);
      if (away > 5 * size) this.behind.lerp(goal, 1 - (5 * size) / away);
      if (this.behind.y < 0.15 * size) this.behind.y = 0.15 * size;
      camera.position.copy(this.behind);
      camera.up.set(0, 1, 0);
      camera.lookAt(
        this.aim
          .copy(place)
          .addScaledVector(level, 0.6 * size)
          .setY(place.y + 0.2 * size),
      );
    } else if (this.name === "orbit") {
      if (this.isFresh)
        camera.position
          .copy(place)
          .addScaledVector(level, -2 * size)
          .add(new THREE.Vector3(1.6 * size, 1.1 * size, 0));
      else camera.position.add(place.clone().sub(this.orbit.target));
      this.orbit.target.copy(place);
      camera.up.set(0, 1, 0);
      this.orbit.minDistance = 0.8 * size;
      this.orbit.maxDistance = 60 * size;
      this.orbit.update(seconds);
    } else if (this.name === "ground") {
      const right = new THREE.Vector3(-level.z, 0, level.x);
      const far = 9 * size + 0.5 * place.y;
      if (this.isFresh || this.stand.distanceTo(place) > 4 * far + 40 * size)
        this.stand
          .copy(place)
          .addScaledVector(level, 1.5 * far)
          .addScaledVector(right, 0.6 * far)
          .setY(Math.min(1.7, 0.5 * size + 0.6));
      camera.position.copy(this.stand);
      camera.up.set(0, 1, 0);
      camera.lookAt(place);
    } else {
      camera.position.copy(eyes).applyQuaternion(body.quaternion).add(place);
      camera.up.set(0, 1, 0).applyQuaternion(body.quaternion);
      camera.lookAt(camera.position.clone().add(nose));
    }
    camera.fov =
      this.name === "ground"
        ? Math.max(8, Math.min(55, 400 * Math.atan(size / camera.position.distanceTo(place))))
        : 55;
    camera.updateProjectionMatrix();
    this.isFresh = false;
  }
}
