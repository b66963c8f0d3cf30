/**
 * Beyond its range an input acts as at its limit; the correction of the state after each step is idempotent, and so is what a
 * model does at the start of a tick.
 */
import { indexOf } from "../../model/model.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding } from "./finding.ts";
import { type Region, type Sample, Sampler } from "./sample.ts";

const TRIES = 12;
/** Beyond the end, in ranges; and a tick [s]. */
const BEYOND = 0.7;
const TICK = 0.01;
const ROUNDING = 1e-12;

export function checkLimits(
  vehicle: Vehicle,
  p: unknown,
  skips: (s: Sample) => boolean,
  places: readonly Region[],
): Finding[] {
  const sampler = new Sampler(vehicle, 22);
  for (let k = 0; k < TRIES; k++) {
    const sample = sampler.sample(places[k % places.length]);
    if (skips(sample)) continue;
    const wrong =
      beyondRange(vehicle, p, sample) ?? projected(vehicle, p, sample) ?? ticked(vehicle, p, sample);
    if (wrong !== undefined) return [finding("limits", "wrong", wrong)];
  }
  return [
    finding(
      "limits",
      "ok",
      "inputs beyond their range act as at its limit; corrections of the state are idempotent",
    ),
  ];
}

const differ = (a: Float64Array, b: Float64Array) =>
  a.findIndex((v, i) => v !== b[i] && !(Math.abs(v - b[i]) <= ROUNDING * Math.max(1, Math.abs(v))));

function beyondRange({ model }: Vehicle, p: unknown, sample: Sample): string | undefined {
  for (const { inputs, min, max } of model.controls?.(p) ?? [])
    for (const name of inputs)
      for (const end of [min, max]) {
        const i = indexOf(model.inputs, name);
        // A rotor may be commanded to turn backwards, as in Gazebo.
        if (!Number.isFinite(max - min) || (end === min && model.inputs[i].unit === "rad/s")) continue;
        const at = (value: number) => {
          const [x, u] = [sample.x.slice(), sample.u.slice()];
          u[i] = value;
          model.onTick?.(x, u, p, sample.e, TICK);
          return evaluate(model, p, { x, u, e: sample.e }).dx;
        };
        const beyond = end + (end === max ? BEYOND : -BEYOND) * (max - min);
        const place = differ(at(end), at(beyond));
        if (place >= 0)
          return `${name} = ${Number(beyond.toPrecision(4))} has more effect on ${model.states[place].name} than its limit, ${Number(end.toPrecision(4))}`;
      }
  return undefined;
}

function projected({ model }: Vehicle, p: unknown, { x }: Sample): string | undefined {
  if (model.project === undefined) return undefined;
  const once = x.slice();
  model.project(once, p);
  const twice = once.slice();
  model.project(twice, p);
  const again = differ(once, twice);
  if (again >= 0) return `a second correction of the state changes ${model.states[again].name} again`;
  const q = model.states.findIndex((f) => f.kind === "quaternion");
  if (q < 0) return undefined;
  const scaled = x.slice();
  for (let i = q; i < q + 4; i++) scaled[i] *= 1.01;
  model.project(scaled, p);
  const length = Math.sqrt(scaled.subarray(q, q + 4).reduce((sum, v) => sum + v * v, 0));
  return Math.abs(length - 1) > 1e-9
    ? `the attitude quaternion has length ${length} after its correction`
    : undefined;
}

function ticked({ model }: Vehicle, p: unknown, { x, u, e }: Sample): string | undefined {
  if (model.onTick === undefined) return undefined;
  const [once, twice] = [x.slice(), x.slice()];
  const inputs = u.slice();
  model.onTick(once, inputs, p, e, TICK);
  twice.set(once);
  model.onTick(twice, inputs, p, e, TICK);
  const again = differ(once, twice);
  if (again >= 0) return `a second call at the start of a tick changes ${model.states[again].name} again`;
  const moved = model.states.findIndex(
    (f, i) => Math.abs(once[i] - x[i]) > 1e-100 && f.kind !== "actuator" && f.kind !== "discrete",
  );
  return moved >= 0
    ? `the start of a tick moves ${model.states[moved].name}, which is neither an actuator nor discrete`
    : undefined;
}
