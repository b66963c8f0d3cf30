/** Wings as plates with flaps: of each simple surface one, of a whole aeroplane's coefficients the usual wing and tail. */
import * as THREE from "three";
import type { AircraftParameters } from "../../src/vehicles/aircraft/parameters.ts";
import { put } from "./frames.ts";
import { COLOURS, mesh } from "./parts.ts";

interface Flap {
  readonly servo: number;
  readonly sense: number;
  readonly hinge: THREE.Object3D;
}
interface Wing {
  readonly object: THREE.Object3D;
  readonly centre: THREE.Vector3;
  readonly flaps: readonly Flap[];
}
export interface Wings {
  readonly list: readonly Wing[];
  readonly span: number;
}

interface Plate {
  readonly centre: THREE.Vector3;
  readonly span: number;
  readonly chord: number;
  readonly colour: number;
  readonly isUpright?: boolean;
  /** Servos of flaps, from the left end to the right; the sense turns the trailing edge down. */
  readonly flaps: readonly {
    readonly servo: number;
    readonly sense: number;
    readonly from: number;
    readonly to: number;
  }[];
}

/** The span along x (along y if upright), the chord along z; flaps are its last quarter. */
function plate({ centre, span, chord, colour, isUpright, flaps }: Plate): Wing {
  const object = new THREE.Group();
  object.position.copy(centre);
  if (isUpright) object.rotation.z = Math.PI / 2;
  const thick = Math.max(0.006, 0.09 * chord);
  const section = new THREE.Shape();
  section.moveTo(0.5 * chord, 0);
  section.quadraticCurveTo(0.45 * chord, 0.5 * thick, 0.2 * chord, 0.5 * thick);
  section.lineTo(-0.25 * chord, 0.25 * thick);
  section.lineTo(-0.25 * chord, -0.25 * thick);
  section.lineTo(0.3 * chord, -0.4 * thick);
  const wing = mesh(
    new THREE.ExtrudeGeometry(section, { depth: span, bevelEnabled: false, steps: 1 }),
    colour,
  );
  // The section lies in x-y: its x is forward (-z), the extrusion runs along the span.
  wing.rotation.y = Math.PI / 2;
  wing.position.x = -0.5 * span;
  object.add(wing);
  const made = flaps.map(({ servo, sense, from, to }) => {
    const hinge = new THREE.Group();
    hinge.position.set((0.5 * (from + to) - 0.5) * span, 0, 0.25 * chord);
    const flap = mesh(
      new THREE.BoxGeometry(0.96 * (to - from) * span, 0.4 * thick, 0.25 * chord),
      COLOURS.accent,
    );
    flap.position.z = 0.125 * chord;
    hinge.add(flap);
    object.add(hinge);
    return { servo, sense, hinge };
  });
  return { object, centre, flaps: made };
}

const at = (v: { x: number; y: number; z: number }) => put(new THREE.Vector3(), v.x, v.y, v.z);

/** A flap whose servo's positive angle lifts: its trailing edge goes down; that of a fin which pushes the tail to the left, right. */
const senseOf = (lift: number) => (lift > 0 ? 1 : -1);

function simple(surface: SimpleSurface, all: readonly SimpleSurface[]): Wing {
  const { position, upward, area, servo } = surface;
  const isUpright = Math.abs(upward.y) > 0.7;
  const isLargest = area >= 0.4 * Math.max(...all.map((s) => s.area));
  const aspect = isUpright ? 1.4 : isLargest ? 3.2 : 2.6;
  const wanted = Math.sqrt(area * aspect);
  const hasTwin = !isUpright && Math.abs(position.y) > 0.02;
  const span = hasTwin
    ? Math.max(2 * Math.abs(position.y), Math.min(wanted, 4 * Math.abs(position.y)))
    : wanted;
  const chord = Math.min(area / span, 0.45 * span);
  const centre = at(position);
  if (hasTwin) centre.x = 0.5 * Math.sign(centre.x) * span;
  if (isUpright) centre.y += 0.5 * span;
  const flaps =
    servo > 0
      ? [
          {
            servo,
            sense: senseOf(-surface.control_joint_rad_to_cl * (isUpright ? upward.y : upward.z)),
            from: hasTwin ? 0.45 : 0.05,
            to: 0.95,
          },
        ]
      : [];
  const left = hasTwin && centre.x < 0;
  return plate({
    centre,
    span,
    chord,
    colour: isLargest ? COLOURS.body : COLOURS.second,
    isUpright,
    flaps: flaps.map((f) => (left ? { ...f, from: 1 - f.to, to: 1 - f.from } : f)),
  });
}

interface SimpleSurface {
  readonly position: { x: number; y: number; z: number };
  readonly upward: { x: number; y: number; z: number };
  readonly area: number;
  readonly servo: number;
  readonly control_joint_rad_to_cl: number;
}
interface WholeSurface {
  readonly position: { x: number; y: number; z: number };
  readonly area: number;
  readonly AR: number;
  readonly controls?: Readonly<Record<number, Control>>;
}
interface Control {
  readonly servo: number;
  readonly direction: number;
  readonly CL_ctrl: number;
  readonly Cell_ctrl: number;
  readonly Cem_ctrl: number;
  readonly Cen_ctrl: number;
}

/** Wing, tailplane and fin of usual size; controls go where they act. */
function whole({ position, area, AR, controls = {} }: WholeSurface): Wing[] {
  const span = Math.sqrt(AR * area);
  const chord = area / span;
  const list = Object.values(controls).filter((c) => c.servo > 0);
  const size = (c: Control) => [Math.abs(c.Cell_ctrl), Math.abs(c.Cem_ctrl), 2 * Math.abs(c.Cen_ctrl)];
  const kind = (c: Control) => size(c).indexOf(Math.max(...size(c)));
  const lift = (c: Control) => senseOf((c.direction || 1) * c.CL_ctrl);
  const rolling = list.filter((c) => kind(c) === 0);
  const wing = at(position);
  const tail = wing.clone().add(new THREE.Vector3(0, 0, 0.52 * span));
  return [
    plate({
      centre: wing.clone(),
      span,
      chord,
      colour: COLOURS.body,
      flaps: rolling.flatMap((c) => {
        const left = { servo: c.servo, from: 0.05, to: 0.45 };
        const right = { servo: c.servo, from: 0.55, to: 0.95 };
        // One control of both sides: to roll right, the left side lifts.
        const roll = senseOf((c.direction || 1) * c.Cell_ctrl);
        if (Math.abs(c.CL_ctrl) < 0.3 * Math.abs(c.Cell_ctrl))
          return [
            { ...left, sense: roll },
            { ...right, sense: -roll },
          ];
        // What lifts and rolls to the right is on the left.
        return [{ ...(c.CL_ctrl * c.Cell_ctrl > 0 ? left : right), sense: lift(c) }];
      }),
    }),
    plate({
      centre: tail.clone().add(new THREE.Vector3(0, 0.02 * span, 0)),
      span: 0.36 * span,
      chord: 0.6 * chord,
      colour: COLOURS.second,
      flaps: list
        .filter((c) => kind(c) === 1)
        .map((c) => ({ servo: c.servo, sense: lift(c), from: 0.05, to: 0.95 })),
    }),
    plate({
      centre: tail.clone().add(new THREE.Vector3(0, 0.11 * span, 0)),
      span: 0.18 * span,
      chord: 0.6 * chord,
      colour: COLOURS.second,
      isUpright: true,
      flaps: list
        .filter((c) => kind(c) === 2)
        .map((c) => ({
          servo: c.servo,
          sense: Math.sign((c.direction || 1) * c.Cen_ctrl) || 1,
          from: 0.05,
          to: 0.95,
        })),
    }),
  ];
}

export function wingsOf(p: AircraftParameters): Wings {
  const all = Object.values(p.surfaces ?? {}) as unknown as (SimpleSurface & WholeSurface)[];
  const simples = all.filter((s) => s.controls === undefined && s.AR === undefined);
  const list = all.flatMap((s) => (simples.includes(s) ? [simple(s, simples)] : whole(s)));
  const ends = list.map((w) => Math.abs(w.centre.x) + widthOf(w));
  return { list, span: 2 * Math.max(0, ...ends) };
}

function widthOf({ object }: Wing): number {
  const box = new THREE.Box3().setFromObject(object);
  return 0.5 * (box.max.x - box.min.x);
}
