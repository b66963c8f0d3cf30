/** Forces and moments of every part as arrows on the vehicle. */
import * as THREE from "three";
import type { Field } from "../../src/model/field.ts";
import { put } from "./frames.ts";
import type { Get } from "./sample.ts";
import type { Shape } from "./shape.ts";

/** Colours that differ in lightness too, for eyes that do not tell all hues (Okabe and Ito). */
export const KINDS = [
  { kind: "rotor", name: "rotors", colour: 0x56b4e9 },
  { kind: "surface", name: "wings", colour: 0x009e73 },
  { kind: "canopy", name: "canopy", colour: 0x009e73 },
  { kind: "payload", name: "payload", colour: 0xcc79a7 },
  { kind: "drag", name: "body drag", colour: 0xcc79a7 },
  { kind: "boundary", name: "ground effect", colour: 0xf0e442 },
  { kind: "contact", name: "ground contact", colour: 0xd55e00 },
  { kind: "tyre", name: "tyres", colour: 0x56b4e9 },
  { kind: "load", name: "wheel loads", colour: 0x009e73 },
  { kind: "weight", name: "weight", colour: 0x999999 },
  { kind: "moment", name: "moments", colour: 0xe69f00 },
] as const;
export type ArrowKind = (typeof KINDS)[number]["kind"];

interface Wanted {
  readonly kind: ArrowKind;
  readonly place: THREE.Vector3;
  /** Components in the body (forward, right, down), [N] or [N m]. */
  readonly value: (get: Get) => readonly [number, number, number];
  readonly isMoment: boolean;
}

class Arrow {
  readonly object = new THREE.Group();
  private readonly shaft: THREE.Mesh;
  private readonly head: THREE.Mesh;

  constructor(colour: number, width: number) {
    const material = new THREE.MeshBasicMaterial({
      color: colour,
      depthTest: false,
      transparent: true,
      opacity: 0.92,
    });
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(width, width, 1, 8), material);
    this.shaft.geometry.translate(0, 0.5, 0);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(2.6 * width, 7 * width, 12), material);
    this.head.geometry.translate(0, -3.5 * width, 0);
    this.shaft.renderOrder = this.head.renderOrder = 5;
    this.object.add(this.shaft, this.head);
  }

  point(direction: THREE.Vector3, length: number): void {
    this.object.visible = length > 1e-3;
    if (!this.object.visible) return;
    this.object.quaternion.setFromUnitVectors(UP, direction);
    this.shaft.scale.y = length;
    this.head.position.y = length;
  }
}
const UP = new THREE.Vector3(0, 1, 0);
const v = new THREE.Vector3();

const kindOf = (id: string): ArrowKind | undefined => KINDS.find(({ kind }) => id.includes(kind))?.kind;

/** All arrows that a vehicle's outputs tell of. */
function wantedBy(channels: readonly Field[], shape: Shape, weight: () => number): Wanted[] {
  const names = new Set(channels.map((c) => c.name));
  const middle = new THREE.Vector3();
  const list: Wanted[] = [];
  for (const c of channels) {
    const { id, axis } = c.vector ?? {};
    if (id === undefined || axis !== 0 || id === "force" || id === "specific_force") continue;
    const isMoment = id.startsWith("moment");
    // Moments of single parts crowd the picture: the total one is enough, and `explain` has the rest.
    if (isMoment && id !== "moment") continue;
    const kind = isMoment ? "moment" : kindOf(id);
    if (kind === undefined) continue;
    const place = shape.places.get(id) ?? middle;
    list.push({ kind, place, isMoment, value: (get) => [get(`${id}_x`), get(`${id}_y`), get(`${id}_z`)] });
  }
  for (const wheel of ["FL", "FR", "RL", "RR"])
    if (names.has(`F_x_${wheel}`)) {
      const place = (shape.places.get(wheel) ?? middle).clone().setY(0.02);
      const isFront = wheel.startsWith("F");
      list.push({
        kind: "tyre",
        place,
        isMoment: false,
        // Tyre axes of steered wheels; the road's left is positive.
        value: (get) => {
          const delta = isFront ? get("delta") : 0;
          const [x, y] = [get(`F_x_${wheel}`), get(`F_y_${wheel}`)];
          return [x * Math.cos(delta) - y * Math.sin(delta), -(x * Math.sin(delta) + y * Math.cos(delta)), 0];
        },
      });
      list.push({ kind: "load", place, isMoment: false, value: (get) => [0, 0, -get(`F_z_${wheel}`)] });
    }
  if (names.has("q_w"))
    list.push({
      kind: "weight",
      place: middle,
      isMoment: false,
      value: (get) => {
        const [w, x, y, z] = [get("q_w"), get("q_x"), get("q_y"), get("q_z")];
        const W = weight();
        return [2 * W * (x * z - w * y), 2 * W * (y * z + w * x), W * (1 - 2 * (x * x + y * y))];
      },
    });
  return list;
}

export class Arrows {
  readonly object = new THREE.Group();
  readonly kinds: readonly ArrowKind[];
  private readonly list: readonly (Wanted & { readonly arrow: Arrow })[];
  private readonly size: number;
  private perNewton = 1;
  private perMoment = 1;
  private weight = 1;

  constructor(channels: readonly Field[], shape: Shape) {
    const wanted = wantedBy(channels, shape, () => this.weight);
    this.size = shape.size;
    this.list = wanted.map((w) => {
      const { colour } = KINDS.find((k) => k.kind === w.kind) as (typeof KINDS)[number];
      const arrow = new Arrow(colour, 0.009 * shape.size);
      arrow.object.position.copy(w.place);
      this.object.add(arrow.object);
      return { ...w, arrow };
    });
    this.kinds = [...new Set(wanted.map((w) => w.kind))];
  }

  /** The weight [N] is as long as the vehicle is wide. */
  weigh(weight: number): void {
    this.weight = weight;
    this.perNewton = this.size / Math.max(1e-6, weight);
    this.perMoment = 4 / Math.max(1e-6, weight);
  }

  move(get: Get, isShown: (kind: ArrowKind) => boolean): void {
    for (const { arrow, value, kind, isMoment } of this.list) {
      if (!isShown(kind)) {
        arrow.object.visible = false;
        continue;
      }
      const [forward, right, down] = value(get);
      put(v, forward, right, down);
      const size = v.length();
      if (!(size > 0)) {
        arrow.object.visible = false;
        continue;
      }
      arrow.point(v.divideScalar(size), size * (isMoment ? this.perMoment : this.perNewton));
    }
  }
}
