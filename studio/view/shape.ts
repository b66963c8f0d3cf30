import type * as THREE from "three";
import type { Get } from "./sample.ts";

/** A vehicle to look at, in its own axes. */
export interface Shape {
  readonly object: THREE.Object3D;
  /** How large it is [m], for cameras and arrows. */
  readonly size: number;
  /** Where a pilot's eyes are. */
  readonly eyes: THREE.Vector3;
  /** Where parts of it are, by the ids of their arrows. */
  readonly places: ReadonlyMap<string, THREE.Vector3>;
  move(get: Get, seconds: number): void;
}
