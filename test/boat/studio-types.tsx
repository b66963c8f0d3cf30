/** In place of studio/vehicle-types.tsx: the list with one more type. */
import * as THREE from "three";
import type { Instruments } from "../../studio/instruments/instruments.ts";
import { STUDIO_TYPES as SHIPPED } from "../../studio/vehicle-types.tsx";
import type { Shape } from "../../studio/view/shape.ts";

const instruments: Instruments = {
  readings: (get) => [
    { name: "speed", value: get("speed"), unit: "m/s", digits: 1 },
    { name: "yaw rate", value: (get("omega") * 180) / Math.PI, unit: "°/s", digits: 1 },
  ],
  Dials: () => <span data-testid="compass">N</span>,
};

/** Four metres of hull. */
function shape(): Shape {
  const hull = new THREE.Mesh(
    new THREE.BoxGeometry(1.5, 0.5, 4),
    new THREE.MeshLambertMaterial({ color: "#c05020" }),
  );
  return { object: hull, size: 4, eyes: new THREE.Vector3(0, 1.5, 0), places: new Map(), move() {} };
}

export const STUDIO_TYPES = { ...SHIPPED, boat: { shape, instruments } };
