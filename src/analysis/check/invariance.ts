/** Invariance under translation, rotation about the vertical, a uniform wind (Galilei), and reflection left to right. */

import { cos, sin } from "../../math/elementary.ts";
import type { CheckName, Mirror } from "../../model/model-checks.ts";
import { isInPlane } from "../../vehicles/plane.ts";
import { P_B, Q_W } from "../../vehicles/rigid-body.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { checksOf } from "./checks-of.ts";
import { changed, difference, evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { type Sample, Sampler } from "./sample.ts";

const ROUNDS = 40;

/** A change of the state and of the rates that should follow. */
interface Change {
  readonly check: CheckName;
  readonly ok: string;
  readonly wrong: string;
  state(s: Sample): Sample;
  rates(dx: Float64Array): Float64Array;
}

function compare(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean, change: Change): Finding[] {
  const { model } = vehicle;
  const sampler = new Sampler(vehicle, 3);
  for (let k = 0; k < ROUNDS; k++) {
    const s = sampler.sample();
    if (skips(s)) continue;
    const before = evaluate(model, p, s);
    const after = evaluate(model, p, change.state(s));
    const found = difference(model.states, after.dx, change.rates(before.dx), 1e-9);
    if (found)
      return [
        finding(
          change.check,
          "wrong",
          `${change.wrong}: the rate of ${found.field.name} should be ${shown(found.b)} and is ${shown(found.a)} ${found.field.unit}/s`,
        ),
      ];
  }
  return [finding(change.check, "ok", change.ok)];
}

/** Wind and vehicle carried along together. */
export function checkGalilean(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  if (!isRigidBody(vehicle.model)) return [];
  const by = [3.1, -2.3, 0.7];
  return compare(vehicle, p, skips, {
    check: "galilean",
    ok: "a wind that carries everything along changes nothing",
    wrong: "it depends on the wind over ground, not only on the relative flow",
    state: ({ x, u, e }) => {
      const [x2, e2] = [x.slice(), e.slice()];
      for (let i = 0; i < 3; i++) {
        x2[3 + i] += by[i];
        e2[i] += by[i];
      }
      return { x: x2, u, e: e2 };
    },
    rates: (dx) => dx.map((v, i) => (i < 3 ? v + by[i] : v)),
  });
}

const TURN = 0.9;
const turned = (v: Float64Array, i: number) => {
  const [c, s] = [cos(TURN), sin(TURN)];
  [v[i], v[i + 1]] = [c * v[i] - s * v[i + 1], s * v[i] + c * v[i + 1]];
};

/** The whole world turned about the vertical, and moved. */
export function checkHeading(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  if (!isRigidBody(vehicle.model) && !isInPlane(vehicle.model)) return [];
  const isBody = isRigidBody(vehicle.model);
  const [ch, sh] = [cos(TURN / 2), sin(TURN / 2)];
  const quaternion = (v: Float64Array) => {
    const [w, a, b, d] = v.subarray(Q_W, P_B);
    v.set([ch * w - sh * d, ch * a - sh * b, ch * b + sh * a, ch * d + sh * w], 6);
  };
  return compare(vehicle, p, skips, {
    check: "heading",
    ok: "the same at any place and heading",
    wrong: "it depends on the position or the heading",
    state: ({ x, u, e }) => {
      const [x2, e2] = [x.slice(), e.slice()];
      x2[0] += 17;
      x2[1] -= 29;
      if (isBody) {
        turned(x2, 3);
        quaternion(x2);
        turned(e2, 0);
      } else x2[2] += TURN;
      return { x: x2, u, e: e2 };
    },
    rates: (dx) => {
      const out = dx.slice();
      turned(out, 0);
      if (isBody) {
        turned(out, 3);
        quaternion(out);
      }
      return out;
    },
  });
}

/** Signs of a rigid body seen in a mirror beside it: north-east-down, quaternion, rates. */
const BODY = [1, -1, 1, 1, -1, 1, 1, -1, 1, -1, -1, 1, -1];

export function checkMirror(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  const { model } = vehicle;
  const mirror = checksOf(vehicle)?.mirror?.(p);
  if (mirror === undefined) return [];
  if ("reason" in mirror) {
    const but = mirror.without ? "; checked without torque" : "";
    const note = finding("mirror", "note", `left and right differ: ${mirror.reason}${but}`);
    if (mirror.without === undefined) return [note];
    const parameters = changed(vehicle, mirror.without);
    return [note, ...checkMirror({ ...vehicle, parameters }, parameters, skips)];
  }
  const isBody = isRigidBody(model);
  const states = (v: Float64Array) =>
    v.map((_, i) => (isBody && i < 13 ? BODY[i] * v[i] : swapped(mirror.states, v, i)));
  return compare(vehicle, p, skips, {
    check: "mirror",
    ok: "left and right are mirror images",
    wrong: "left and right differ",
    state: ({ x, u, e }) => {
      const e2 = e.slice();
      if (isBody) e2[1] = -e2[1];
      return { x: states(x), u: u.map((_, i) => swapped(mirror.inputs, u, i)), e: e2 };
    },
    rates: states,
  });
}

const swapped = (pairs: Mirror["states"], v: Float64Array, i: number) => {
  const [partner, sign] = pairs[i] ?? [i, 1];
  return sign * v[partner];
};
