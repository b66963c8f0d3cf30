/** Things that vehicles are made of. */
import * as THREE from "three";

export const COLOURS = {
  body: 0xd8dee6,
  dark: 0x39434f,
  accent: 0xe8833a,
  second: 0x3a78b8,
  glass: 0x9fc4de,
  rubber: 0x23272d,
} as const;

const materials = new Map<string, THREE.MeshLambertMaterial>();

/** One material a colour. */
function paint(colour: number, isDouble = false): THREE.MeshLambertMaterial {
  const key = `${colour} ${isDouble}`;
  const known = materials.get(key);
  if (known) return known;
  const material = new THREE.MeshLambertMaterial({
    color: colour,
    side: isDouble ? THREE.DoubleSide : THREE.FrontSide,
  });
  materials.set(key, material);
  return material;
}

export function mesh(geometry: THREE.BufferGeometry, colour: number, isDouble?: boolean): THREE.Mesh {
  const made = new THREE.Mesh(geometry, paint(colour, isDouble));
  made.castShadow = true;
  made.receiveShadow = true;
  return made;
}

/** A rod between two points. */
export function rod(a: THREE.Vector3, b: THREE.Vector3, radius: number, colour: number): THREE.Mesh {
  const way = b.clone().sub(a);
  const made = mesh(new THREE.CylinderGeometry(radius, radius, way.length(), 8), colour);
  made.position.copy(a).addScaledVector(way, 0.5);
  made.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
  return made;
}

/** A spindle along -z: a fuselage from nose to tail. */
export function spindle(nose: number, tail: number, radius: number, colour: number): THREE.Mesh {
  const length = nose - tail;
  const profile = [
    [0, 0],
    [0.06, 0.55],
    [0.2, 0.95],
    [0.45, 1],
    [0.75, 0.55],
    [1, 0.18],
  ];
  const points = profile.map(([s, r]) => new THREE.Vector2(Math.max(1e-4, r * radius), s * length));
  const made = mesh(new THREE.LatheGeometry(points, 20), colour);
  made.rotation.x = Math.PI / 2;
  made.position.z = -nose;
  return made;
}

/** A rotor: blades that turn about y and a disc that shows when they are too fast to see. */
export class Rotor {
  readonly object = new THREE.Group();
  private readonly blades = new THREE.Group();
  private readonly disc: THREE.Mesh<THREE.CircleGeometry, THREE.MeshBasicMaterial>;
  private readonly sense: number;

  /** `sense` 1 turns counter-clockwise seen from where it thrusts to. */
  constructor(radius: number, sense: number) {
    this.sense = sense;
    const blade = new THREE.BoxGeometry(2 * radius, 0.012 * Math.max(0.3, radius), 0.14 * radius);
    this.blades.add(mesh(blade, COLOURS.dark));
    this.disc = new THREE.Mesh(
      new THREE.CircleGeometry(radius, 40),
      new THREE.MeshBasicMaterial({
        color: sense > 0 ? COLOURS.accent : COLOURS.second,
        transparent: true,
        opacity: 0,
        side: THREE.DoubleSide,
        depthWrite: false,
      }),
    );
    this.disc.rotation.x = -Math.PI / 2;
    this.object.add(
      this.blades,
      this.disc,
      mesh(new THREE.CylinderGeometry(0.1 * radius, 0.12 * radius, 0.18 * radius, 12), COLOURS.dark),
    );
  }

  spin(speed: number, seconds: number): void {
    this.blades.rotation.y = (this.blades.rotation.y + this.sense * speed * seconds) % (2 * Math.PI);
    this.disc.material.opacity = 0.35 * Math.min(1, Math.abs(speed) / 150);
  }
}
