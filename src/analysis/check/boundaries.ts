/** Boundaries act only within their extent, in any order; the ground never pulls, and rates are continuous in the height. */
import { type Boundary, SLOT, slotOf } from "../../environment/boundaries.ts";
import { cos, sin } from "../../math/elementary.ts";
import { toWorld } from "../../math/quaternion.ts";
import { stream } from "../../math/random.ts";
import { indexOf } from "../../model/model.ts";
import { DOWN, Q_W, V_DOWN } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { difference, evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { type Sample, Sampler } from "./sample.ts";

const TRIES = 24;
/** Of the largest rate of its unit. */
const ROUNDING = 1e-9;

export function checkBoundaries(vehicle: Vehicle, p: unknown): Finding[] {
  if ((vehicle.model.boundarySlots ?? 0) === 0) return [];
  const { uniform } = stream(8, "boundaries");
  const sampler = new Sampler(vehicle, 31);
  for (let k = 0; k < TRIES; k++) {
    const sample = sampler.sample(k % 2 === 0 ? "low" : "ground");
    const wrong =
      misplaced(vehicle, p, sample, (i) => uniform(4 * k + i)) ??
      pulls(vehicle, p, sample, uniform(4 * k + 3));
    if (wrong !== undefined) return [finding("boundaries", "wrong", wrong)];
  }
  for (let k = 0; k < 3; k++) {
    const wrong = jumpOverHeight(vehicle, p, sampler.sample("low"));
    if (wrong !== undefined) return [finding("boundaries", "wrong", wrong)];
  }
  return [
    finding("boundaries", "ok", "ground and walls act only within their extent, in any order, and only push"),
  ];
}

/** The same vehicle between these boundaries alone, the nearest first or not. */
function between({ model }: Vehicle, { x, u, e }: Sample, list: readonly Boundary[]): Sample {
  const first = model.environment.length;
  const own = e.slice().fill(0, first);
  list.forEach((boundary, k) => {
    own.set(slotOf(boundary), first + SLOT * k);
  });
  return { x, u, e: own };
}

function misplaced(
  vehicle: Vehicle,
  p: unknown,
  sample: Sample,
  draw: (i: number) => number,
): string | undefined {
  const { model } = vehicle;
  const [north, east, down] = sample.x;
  const ground: Boundary = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] };
  const [angle, near] = [6.28 * draw(0), 0.02 + 0.28 * draw(1)];
  const wall: Boundary = {
    name: "wall",
    point: [north + near * cos(angle), east + near * sin(angle), down],
    normal: [-cos(angle), -sin(angle), -0.2],
  };
  const ceiling: Boundary = { name: "ceiling", point: [north, east, -1e5], normal: [0, 0, 1] };
  // Eight metres aside, wide one way and narrow the other: it does not reach the vehicle.
  const aside = ([along, across]: readonly [number, number], size: readonly [number, number]): Boundary => ({
    name: "table",
    point: [north + along, east + across, down + 0.02],
    normal: [0, 0, -1],
    size,
  });
  const differs = (a: readonly Boundary[], b: readonly Boundary[]) => {
    const [one, other] = [a, b].map((list) => evaluate(model, p, between(vehicle, sample, list)).dx);
    return difference(model.states, one, other, ROUNDING)?.field.name;
  };
  const cases = [
    { a: [ground, wall], b: [wall, ground], say: "the order of two boundaries changes" },
    {
      a: [ceiling, ground],
      b: [ground],
      say: "a distant ceiling listed first changes the effect of the ground on",
    },
    {
      a: [ground, aside([0, 8], [40, 2])],
      b: [ground],
      say: "a rectangle that ends to the side of the vehicle changes",
    },
    {
      a: [ground, aside([8, 0], [2, 40])],
      b: [ground],
      say: "a rectangle that ends ahead of the vehicle changes",
    },
  ];
  for (const { a, b, say } of cases) {
    const name = differs(a, b);
    if (name !== undefined) return `${say} the rate of ${name}`;
  }
  return undefined;
}

/** A contact force that pulls the vehicle towards the ground. */
function pulls(vehicle: Vehicle, p: unknown, sample: Sample, draw: number): string | undefined {
  const { model } = vehicle;
  const ground: Boundary = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] };
  const { x, u, e } = between(vehicle, sample, [ground]);
  const leaving = x.slice();
  leaving[V_DOWN] = -3 * draw;
  const { y } = evaluate(model, p, { x: leaving, u, e });
  const force = new Float64Array(3);
  for (let k = 1; ; k++) {
    const at = indexOf(model.outputs, `force_contact_${k}_x`);
    if (at < 0) return undefined;
    toWorld(leaving, Q_W, y, at, force, 0);
    if (force[2] > 1e-9) return `the ground pulls contact ${k} with ${shown(force[2])} N as it leaves`;
  }
}

const TOP = 4;
const STEPS = 400;

/** Level, at rest in still air, from the ground up. */
function jumpOverHeight(vehicle: Vehicle, p: unknown, sample: Sample): string | undefined {
  const { model } = vehicle;
  const at = (height: number) => {
    const x = sample.x.slice();
    x[DOWN] = -height;
    x.fill(0, 3, 6);
    x.fill(0, 10, 13);
    return evaluate(model, p, { x, u: sample.u, e: sample.e.slice().fill(0, 0, 3) }).dx;
  };
  const values = Array.from({ length: STEPS + 1 }, (_, i) => at((TOP * i) / STEPS));
  for (const j of [3, 4, 5, 10, 11, 12])
    for (let i = 1; i < STEPS; i++) {
      const change = (k: number) =>
        Math.abs(values[Math.min(STEPS, k + 1)][j] - values[Math.min(STEPS - 1, k)][j]);
      // Only what is much steeper than above it can be a jump.
      if (change(i) < 1e-5 || change(i) < 3 * change(i + 1)) continue;
      let [low, high] = [(TOP * i) / STEPS, (TOP * (i + 1)) / STEPS];
      let [below, above] = [values[i][j], values[i + 1][j]];
      for (let round = 0; round < 34; round++) {
        const middle = (low + high) / 2;
        const here = at(middle)[j];
        if (Math.abs(here - below) > Math.abs(above - here)) [high, above] = [middle, here];
        else [low, below] = [middle, here];
      }
      if (Math.abs(above - below) > 1e-6)
        return `the rate of ${model.states[j].name} jumps by ${shown(above - below)} at a height of ${shown(low)} m`;
    }
  return undefined;
}
