/** Every parameter and every input has an effect. */
import { type Field, inRange } from "../../model/field.ts";
import type { Model } from "../../model/model.ts";
import { makeParameters, pack } from "../../model/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding } from "./finding.ts";
import { type Region, type Sample, Sampler } from "./sample.ts";
import { specialSamples } from "./smooth.ts";

/** All rates of a model at some states, as one list of numbers; outputs do not count. */
class Everything {
  private readonly model: Model;
  private readonly samples: readonly Sample[];
  private readonly dx: Float64Array;
  private readonly x: Float64Array;
  private readonly u: Float64Array;
  private readonly guards: Float64Array;
  private readonly parts: readonly Float64Array[];
  private readonly length: number;
  /** Parameters to try. */
  private scratch: unknown;

  constructor(model: Model, samples: readonly Sample[]) {
    this.model = model;
    this.samples = samples;
    this.dx = new Float64Array(model.states.length);
    this.x = new Float64Array(model.states.length);
    this.u = new Float64Array(model.inputs.length);
    this.guards = new Float64Array(model.events?.length ?? 0);
    this.parts = [this.dx, this.x, this.u, this.guards];
    this.length = this.parts.reduce((n, part) => n + part.length, 0);
  }

  /** Parameters from a list of values, until the next call; nothing where no vehicle can have them. */
  possible(values: Float64Array): unknown {
    this.scratch = makeParameters(this.model, values, this.scratch);
    return this.model.validate?.(this.scratch) ? undefined : this.scratch;
  }

  private compute(p: unknown, s: Sample): void {
    const { model, x, u } = this;
    model.derivative(s.x, s.u, p, s.e, this.dx);
    x.set(s.x);
    u.set(s.u);
    model.project?.(x, p);
    model.onTick?.(x, u, p, s.e, 0.01);
    model.events?.forEach((event, i) => {
      this.guards[i] = event.guard(s.x, s.u, p, s.e);
    });
  }

  at(p: unknown): Float64Array {
    const out = new Float64Array(this.length * this.samples.length);
    this.samples.forEach((s, k) => {
      this.compute(p, s);
      let i = k * this.length;
      for (const part of this.parts) {
        out.set(part, i);
        i += part.length;
      }
    });
    return out;
  }

  differs(p: unknown, base: Float64Array): boolean {
    return this.samples.some((s, k) => {
      this.compute(p, s);
      let i = k * this.length;
      for (const part of this.parts)
        for (let j = 0; j < part.length; j++, i++)
          if (part[j] !== base[i] && !(Number.isNaN(part[j]) && Number.isNaN(base[i]))) return true;
      return false;
    });
  }
}

/** Other values that are allowed. */
function others(field: Field, v: number): number[] {
  if (field.choices) return Object.values(field.choices).filter((c) => c !== v);
  const list = v === Number.POSITIVE_INFINITY ? [3, 0.1] : [v * 1.1, v + 0.1, v + 1, v - 1, v + 1e-4];
  return list.filter((c) => c !== v && inRange(field, c));
}

/** States on the ground, until everything that can has touched it. */
function touching({ model, parameters }: Vehicle, sampler: Sampler): Sample[] {
  const loads = model.outputs.flatMap((f, i) => (f.name.startsWith("force_contact") ? [i] : []));
  const loaded = new Set<number>();
  const samples: Sample[] = [];
  for (let k = 0; k < 60 && (k < 4 || loaded.size < loads.length); k++) {
    const s = sampler.sample("ground");
    const { y } = evaluate(model, parameters, s);
    const more = loads.filter((i) => y[i] !== 0 && !loaded.has(i));
    for (const i of more) loaded.add(i);
    if (k < 4 || more.length > 0) samples.push(s);
  }
  return samples;
}

/** Where parameters are asked for their effect. */
interface Setting {
  readonly values: Float64Array;
  readonly everything: Everything;
  readonly base: Float64Array;
}

/** Those of some parameters that move nothing: changed all at once, and by halves where that does something. */
function without(model: Model, list: readonly number[], setting: Setting): readonly number[] {
  const { values, everything, base } = setting;
  const choices = list.map((i) => others(model.parameters[i], values[i]));
  // One parameter has as many tries as its values need until a vehicle can have one of them.
  for (let k = 0; k < (list.length === 1 ? choices[0].length : 1); k++) {
    const changed = Float64Array.from(values);
    // Neighbours by different steps, so that a ratio of two does not stay the same.
    list.forEach((i, m) => {
      if (choices[m].length > 0) changed[i] = choices[m][(k + m) % choices[m].length];
    });
    const p = everything.possible(changed);
    if (p !== undefined && !everything.differs(p, base)) return list;
    if (p !== undefined && list.length === 1) return [];
  }
  if (list.length < 2) return list;
  const half = list.length >> 1;
  return [list.slice(0, half), list.slice(half)].flatMap((part) => without(model, part, setting));
}

export function checkEffects(
  vehicle: Vehicle,
  places: readonly Region[],
  accepted: (name: string) => string | undefined,
): Finding[] {
  const { model, parameters } = vehicle;
  const sampler = new Sampler(vehicle, 9);
  const samples = [
    ...places.flatMap((place) =>
      place === "ground"
        ? touching(vehicle, sampler)
        : Array.from({ length: 4 }, () => sampler.sample(place)),
    ),
    ...specialSamples(vehicle),
  ];
  const values = pack(model.parameters, parameters);
  const few = new Everything(
    model,
    samples.filter((_, k) => k % 10 === 0),
  );
  const all = new Everything(model, samples);
  // Most act at the first states; the rest is asked together.
  const soon = { values, everything: few, base: few.at(parameters) };
  const quiet = model.parameters.flatMap((_, i) => without(model, [i], soon));
  const silent = without(model, quiet, { values, everything: all, base: all.at(parameters) });
  let never = silent;
  for (const { values: rest, of } of otherwise(model, silent, values)) {
    const asked = never.filter((i) => of.includes(i));
    const p = asked.length > 0 ? all.possible(rest) : undefined;
    if (p === undefined) continue;
    const still = without(model, asked, { values: rest, everything: all, base: all.at(p) });
    never = never.filter((i) => !asked.includes(i) || still.includes(i));
  }
  const out: Finding[] = [];
  for (const i of never) {
    const { name, meaning } = model.parameters[i];
    const reason = accepted(name);
    out.push(
      reason
        ? finding("effect", "accepted", `${name} has no effect on the equations: ${reason}`)
        : finding("effect", "wrong", `the parameter ${name} (${meaning}) has no effect whatever its value`),
    );
  }
  const idle = silent.filter((i) => !never.includes(i)).map((i) => model.parameters[i].name);
  if (idle.length > 0)
    out.push(
      finding("effect", "note", `no effect with the other parameters of this vehicle: ${idle.join(", ")}`),
    );
  out.push(...inputs(vehicle, samples, accepted));
  if (out.some((f) => f.status === "wrong")) return out;
  const count = `${model.parameters.length - silent.length} parameters and ${model.inputs.length} inputs act`;
  return [...out, finding("effect", "ok", count)];
}

const ROUNDS = 12;

/** Other numbers beside silent parameters: the zeros of their own part, with its options, one by one, then many of all parts. */
function* otherwise(
  { parameters }: Model,
  silent: readonly number[],
  values: Float64Array,
): Generator<{ readonly values: Float64Array; readonly of: readonly number[] }> {
  const partOf = (i: number) => /^(?:.*?\.\d+\.|[^.]*$|[^.]+\.)/.exec(parameters[i].name)?.[0] ?? "";
  for (const part of new Set(silent.map(partOf))) {
    const of = silent.filter((i) => partOf(i) === part);
    const near = parameters.flatMap((f, j) =>
      f.name.startsWith(part) && (values[j] === 0 || values[j] === Number.POSITIVE_INFINITY || f.choices)
        ? [j]
        : [],
    );
    const turned = (which: (f: Field) => boolean) =>
      values.map((v, j) => {
        const f = parameters[j];
        return near.includes(j) && which(f) ? (others(f, v)[0] ?? v) : v;
      });
    yield { of, values: turned((f) => f.choices === undefined && !/servo$/.test(f.name)) };
    yield { of, values: turned((f) => !/servo$/.test(f.name)) };
    for (const j of near)
      for (const other of others(parameters[j], values[j]).slice(0, 3))
        yield { of: of.filter((i) => i !== j), values: values.map((v, k) => (k === j ? other : v)) };
  }
  for (let round = 0; round < ROUNDS; round++)
    yield {
      of: silent,
      values: values.map((v, j) => {
        const f = parameters[j];
        if ((j + round) % 3 !== 0 || /servo$|^I\./.test(f.name)) return v;
        const list = f.choices ? Object.values(f.choices) : [v, ...others(f, v)];
        return list[(7 * round + 3 * j) % list.length];
      }),
    };
}

/** An input acts where something besides its own actuator changes with it. */
function inputs(
  vehicle: Vehicle,
  samples: readonly Sample[],
  accepted: (name: string) => string | undefined,
): Finding[] {
  const { model, parameters } = vehicle;
  const rates = (x: Float64Array, u: Float64Array, e: Float64Array) => {
    const dx = new Float64Array(x.length);
    model.derivative(x, u, parameters, e, dx);
    return dx;
  };
  return model.inputs.flatMap((field, i) => {
    const moved = model.states.findIndex((f) => f.follows === field.name);
    const acts = samples.some(({ x, u, e }) => {
      const before = rates(x, u, e);
      const u2 = u.map((v, j) => (j === i ? 0.7 * v : v));
      const isLag = rates(x, u2, e).some((v, j) => v !== before[j]);
      // The lag of an actuator on which nothing else depends does not count.
      const x2 = x.map((v, j) => (j === moved ? 0.7 * v : v));
      return (isLag || moved < 0) && rates(x2, u2, e).some((v, j) => j !== moved && v !== before[j]);
    });
    if (acts) return [];
    const reason = accepted(field.name);
    return [
      reason
        ? finding("effect", "accepted", `${field.name} has no effect: ${reason}`)
        : finding(
            "effect",
            "wrong",
            `the input ${field.name} (${field.meaning}) moves nothing: is it connected?`,
          ),
    ];
  });
}
