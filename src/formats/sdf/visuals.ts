/** What Gazebo shows of an exported vehicle: simple bodies of about its size. They touch nothing and weigh nothing. */
import { hypot } from "../../math/elementary.ts";
import type { AircraftParameters } from "../../vehicles/aircraft/parameters.ts";
import { SURFACE_LAWS } from "../../vehicles/aircraft/surfaces.ts";
import { anglesOf, anglesTo, flu, n } from "./poses.ts";

const COLOURS = {
  body: "0.25 0.28 0.32 1",
  wing: "0.85 0.87 0.9 1",
  rotor: "0.1 0.1 0.1 0.5",
  foot: "0.9 0.5 0.1 1",
};

const visual = (name: string, pose: string, shape: string, colour: string): string[] => [
  `      <visual name="${name}">`,
  `        <pose>${pose}</pose>`,
  `        <geometry>${shape}</geometry>`,
  `        <material><ambient>${colour}</ambient><diffuse>${colour}</diffuse></material>`,
  "      </visual>",
];
const box = (x: number, y: number, z: number) => `<box><size>${n(x)} ${n(y)} ${n(z)}</size></box>`;
const cylinder = (length: number, radius: number) =>
  `<cylinder><length>${n(length)}</length><radius>${n(radius)}</radius></cylinder>`;

/** Of the body: a box, arms to the rotors, wings and feet. */
export function bodyVisuals(p: AircraftParameters): string[] {
  const rotors = Object.entries(p.rotors ?? {});
  const [x, y, z] = bodySize(p);
  const arms = rotors.flatMap(([k, { position }]) => {
    const length = hypot(hypot(position.x, position.y), position.z);
    if (length < z) return [];
    const middle = { x: position.x / 2, y: position.y / 2, z: position.z / 2 };
    return visual(`arm_${k}`, `${flu(middle)} ${anglesTo(position)}`, cylinder(length, z / 8), COLOURS.body);
  });
  const wings = Object.entries(p.surfaces ?? {}).flatMap(([k, surface]) => {
    const { area, position, frame } = surface;
    // A plain surface says nothing of its shape.
    const aspect = surface.law === SURFACE_LAWS["lift-drag"] ? 4 : surface.AR;
    const span = Math.sqrt(area * aspect);
    const pose = `${flu(position)} ${anglesOf(frame)}`;
    return visual(`wing_${k}`, pose, box(area / span, span, 0.08 * (area / span)), COLOURS.wing);
  });
  const feet = Object.entries(p.contacts ?? {}).flatMap(([k, { position, radius }]) =>
    visual(
      `foot_${k}`,
      `${flu(position)} 0 0 0`,
      `<sphere><radius>${n(Math.max(radius, z / 8))}</radius></sphere>`,
      COLOURS.foot,
    ),
  );
  return [...visual("body", "0 0 0 0 0 0", box(x, y, z), COLOURS.body), ...arms, ...wings, ...feet];
}

/** Of a rotor's disc, in its own link. */
export const rotorVisual = (radius: number): string[] =>
  visual("disc", "0 0 0 0 0 0", cylinder(0.005, radius), COLOURS.rotor);

/** Half of what an even box with this mass and these moments of inertia measures: the rest are arms and wings. */
function bodySize({ m, I }: AircraftParameters): [number, number, number] {
  const size = (sum: number) => 0.5 * Math.sqrt(Math.max(6 * sum, 0.01 * (I.xx + I.yy + I.zz)) / m);
  return [size(I.yy + I.zz - I.xx), size(I.xx + I.zz - I.yy), size(I.xx + I.yy - I.zz)];
}
