/** One instant taken apart: every rate, and every output with what adds up to it. */
import { type Boundary, createBoundaries } from "../environment/boundaries.ts";
import { createEnvironment, environmentLength } from "../environment/environment.ts";
import { createWind } from "../environment/wind.ts";
import { allowed, type Field, inRange } from "../model/field.ts";
import { FLAT_GROUND } from "../simulation/boundaries-schema.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

/** An output and its contributions, the largest first. */
export interface Contribution {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly meaning: string;
  /** How it stands in its equation. */
  readonly symbol?: string;
  /** Part of the sum of the magnitudes beside it, signed; 1 for what stands alone. */
  readonly share: number;
  readonly parts: readonly Contribution[];
}

/** Which term makes which part of the forces, moments and coefficients at one state. */
export interface Explanation {
  readonly derivative: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, number>>;
  readonly contributions: readonly Contribution[];
  readonly warnings: readonly string[];
}

const named = (fields: readonly Field[], values: Float64Array) =>
  Object.fromEntries(fields.map((f, i) => [f.name, values[i]]));

/** Steady wind over flat ground, or beside other boundaries, as a model sees it at a state. */
export function environmentAt(
  { model }: Vehicle,
  x: Float64Array,
  wind: readonly [number, number, number],
  boundaries: readonly Boundary[] = FLAT_GROUND,
): Float64Array {
  const slots = model.boundarySlots ?? 0;
  const environment = createEnvironment(
    model.environment,
    model.states,
    createWind({ steady: wind }, 0, 1),
    { model: "constant" },
    slots > 0 ? createBoundaries(boundaries, slots) : undefined,
  );
  const e = new Float64Array(environmentLength(model));
  environment.begin(0, 0, x, e);
  environment.at(0, x, e);
  return e;
}

/** At a state and inputs, in still air or a wind, over flat ground. Values outside their range are used unchanged, with a warning. */
export function explain(
  vehicle: Vehicle,
  x: Float64Array,
  u: Float64Array,
  wind: readonly [number, number, number] = [0, 0, 0],
): Explanation {
  return explainAt(vehicle, x, u, environmentAt(vehicle, x, wind));
}

/** In a given environment. */
export function explainAt(
  { model, parameters }: Vehicle,
  x: Float64Array,
  u: Float64Array,
  e: Float64Array,
): Explanation {
  const dx = new Float64Array(model.states.length);
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, u, parameters, e, dx, y);
  const outside = (fields: readonly Field[], values: Float64Array) =>
    fields.flatMap((f, i) =>
      inRange(f, values[i]) ? [] : [`${f.name} = ${values[i]} is outside its range (${allowed(f)})`],
    );
  return {
    derivative: named(model.states, dx),
    outputs: named(model.outputs, y),
    contributions: contributionsTo(undefined, model.outputs, y),
    warnings: [
      ...(dx.every(Number.isFinite) && y.every(Number.isFinite)
        ? []
        : ["some rates or outputs are not finite here"]),
      ...outside(model.states, x),
      ...outside(model.inputs, u),
    ],
  };
}

/** The outputs of one parent, the largest first; those of none as the model has them. */
function contributionsTo(
  parent: string | undefined,
  fields: readonly Field[],
  y: Float64Array,
): Contribution[] {
  const places = fields.flatMap((f, i) => (f.parent === parent ? [i] : []));
  const all = places.reduce((sum, i) => sum + Math.abs(y[i]), 0);
  const list = places.map((i): Contribution => {
    const { name, unit, meaning, symbol } = fields[i];
    const share = parent === undefined ? 1 : all === 0 ? 0 : y[i] / all;
    return { name, value: y[i], unit, meaning, symbol, share, parts: contributionsTo(name, fields, y) };
  });
  return parent === undefined ? list : list.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}
