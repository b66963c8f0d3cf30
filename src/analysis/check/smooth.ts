/** Rates are finite wherever the model is valid, also at rest and pointing straight up, and have no jumps. */
import { stillAir } from "../../environment/environment.ts";
import { fromEuler } from "../../math/quaternion.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { isRigidBody } from "../motion.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { type Sample, Sampler } from "./sample.ts";

export function checkFinite(vehicle: Vehicle, usual: readonly Sample[]): Finding[] {
  const { model, parameters } = vehicle;
  const samples = [...specialSamples(vehicle), ...usual];
  for (const s of samples) {
    const { dx, y } = evaluate(model, parameters, s);
    const bad = [
      ...model.states.filter((_, i) => !Number.isFinite(dx[i])),
      ...model.outputs.filter((_, i) => !Number.isFinite(y[i])),
    ][0];
    if (bad) return [finding("finite", "wrong", `${bad.name} has no finite value at ${where(vehicle, s)}`)];
  }
  return [
    finding("finite", "ok", `finite at ${samples.length} states, including at rest and pointing straight up`),
  ];
}

/** At rest, straight up and down, backward, each control at its ends. */
export function specialSamples(vehicle: Vehicle): Sample[] {
  const { model, parameters } = vehicle;
  const sampler = new Sampler(vehicle, 7);
  const make = (edit: (x: Float64Array, u: Float64Array) => void): Sample => {
    const { x, u } = sampler.sample();
    const e = stillAir(model);
    edit(x, u);
    model.completeState?.(x, parameters);
    return { x, u, e };
  };
  const isBody = isRigidBody(model);
  // The first three of its velocities and rates, as far as it has so many.
  const moving = model.states.flatMap((f, i) => (f.kind === "velocity" || f.kind === "rate" ? [i] : []));
  const velocity =
    (...values: readonly number[]) =>
    (x: Float64Array) =>
      moving.slice(0, values.length).forEach((place, k) => {
        x[place] = values[k];
      });
  const list = [velocity(0, 0, 0), velocity(1e-12, 0, 0), velocity(-8, 0, 0), velocity(0, 8, 0)];
  if (isBody)
    list.push(
      velocity(0, 0, 8),
      velocity(0, 0, -8),
      ...[Math.PI / 2, -Math.PI / 2, Math.PI].map(
        (pitch) => (x: Float64Array) => fromEuler(0, pitch, 0, x, 6),
      ),
    );
  return [
    ...list.map((edit) => make(edit)),
    ...list.map((edit) =>
      make((x, u) => {
        edit(x);
        if (isBody) fromEuler(0, 0, 0, x, 6);
        u.fill(0);
        model.states.forEach((f, i) => {
          if (f.kind === "actuator") x[i] = 0;
        });
      }),
    ),
    // Motors that turn backward.
    make((x, u) => {
      model.states.forEach((f, i) => {
        if (f.kind === "actuator" && f.unit === "rad/s") x[i] *= -1;
      });
      model.inputs.forEach((f, i) => {
        if (f.unit === "rad/s") u[i] *= -1;
      });
    }),
    ...[0, 1].map((end) =>
      make((_, u) => {
        for (const c of model.controls?.(parameters) ?? [])
          for (const name of c.inputs)
            u[model.inputs.findIndex((f) => f.name === name)] = 1.2 * Math.min(1e5, end ? c.max : c.min);
      }),
    ),
  ];
}

const SEGMENTS = 24;
const PIECES = 24;

/** Along random lines between states: the steepest piece is halved until it is a slope, or remains a jump. */
export function checkContinuous(vehicle: Vehicle, p: unknown, skips: (s: Sample) => boolean): Finding[] {
  const { model } = vehicle;
  const sampler = new Sampler(vehicle, 8);
  for (let k = 0; k < SEGMENTS; k++) {
    const a = sampler.sample();
    const b = sampler.beside(a);
    const between = (t: number): Sample => {
      const mix = (v: Float64Array, w: Float64Array) => v.map((c, i) => c + t * (w[i] - c));
      const x = mix(a.x, b.x);
      model.states.forEach((f, i) => {
        if (f.kind === "discrete") x[i] = a.x[i];
      });
      return { x, u: mix(a.u, b.u), e: a.e };
    };
    const at = (t: number) => {
      const s = between(t);
      const dx = new Float64Array(s.x.length);
      model.derivative(s.x, s.u, p, s.e, dx);
      return dx;
    };
    const values = Array.from({ length: PIECES + 1 }, (_, i) => at(i / PIECES));
    for (let j = 0; j < model.states.length; j++) {
      const change = (i: number) => (i < 0 || i >= PIECES ? 0 : Math.abs(values[i + 1][j] - values[i][j]));
      let [best, range] = [0, 0];
      for (let i = 0; i < PIECES; i++) {
        range += change(i);
        if (change(i) > change(best)) best = i;
      }
      // What is as steep beside it is a slope.
      if (change(best) < 2 * Math.max(change(best - 1), change(best + 1))) continue;
      const jump = steepest(at, j, best / PIECES, (best + 1) / PIECES, 1e-4 * range);
      if (jump.size > 1e-4 * range && range > 1e-9 && !skips(between(jump.at)))
        return [
          finding(
            "continuous",
            "wrong",
            `the rate of ${model.states[j].name} jumps by ${shown(jump.size)} ${model.states[j].unit}/s at ${where(vehicle, between(jump.at))}`,
          ),
        ];
    }
  }
  return [finding("continuous", "ok", `no jumps along ${SEGMENTS} lines between states`)];
}

function steepest(
  f: (t: number) => Float64Array,
  j: number,
  low: number,
  high: number,
  least: number,
): { at: number; size: number } {
  let [a, b] = [low, high];
  let [fa, fb] = [f(a)[j], f(b)[j]];
  // What is small already is no jump, however steep.
  for (let round = 0; round < 36 && Math.abs(fb - fa) > least; round++) {
    const m = (a + b) / 2;
    const fm = f(m)[j];
    if (Math.abs(fm - fa) > Math.abs(fb - fm)) [b, fb] = [m, fm];
    else [a, fa] = [m, fm];
  }
  return { at: b, size: Math.abs(fb - fa) };
}

function where({ model }: Vehicle, { x }: Sample): string {
  const names = model.states.flatMap((f, i) =>
    f.kind === "velocity" || f.kind === "rate" || f.kind === "quaternion" ? [`${f.name} ${shown(x[i])}`] : [],
  );
  return names.join(", ");
}
