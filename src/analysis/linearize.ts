/** Linear model about a steady motion or any state: c' = A c + B u, y = C c + D u in deviations, with names, units and error estimates. */
import { stillAir } from "../environment/environment.ts";
import type { StateSpace } from "../formats/matrix-text.ts";
import type { Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import { indexOf } from "../model/model.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { coordinatesOf } from "./coordinates.ts";
import { hasKink, type Slope, slopeOf } from "./differences.ts";
import { exactDerivatives } from "./exact-slopes.ts";

/** dx = A x + B u and y = C x + D u about an operating point, with the names of states, inputs and outputs. */
export interface LinearModel extends StateSpace {
  /** Where it holds: states in these coordinates, inputs, outputs, and the rates that are left. */
  readonly at: {
    readonly states: Float64Array;
    readonly inputs: Float64Array;
    readonly outputs: Float64Array;
    readonly rates: Float64Array;
  };
  /** Largest estimated error of an entry of A or B over the largest entry of its row. */
  readonly error: number;
  readonly warnings: readonly string[];
}

/** Outputs by name; without, those that are neither parts of others nor arrows. `e`: the environment, still air unless given. */
export function linearize(
  vehicle: Vehicle,
  x0: Float64Array,
  u0: Float64Array,
  wanted?: readonly string[],
  e: Float64Array = stillAir(vehicle.model),
): LinearModel {
  const { model, parameters } = vehicle;
  const coordinates = coordinatesOf(model);
  const c0 = coordinates.read(x0);
  const n = c0.length;
  const controls = model.controls?.(parameters) ?? [];
  const inputPlaces =
    controls.length > 0
      ? controls.flatMap((c) => c.inputs.map((name) => indexOf(model.inputs, name)))
      : model.inputs.map((_, i) => i);
  const outputPlaces = model.outputs.flatMap((f, i) =>
    (
      wanted
        ? wanted.includes(f.name)
        : !f.parent && !f.vector && !f.cyclic && !f.alarm && f.name !== "altitude"
    )
      ? [i]
      : [],
  );
  const m = outputPlaces.length;
  const [x, u] = [x0.slice(), u0.slice()];
  const [dx, y] = [new Float64Array(x.length), new Float64Array(model.outputs.length)];
  const c = c0.slice();
  const rates = new Float64Array(n + m);
  /** Rates and outputs, one after the other, at c and u. */
  const evaluate = (out: Float64Array) => {
    x.set(x0);
    coordinates.place(c, x);
    model.derivative(x, u, parameters, e, dx, y);
    coordinates.rates(x, dx, out);
    outputPlaces.forEach((i, k) => {
      out[n + k] = y[i];
    });
  };
  evaluate(rates);
  const lost = rates.findIndex((v) => !Number.isFinite(v));
  if (lost >= 0) {
    const { name } = lost < n ? coordinates.fields[lost] : model.outputs[outputPlaces[lost - n]];
    throw new InputError(`${lost < n ? `the rate of ${name}` : name} is ${rates[lost]} at this state`, {
      allowed: "a state at which all rates and outputs are finite",
    });
  }
  const exactly = exactDerivatives(vehicle, coordinates, x.slice(), u0, e);
  const speed = Math.max(
    1,
    ...coordinates.fields.map((f, i) => (f.kind === "velocity" ? Math.abs(c0[i]) : 0)),
  );
  const limits = (input: string) => controls.find((k) => k.inputs.includes(input));
  const slope = (field: Field, list: Float64Array, place: number, followed?: string): Slope => {
    const at = list[place];
    const bounds = limits(followed ?? field.name);
    const [low, high] = [bounds?.min ?? field.min ?? -Infinity, bounds?.max ?? field.max ?? Infinity];
    const range = high - low;
    const size =
      field.kind === "velocity" ? speed : Number.isFinite(range) ? range : Math.max(1, Math.abs(at));
    const h = STEP * size;
    const side = at - low < h ? 1 : high - at < h ? -1 : 0;
    const moved = (d: number, out: Float64Array) => {
      list[place] = at + d;
      evaluate(out);
      list[place] = at;
    };
    const exact = list === c ? exactly?.byState(place) : exactly?.byInput(place);
    // Outputs have no exact derivatives: differences are used.
    if (exact !== undefined && m === 0 && side === 0 && !hasKink(moved, rates, h, exact))
      return { value: exact, error: exact.map(roundingOf), isKinked: false, isKinkedBeyond: false };
    const found = slopeOf(moved, n + m, h, side, n);
    if (found.isKinked) kinked.push(field.name);
    if (found.isKinkedBeyond) kinkedOutputs.push(field.name);
    // At a kink, and at the end of a range, the equations' own slope may be that of the other side.
    if (exact !== undefined && agrees(exact, found)) {
      found.value.set(exact);
      found.error.set(exact.map(roundingOf));
    }
    return found;
  };
  const kinked: string[] = [];
  const kinkedOutputs: string[] = [];
  const byState = coordinates.fields.map((f, i) => slope(f, c, i, f.follows));
  const byInput = inputPlaces.map((i) => slope(model.inputs[i], u, i));

  // What neither moves nor matters: actuators without lag, whose inputs act at once.
  const isAlive = coordinates.fields.map(
    (_, i) => [...byState, ...byInput].some((s) => s.value[i] !== 0) || byState[i].value.some((v) => v !== 0),
  );
  const kept = isAlive.flatMap((alive, i) => (alive ? [i] : []));
  const results = Array.from({ length: m }, (_, k) => n + k);
  const matrix = (rows: readonly number[], columns: readonly Slope[]) =>
    Float64Array.from(rows.flatMap((i) => columns.map((s) => s.value[i])));
  const columns = kept.map((i) => byState[i]);
  const all = [...columns, ...byInput];
  let error = 0;
  for (const i of kept) {
    const most = Math.max(...all.map((s) => Math.abs(s.value[i])));
    if (most > 0) for (const s of all) error = Math.max(error, s.error[i] / most);
  }
  return {
    states: kept.map((i) => coordinates.fields[i]),
    inputs: inputPlaces.map((i) => model.inputs[i]),
    outputs: outputPlaces.map((i) => model.outputs[i]),
    A: matrix(kept, columns),
    B: matrix(kept, byInput),
    C: matrix(results, columns),
    D: matrix(results, byInput),
    at: {
      states: Float64Array.from(kept, (i) => c0[i]),
      inputs: Float64Array.from(inputPlaces, (i) => u0[i]),
      outputs: rates.slice(n),
      rates: Float64Array.from(kept, (i) => rates[i]),
    },
    error,
    warnings: [
      ...(kinked.length === 0
        ? []
        : [`the equations have a kink here; mean slopes of both sides are taken for ${kinked.join(", ")}`]),
      ...(kinkedOutputs.length === 0
        ? []
        : [
            `outputs have a kink here; mean slopes of both sides are taken in C and D for ${kinkedOutputs.join(", ")}`,
          ]),
    ],
  };
}

/** Whether exact slopes are those that differences found, as far as these can be trusted. */
function agrees(exact: Float64Array, { value, error, isKinked }: Slope): boolean {
  const largest = exact.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  return !isKinked && exact.every((v, i) => Math.abs(v - value[i]) <= 1e-6 * largest + 10 * error[i]);
}

/** Of sums of products whose parts are about as large as they. */
const roundingOf = (value: number) => 1e-14 * Math.abs(value);

/** Of a variable's size: rounding and curvature both leave about 1e-12. */
const STEP = 2e-3;
