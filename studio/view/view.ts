/** The picture of a flight: world, vehicle, arrows, trail, wind. */
import * as THREE from "three";
import type { Boundary } from "../../src/environment/boundaries.ts";
import type { SessionInfo } from "../../src/session/protocol.ts";
import { isPlane } from "../instruments/instruments.ts";
import { STUDIO_TYPES } from "../vehicle-types.tsx";
import { Air } from "./air.ts";
import { type ArrowKind, Arrows } from "./arrows.ts";
import { Cameras } from "./cameras.ts";
import { boundariesObject, groundOf, trackObject } from "./environment.ts";
import { put, putRoad, turn, turnRoad } from "./frames.ts";
import { COLOURS, mesh } from "./parts.ts";
import type { Get, Samples } from "./sample.ts";
import { scatterObject } from "./scatter.ts";
import type { Shape } from "./shape.ts";
import { Trail } from "./trail.ts";
import { DAY, NIGHT, World } from "./world.ts";

function shapeOf({ model, shape }: SessionInfo): Shape {
  const type = STUDIO_TYPES[model];
  if (type) return type.shape(shape);
  const object = mesh(new THREE.BoxGeometry(0.5, 0.3, 1), COLOURS.accent);
  return { object, size: 1, eyes: new THREE.Vector3(0, 0.3, 0), places: new Map(), move() {} };
}

/** As far as a vehicle has one [N]. */
export function weightOf({ parameters }: SessionInfo, values: Float64Array): number {
  const value = (name: string) => values[parameters.findIndex((f) => f.name === name)];
  return (value("m") || 1) * (value("g") || 9.81);
}

/** Old pictures leave the graphics memory. */
function discard(object: THREE.Object3D): void {
  object.traverse((o) => {
    if (o instanceof THREE.Mesh || o instanceof THREE.Line) o.geometry.dispose();
    if (o instanceof THREE.InstancedMesh) o.dispose();
  });
  object.removeFromParent();
}

/** Pixels over those of the screen, from step to step. */
const QUALITIES = [1, 0.75, 0.55];
/** Frames that take longer than this are too slow [s]. */
const SLOW = 1 / 28;

export class View {
  readonly cameras: Cameras;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly world: World;
  private readonly trail = new Trail();
  private readonly air = new Air();
  private readonly vehicle = new THREE.Group();
  private around = new THREE.Group();
  private ground = 0;
  private scatter?: THREE.Points;
  private shape?: Shape;
  private arrows?: Arrows;
  private isRoad = false;
  private quality = 0;
  private frames = 0;
  private pace = 1 / 60;
  /** Which arrows are wanted. */
  shown: ReadonlySet<ArrowKind> = new Set();
  showsTrail = true;
  showsWind = true;
  /** A small motion on top of the flight, of a mode's shape: rotation [rad] and place [m] in the body. */
  wobble?: { readonly turn: THREE.Vector3; readonly shift: THREE.Vector3 };

  constructor(canvas: HTMLCanvasElement, isDark: boolean) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.world = new World(isDark ? NIGHT : DAY);
    this.cameras = new Cameras(canvas);
    this.world.scene.add(this.vehicle, this.trail.object, this.air.object, this.around);
  }

  get kinds(): readonly ArrowKind[] {
    return this.arrows?.kinds ?? [];
  }

  dark(isDark: boolean): void {
    this.world.tone(isDark ? NIGHT : DAY);
  }

  begin(info: SessionInfo): void {
    for (const old of [...this.vehicle.children]) discard(old);
    const shape = shapeOf(info);
    this.shape = shape;
    this.isRoad = isPlane(info);
    this.arrows = new Arrows(info.channels, shape);
    this.arrows.weigh(weightOf(info, info.values));
    this.vehicle.add(shape.object, this.arrows.object);
    this.environment(info.boundaries, info);
    this.trail.clear();
    this.cameras.fresh();
  }

  environment(boundaries: readonly Boundary[], { track }: Pick<SessionInfo, "track">): void {
    discard(this.around);
    this.around = boundariesObject(boundaries);
    this.ground = groundOf(boundaries);
    if (track) this.around.add(trackObject(track));
    this.world.scene.add(this.around);
  }

  /** Where the runs of a campaign ended; nothing takes them away. */
  dots(north?: Float64Array, east?: Float64Array, failed?: Uint8Array): void {
    this.scatter?.geometry.dispose();
    this.scatter?.removeFromParent();
    this.scatter = north && east && failed && scatterObject(north, east, failed, this.ground);
    if (this.scatter) this.world.scene.add(this.scatter);
  }

  resize(width: number, height: number, ratio: number): void {
    this.renderer.setPixelRatio(Math.min(2, ratio) * QUALITIES[this.quality]);
    this.renderer.setSize(width, height, false);
    this.cameras.camera.aspect = width / Math.max(1, height);
  }

  /** Slow machines get fewer pixels rather than fewer frames; true where that changed. */
  adapt(seconds: number): boolean {
    this.pace += 0.05 * (Math.min(0.2, seconds) - this.pace);
    this.frames++;
    if (this.frames < 40 || this.pace < SLOW || this.quality === QUALITIES.length - 1) return false;
    this.quality++;
    this.frames = 0;
    this.world.hasShadow = this.quality < 2;
    return true;
  }

  /** One frame; `seconds` since the last, `flown` of them in the simulation. */
  draw(samples: Samples, seconds: number, flown: number): void {
    const { shape, vehicle } = this;
    if (shape === undefined) return;
    const { get } = samples;
    this.place(get);
    shape.move(get, flown);
    this.arrows?.move(get, (kind) => this.shown.has(kind) && this.cameras.name !== "cockpit");
    this.trail.object.visible = this.showsTrail;
    if (flown > 0) this.trail.add(vehicle.position, 0.05 * shape.size);
    const wind = (name: string) => (this.showsWind ? get(name) : 0);
    this.air.move(
      vehicle.position,
      shape.size,
      wind("wind_north"),
      wind("wind_east"),
      wind("wind_down"),
      flown,
    );
    this.world.follow(vehicle.position, shape.size, this.ground);
    this.cameras.follow(vehicle, shape.eyes, shape.size, seconds);
    shape.object.visible = this.cameras.name !== "cockpit" || this.isRoad;
    this.renderer.render(this.world.scene, this.cameras.camera);
  }

  /** From another moment on. */
  jump(): void {
    this.trail.clear();
  }

  /** After a change of parameters. */
  change(info: SessionInfo, values: Float64Array): void {
    this.arrows?.weigh(weightOf(info, values));
  }

  private place(get: Get): void {
    const { vehicle, wobble } = this;
    if (this.isRoad) {
      putRoad(vehicle.position, get("X"), get("Y"));
      turnRoad(vehicle.quaternion, get("phi"));
    } else {
      put(vehicle.position, get("north") || 0, get("east") || 0, get("down") || 0);
      turn(vehicle.quaternion, get("q_w"), get("q_x"), get("q_y"), get("q_z")).normalize();
      if (!Number.isFinite(vehicle.quaternion.w)) vehicle.quaternion.identity();
    }
    if (wobble) {
      vehicle.position.add(wobble.shift.clone().applyQuaternion(vehicle.quaternion));
      vehicle.quaternion.multiply(
        new THREE.Quaternion().setFromEuler(new THREE.Euler(wobble.turn.x, wobble.turn.y, wobble.turn.z)),
      );
    }
  }
}
