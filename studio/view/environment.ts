/** What stands around: ceilings, walls, a track with its cones. The ground is the world's. */
import * as THREE from "three";
import type { Boundary } from "../../src/environment/boundaries.ts";
import type { Track } from "../../src/environment/track/track.ts";
import { put, putRoad } from "./frames.ts";

const isGround = ({ normal }: Boundary) => normal[2] < -0.99;

/** Height of the ground, three.js's y. */
export const groundOf = (boundaries: readonly Boundary[]): number => {
  const ground = boundaries.find((b) => isGround(b) && b.size === undefined);
  return ground ? -ground.point[2] : 0;
};

export function boundariesObject(boundaries: readonly Boundary[]): THREE.Group {
  const group = new THREE.Group();
  for (const b of boundaries) {
    if (isGround(b) && b.size === undefined) continue;
    const [width, height] = b.size ?? [80, 80];
    const normal = put(new THREE.Vector3(), ...b.normal).normalize();
    const pane = new THREE.Mesh(
      new THREE.PlaneGeometry(width, height),
      new THREE.MeshLambertMaterial({
        color: 0x7f9db5,
        transparent: true,
        opacity: 0.32,
        side: THREE.DoubleSide,
        depthWrite: false,
      }),
    );
    put(pane.position, ...b.point);
    // The plane's width stays level.
    const up = Math.abs(normal.y) > 0.99 ? new THREE.Vector3(0, 0, -1) : new THREE.Vector3(0, 1, 0);
    const along = new THREE.Vector3().crossVectors(up, normal).normalize();
    const across = new THREE.Vector3().crossVectors(normal, along);
    pane.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(along, across, normal));
    const grid = new THREE.LineSegments(
      new THREE.EdgesGeometry(
        new THREE.PlaneGeometry(
          width,
          height,
          Math.min(40, Math.ceil(width)),
          Math.min(40, Math.ceil(height)),
        ),
      ),
      new THREE.LineBasicMaterial({ color: 0xb8d4ea }),
    );
    pane.add(grid);
    group.add(pane);
  }
  return group;
}

const CONES = { blue: 0x2f6fd0, yellow: 0xf0d020, orange: 0xf07820 } as const;

export function trackObject(track: Track): THREE.Group {
  const group = new THREE.Group();
  const { line, cones, start, finish } = track;
  const strip: number[] = [];
  const indices: number[] = [];
  const n = line.X.length;
  const point = new THREE.Vector3();
  const w = (i: number) => line.w[i];
  for (let i = 0; i < n; i++)
    for (const side of [1, -1]) {
      const [s, c] = [Math.sin(line.phi[i]), Math.cos(line.phi[i])];
      putRoad(point, line.X[i] - side * s * w(i), line.Y[i] + side * c * w(i), 0.012);
      strip.push(point.x, point.y, point.z);
    }
  for (let i = 0; i < (line.isClosed ? n : n - 1); i++) {
    const [a, b] = [2 * i, 2 * ((i + 1) % n)];
    indices.push(a, a + 1, b, a + 1, b + 1, b);
  }
  const road = new THREE.BufferGeometry();
  road.setAttribute("position", new THREE.Float32BufferAttribute(strip, 3));
  road.setIndex(indices);
  road.computeVertexNormals();
  const asphalt = new THREE.Mesh(
    road,
    new THREE.MeshLambertMaterial({ color: 0x4a5058, side: THREE.DoubleSide }),
  );
  asphalt.receiveShadow = true;
  group.add(asphalt);
  for (const gate of [start, finish])
    if (gate) {
      const ends = [gate.left, gate.right].map(([X, Y]) => putRoad(new THREE.Vector3(), X, Y, 0.03));
      group.add(
        new THREE.Line(
          new THREE.BufferGeometry().setFromPoints(ends),
          new THREE.LineBasicMaterial({ color: 0xffffff }),
        ),
      );
    }
  const cone = new THREE.ConeGeometry(0.11, 0.32, 12);
  cone.translate(0, 0.16, 0);
  for (const [name, colour] of Object.entries(CONES)) {
    const own = cones.filter(
      (c) =>
        String(c.color ?? "").includes(name) || (name === "orange" && !/blue|yellow/.test(String(c.color))),
    );
    const many = new THREE.InstancedMesh(cone, new THREE.MeshLambertMaterial({ color: colour }), own.length);
    many.castShadow = true;
    own.forEach((c, i) => {
      many.setMatrixAt(i, new THREE.Matrix4().setPosition(putRoad(point, c.X, c.Y)));
    });
    group.add(many);
  }
  return group;
}
