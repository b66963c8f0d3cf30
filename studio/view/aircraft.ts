/** An aircraft from its numbers: rotors where they are, wings as large as they are, flaps that move with their servos. */
import * as THREE from "three";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import { put } from "./frames.ts";
import { COLOURS, mesh, Rotor, rod, spindle } from "./parts.ts";
import type { Shape } from "./shape.ts";
import { wingsOf } from "./wings.ts";

interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
const at = (v: Vec3) => put(new THREE.Vector3(), v.x, v.y, v.z);
const listOf = <T>(parts: Readonly<Record<number, T>> | undefined): [number, T][] =>
  Object.entries(parts ?? {}).map(([k, part]) => [Number(k), part]);

export function aircraftShape(p: AircraftParameters): Shape {
  const object = new THREE.Group();
  const places = new Map<string, THREE.Vector3>();
  const rotors = listOf(p.rotors);
  const arms = rotors.map(([, r]) => Math.hypot(r.position.x, r.position.y));
  const reach = Math.max(0.15, ...arms);
  const isLifter = (axis: Vec3) => axis.z < -0.5;
  const lifters = rotors.filter(([, r]) => isLifter(r.axis));
  const wings = wingsOf(p);
  const hasWings = wings.list.length > 0;
  const size = Math.max(2.2 * reach, wings.span, 0.4);

  // Neighbouring discs do not touch.
  const gaps = lifters.flatMap(([a, r]) =>
    lifters.flatMap(([b, s]) =>
      a < b ? [Math.hypot(r.position.x - s.position.x, r.position.y - s.position.y)] : [],
    ),
  );
  const largest = 0.46 * Math.min(2 * reach, ...gaps);
  const spinners = rotors.map(([k, r]) => {
    const radius = isLifter(r.axis)
      ? Math.min(largest, r.radius > 0 ? r.radius : 0.3 * reach)
      : r.radius > 0
        ? r.radius
        : 0.11 * size;
    const rotor = new Rotor(radius, r.direction);
    const place = at(r.position);
    rotor.object.position.copy(place);
    rotor.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), at(r.axis).normalize());
    object.add(rotor.object);
    for (const kind of ["force_rotor", "moment_rotor", "force_boundary"]) places.set(`${kind}_${k}`, place);
    if (isLifter(r.axis)) {
      const motor = mesh(
        new THREE.CylinderGeometry(0.1 * radius, 0.1 * radius, 0.3 * radius, 12),
        COLOURS.dark,
      );
      motor.position.copy(place).y -= 0.18 * radius;
      const root = hasWings
        ? new THREE.Vector3(place.x, place.y - 0.2 * radius, 0)
        : new THREE.Vector3(0, 0, 0);
      object.add(motor, rod(root, motor.position, 0.035 * reach, COLOURS.dark));
    }
    return { k, rotor };
  });

  if (hasWings) {
    const ends = [...wings.list.map((w) => w.centre), ...rotors.map(([, r]) => at(r.position))].map(
      (v) => -v.z,
    );
    const nose = Math.max(...ends, 0.22 * size) + 0.03 * size;
    const tail = Math.min(...ends, -0.25 * size) - 0.02 * size;
    object.add(spindle(nose, tail, 0.055 * size, COLOURS.body));
    const glass = mesh(new THREE.SphereGeometry(0.045 * size, 16, 10), COLOURS.glass);
    glass.scale.set(0.8, 0.7, 1.8);
    glass.position.set(0, 0.04 * size, -(nose - 0.14 * size));
    object.add(glass, ...wings.list.map((w) => w.object));
  } else {
    const hull = mesh(new THREE.BoxGeometry(0.5 * reach, 0.22 * reach, 0.7 * reach), COLOURS.body);
    const front = mesh(new THREE.BoxGeometry(0.3 * reach, 0.12 * reach, 0.1 * reach), COLOURS.accent);
    front.position.set(0, 0, -0.4 * reach);
    object.add(hull, front);
  }
  for (const [k, s] of listOf(p.surfaces)) {
    places.set(`force_surface_${k}`, at(s.position));
    places.set(`moment_surface_${k}`, at(s.position));
  }
  for (const [k, c] of listOf(p.contacts)) {
    const foot = at(c.position);
    places.set(`force_contact_${k}`, foot);
    if (foot.y > -0.02 * size) continue;
    const top = hasWings
      ? new THREE.Vector3(0.4 * foot.x, 0, foot.z)
      : new THREE.Vector3(0.6 * foot.x, 0, 0.6 * foot.z);
    if (!hasWings || Math.abs(foot.x) < 0.4 * wings.span)
      object.add(rod(top, foot, 0.008 * size, COLOURS.dark));
    const ball = mesh(
      new THREE.SphereGeometry(Math.max(0.012 * size, Math.min(c.radius, 0.06 * size)), 10, 8),
      COLOURS.rubber,
    );
    ball.position.copy(foot);
    object.add(ball);
  }
  return {
    object,
    size,
    eyes: new THREE.Vector3(0, 0.09 * size, -0.1 * size),
    places,
    move(get, seconds) {
      for (const { k, rotor } of spinners) rotor.spin(get(`rotor_${k}`), seconds);
      for (const { flaps } of wings.list)
        for (const { servo, sense, hinge } of flaps) hinge.rotation.x = sense * get(`servo_${servo}`);
    },
  };
}
