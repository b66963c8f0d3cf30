/**
 * States whose results a second program computed: the equations of docs and sources implemented independently in Python.
 * They cover what usual flight does not: guards and limits, flow from every direction, corrections between steps, and events.
 */
import type { Boundary } from "../../environment/boundaries.ts";
import { plainSource } from "../../model/document.ts";
import type { Field } from "../../model/field.ts";
import { indexOf } from "../../model/model.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import { shippedVehicle } from "../../vehicles/vehicle-file.ts";
import type { VehicleType } from "../../vehicles/vehicle-type.ts";
import { environmentAt } from "../explain.ts";
import { evaluate } from "./evaluate.ts";
import { type Finding, finding, shown } from "./finding.ts";
import { REFERENCES } from "./references.generated.ts";

interface Surroundings {
  readonly about: string;
  /** One of those beside. */
  readonly vehicle: string;
  readonly wind?: readonly [number, number, number];
  readonly density?: number;
  /** Flat ground unless others are given. */
  readonly boundaries?: readonly Boundary[];
}
interface State extends Surroundings {
  readonly state: readonly number[];
  readonly inputs: readonly number[];
}
/** A state before and after what happens between two steps. */
interface Change extends Surroundings {
  readonly before: readonly number[];
  readonly inputs?: readonly number[];
  readonly after: readonly number[];
}
export interface References {
  readonly vehicles: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly cases: readonly (State & {
    readonly derivative: readonly number[];
    readonly outputs?: Readonly<Record<string, number>>;
  })[];
  readonly projected?: readonly Change[];
  readonly ticked?: readonly Change[];
  readonly begun?: readonly Change[];
  readonly resets?: readonly (Change & { readonly event: string })[];
  readonly guards?: readonly (State & { readonly event: string; readonly value: number })[];
}

/** Tick of the cases that have one [s]. */
const TICK = 0.01;
/** Of the number, or of the largest of its list. */
const CLOSE = 1e-9;

/** How many a model has, and what does not give them. */
export function checkReferences(
  model: string,
  type: VehicleType,
): {
  readonly count: number;
  readonly wrong: Finding[];
} {
  const references = REFERENCES[model];
  if (references === undefined) return { count: 0, wrong: [] };
  const { vehicles, cases, projected = [], ticked = [], begun = [], resets = [], guards = [] } = references;
  const wrong: Finding[] = [];
  const made = new Map(
    Object.entries(vehicles).map(([key, spec]) => [key, shippedVehicle(type, plainSource(spec, key), key)]),
  );
  const vehicleOf = ({ vehicle }: Surroundings) => made.get(vehicle) as Vehicle;
  const compare = (
    { about }: Surroundings,
    what: (f: Field) => string,
    fields: readonly Field[],
    is: ArrayLike<number>,
    should: readonly number[],
  ) => {
    const size = Math.max(1e-6, ...should.map(Math.abs));
    should.forEach((right, i) => {
      if (Math.abs(is[i] - right) <= CLOSE * Math.max(1e-3 * size, Math.abs(right))) return;
      wrong.push(
        finding(
          "witness",
          "wrong",
          `${what(fields[i])} is ${shown(is[i])}, but should be ${shown(right)} (${about})`,
        ),
      );
    });
  };

  for (const one of cases) {
    const { model, parameters } = vehicleOf(one);
    const { dx, y } = evaluate(model, parameters, sampleOf(vehicleOf(one), one));
    compare(one, (f) => `the rate of ${f.name}`, model.states, dx, one.derivative);
    for (const [output, value] of Object.entries(one.outputs ?? {})) {
      const i = indexOf(model.outputs, output);
      compare(one, (f) => f.name, [model.outputs[i]], [y[i]], [value]);
    }
  }
  for (const { list, label, change } of [
    { list: projected, label: "after a correction", change: ({ model }: Vehicle) => model.project },
    { list: begun, label: "at the start", change: ({ model }: Vehicle) => model.completeState },
  ])
    for (const one of list) {
      const vehicle = vehicleOf(one);
      const x = Float64Array.from(one.before);
      change(vehicle)?.(x, vehicle.parameters as never);
      compare(one, (f) => `${label} ${f.name}`, vehicle.model.states, x, one.after);
    }
  for (const one of ticked) {
    const vehicle = vehicleOf(one);
    const { x, u, e } = sampleOf(vehicle, { ...one, state: one.before, inputs: one.inputs ?? [] });
    vehicle.model.onTick?.(x, u, vehicle.parameters as never, e, TICK);
    compare(one, (f) => `at a tick ${f.name}`, vehicle.model.states, x, one.after);
  }
  for (const one of resets) {
    const { model, parameters } = vehicleOf(one);
    const x = Float64Array.from(one.before);
    model.events?.find((event) => event.name === one.event)?.reset?.(x, parameters as never);
    compare(one, (f) => `after ${one.event} ${f.name}`, model.states, x, one.after);
  }
  for (const one of guards) {
    const vehicle = vehicleOf(one);
    const { x, u, e } = sampleOf(vehicle, one);
    const event = vehicle.model.events?.find(({ name: own }) => own === one.event);
    const value = event?.guard(x, u, vehicle.parameters as never, e) ?? Number.NaN;
    compare(one, () => `the guard of ${one.event}`, vehicle.model.states, [value], [one.value]);
  }
  const lists = [cases, projected, ticked, begun, resets, guards];
  return { count: lists.reduce((sum, list) => sum + list.length, 0), wrong };
}

function sampleOf(vehicle: Vehicle, { state, inputs, wind = [0, 0, 0], density, boundaries }: State) {
  const { model } = vehicle;
  const x = Float64Array.from(model.states, (f, i) => state[i] ?? f.default ?? 0);
  const u = Float64Array.from(model.inputs, (f, i) => inputs[i] ?? f.default ?? 0);
  const e = environmentAt(vehicle, x, wind, boundaries);
  if (density !== undefined) e[indexOf(model.environment, "density_ratio")] = density;
  return { x, u, e };
}
