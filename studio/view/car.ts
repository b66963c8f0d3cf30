/** An open-wheel car with wings; its front wheels steer, all turn at the speed of the road. */
import * as THREE from "three";
import type { CarParameters } from "../../src/vehicles/car/parameters.ts";
import { COLOURS, mesh, rod } from "./parts.ts";
import type { Shape } from "./shape.ts";

const WHEEL = 0.23;

export function carShape(p: CarParameters): Shape {
  const object = new THREE.Group();
  const { l_F, l_R, W } = p;
  const nose = Math.max(l_F + 0.5, 0.5 * p.length);
  const box = (w: number, h: number, l: number, y: number, ahead: number, colour: number) => {
    const made = mesh(new THREE.BoxGeometry(w, h, l), colour);
    made.position.set(0, y, -ahead);
    object.add(made);
    return made;
  };
  const tub = new THREE.Shape();
  tub.moveTo(nose, 0.16);
  tub.lineTo(nose, 0.26);
  tub.lineTo(0.45, 0.48);
  tub.lineTo(0.25, 0.36);
  tub.lineTo(-0.35, 0.36);
  tub.lineTo(-0.5, 0.72);
  tub.lineTo(-l_R - 0.15, 0.34);
  tub.lineTo(-l_R - 0.15, 0.12);
  tub.lineTo(0.6, 0.08);
  const body = mesh(
    new THREE.ExtrudeGeometry(tub, {
      depth: 0.44,
      bevelEnabled: true,
      bevelSize: 0.04,
      bevelThickness: 0.05,
      bevelSegments: 2,
    }),
    COLOURS.accent,
  );
  body.rotation.y = Math.PI / 2;
  body.position.set(-0.22, 0, 0);
  object.add(body);
  const helmet = mesh(new THREE.SphereGeometry(0.14, 16, 12), COLOURS.body);
  helmet.position.set(0, 0.6, 0.22);
  object.add(helmet);
  box(W + 0.12, 0.02, 0.34, 0.1, nose + 0.05, COLOURS.dark);
  box(0.9 * W, 0.02, 0.36, 0.86, -l_R - 0.2, COLOURS.dark);
  for (const side of [-1, 1]) {
    const plate = box(0.02, 0.42, 0.42, 0.75, -l_R - 0.2, COLOURS.second);
    plate.position.x = side * 0.45 * W;
    const pod = box(0.28, 0.26, 0.8, 0.24, -0.3, COLOURS.second);
    pod.position.x = side * 0.4;
  }
  object.add(
    rod(
      new THREE.Vector3(-0.2, 0.1, l_R + 0.1),
      new THREE.Vector3(-0.2, 0.86, l_R + 0.2),
      0.015,
      COLOURS.dark,
    ),
  );
  object.add(
    rod(new THREE.Vector3(0.2, 0.1, l_R + 0.1), new THREE.Vector3(0.2, 0.86, l_R + 0.2), 0.015, COLOURS.dark),
  );

  const wheels = (["FL", "FR", "RL", "RR"] as const).map((name) => {
    const side = name.endsWith("L") ? -1 : 1;
    const ahead = name.startsWith("F") ? l_F : -l_R;
    const steered = new THREE.Group();
    steered.position.set(0.5 * side * W, WHEEL, -ahead);
    const turning = new THREE.Group();
    const tyre = mesh(new THREE.CylinderGeometry(WHEEL, WHEEL, 0.2, 24), COLOURS.rubber);
    const rim = mesh(new THREE.CylinderGeometry(0.13, 0.13, 0.21, 6), COLOURS.body);
    tyre.rotation.z = rim.rotation.z = Math.PI / 2;
    turning.add(tyre, rim);
    steered.add(turning);
    object.add(steered);
    object.add(
      rod(new THREE.Vector3(0.2 * side, 0.2, -ahead), steered.position.clone(), 0.015, COLOURS.dark),
    );
    return { name, steered, turning, isFront: name.startsWith("F") };
  });
  return {
    object,
    size: 2.4,
    eyes: new THREE.Vector3(0, 0.78, 0.2),
    places: new Map(wheels.map((w) => [w.name, w.steered.position])),
    move(get, seconds) {
      for (const { steered, turning, isFront } of wheels) {
        if (isFront) steered.rotation.y = get("delta");
        turning.rotation.x = (turning.rotation.x - (get("v_x") / WHEEL) * seconds) % (2 * Math.PI);
      }
    },
  };
}
