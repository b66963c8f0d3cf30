/** Analyses of a vehicle for the Studio: trim, polar, envelope, modes, physics lint. Plain data only. */

import { check, type Finding } from "../analysis/check/check.ts";
import { envelopeMap, usualAxes, usualRange } from "../analysis/envelope.ts";
import { flightNumbers } from "../analysis/flight-numbers.ts";
import { linearize } from "../analysis/linearize.ts";
import { hasBrakes } from "../analysis/polar.ts";
import { vehicleModes } from "../analysis/stability.ts";
import { axisOf, CONDITIONS, ROAD, type Steady, sweep, valuesOf } from "../analysis/sweep.ts";
import type { Condition, Trimmed } from "../analysis/trim.ts";
import { diagnose } from "../analysis/trim-diagnosis.ts";
import { findTrim } from "../analysis/trim-search.ts";
import { InputError } from "../model/input-error.ts";
import { type VehicleSpec, vehicleNamed } from "../vehicle-types/vehicle-spec.ts";
import { type Vehicle, withParameters } from "../vehicles/vehicle.ts";

/** A vehicle with its changed parameters. */
export interface StudySubject {
  readonly vehicle: string | VehicleSpec;
  readonly parameters: Readonly<Record<string, number>>;
}

export type StudyRequest = { readonly subject: StudySubject } & (
  | { readonly study: "trim"; readonly condition: Readonly<Record<string, number>> }
  /** Steady motion over one control or condition. */
  | { readonly study: "polar"; readonly over?: string }
  | { readonly study: "envelope" }
  | { readonly study: "modes" }
  | { readonly study: "check" }
);

/** A steady motion: what it is like, and the state and inputs to begin with. */
export interface SteadyPoint {
  readonly values: readonly number[];
  readonly numbers: Readonly<Record<string, number>>;
  readonly margin?: number;
  readonly x: Float64Array;
  readonly u: Float64Array;
}
export interface TrimStudy {
  readonly isTrimmed: boolean;
  readonly point?: SteadyPoint;
  readonly quantities: readonly { readonly name: string; readonly value: number; readonly unit: string }[];
  readonly controls: readonly { readonly name: string; readonly value: number; readonly unit: string }[];
  readonly notes: readonly string[];
  /** Conditions that can be given. */
  readonly conditions: readonly { readonly name: string; readonly unit: string }[];
}
export interface PolarStudy {
  readonly over: string;
  readonly unit: string;
  readonly choices: readonly string[];
  /** Columns of the rows, the most important first. */
  readonly columns: readonly { readonly name: string; readonly unit: string }[];
  readonly rows: readonly SteadyPoint[];
}
export interface EnvelopeStudy {
  readonly axes: readonly {
    readonly name: string;
    readonly unit: string;
    readonly values: readonly number[];
  }[];
  readonly cells: readonly (SteadyPoint | undefined)[];
  readonly named: readonly {
    readonly name: string;
    readonly value: number;
    readonly unit: string;
    readonly at: SteadyPoint;
  }[];
}
export interface ModeStudy {
  readonly states: readonly string[];
  readonly modes: readonly {
    readonly name: string;
    readonly re: number;
    readonly im: number;
    readonly frequency: number;
    readonly damping: number;
    readonly period?: number;
    readonly half?: number;
    readonly double?: number;
    readonly magnitude: Float64Array;
    readonly phase: Float64Array;
    readonly participation: Float64Array;
  }[];
  readonly about: string;
}
export interface StudyResults {
  readonly trim: TrimStudy;
  readonly polar: PolarStudy;
  readonly envelope: EnvelopeStudy;
  readonly modes: ModeStudy;
  readonly check: readonly Finding[];
}

const UNCONSTRAINED = { condition: {}, held: {} };
const POINTS = 21;
const CELLS = 15;

const point = ({ values, numbers, control_margin, found }: Steady): SteadyPoint => ({
  values,
  numbers,
  margin: control_margin,
  x: found.x,
  u: found.u,
});

export function study<K extends StudyRequest["study"]>(asked: StudyRequest & { study: K }): StudyResults[K] {
  const { vehicle, parameters } = asked.subject;
  const whole = withParameters(vehicleNamed(vehicle), parameters);
  const invalid = whole.model.validate?.(whole.parameters);
  if (invalid) throw new InputError(invalid.problem, { field: invalid.field, allowed: invalid.allowed });
  return studied(whole, asked) as StudyResults[K];
}

function studied(vehicle: Vehicle, asked: StudyRequest): StudyResults[StudyRequest["study"]] {
  if (asked.study === "check") return check(vehicle);
  if (asked.study === "modes") return modes(vehicle);
  if (asked.study === "polar") return polar(vehicle, asked.over);
  if (asked.study === "envelope") return envelope(vehicle);
  return trim(vehicle, asked.condition);
}

const conditionsOf = ({ model }: Vehicle) => (model.states.some((f) => f.name === "q_w") ? CONDITIONS : ROAD);

function trim(vehicle: Vehicle, named: Readonly<Record<string, number>>): TrimStudy {
  const known = conditionsOf(vehicle);
  const condition: Condition = Object.fromEntries(
    Object.entries(named).map(([name, v]) => {
      const { key, low, high, unit } = known[name] ?? {};
      if (key === undefined)
        throw new InputError(`there is no condition "${name}"`, { allowed: Object.keys(known).join(", ") });
      if (!(v >= low && v <= high))
        throw new InputError(`${v} is out of range`, {
          field: name,
          value: v,
          allowed: `${low} to ${high} ${unit}`,
        });
      return [key, v];
    }),
  );
  const found = findTrim(vehicle, condition);
  const inputUnit = (name: string) => vehicle.model.inputs.find((f) => f.name === name)?.unit ?? "1";
  const { nearest: neighbours } = diagnose(vehicle, found);
  const nearest = neighbours.map(
    ({ changed, asked, value }) =>
      `nearest that trims: ${changed} ${Number(value.toPrecision(4))} instead of ${asked}`,
  );
  const blocked = found.blocked.map(
    ({ name, limit, unit }) => `${name} is at its limit of ${Number(limit.toPrecision(4))} ${unit}`,
  );
  return {
    isTrimmed: found.isTrimmed,
    point: found.isTrimmed ? { values: [], numbers: found.motion, x: found.x, u: found.u } : undefined,
    quantities: found.isTrimmed ? numbersOf(vehicle, found) : [],
    controls: found.controls.map(({ control, value }) => ({
      name: control.name,
      value,
      unit: inputUnit(control.inputs[0]),
    })),
    notes: [
      ...found.notes,
      ...(found.isTrimmed ? [] : ["no trim under these conditions", ...blocked, ...nearest]),
    ],
    conditions: Object.entries(known).map(([name, { unit }]) => ({ name, unit })),
  };
}

const numbersOf = (vehicle: Vehicle, found: Trimmed) =>
  flightNumbers(vehicle, found).map(({ name, value, unit }) => ({ name, value, unit }));

function polar(vehicle: Vehicle, over?: string): PolarStudy {
  const controls = vehicle.model.controls?.(vehicle.parameters) ?? [];
  const brakes = hasBrakes(vehicle) ? ["brake_left+brake_right"] : [];
  const choices = [...brakes, ...Object.keys(conditionsOf(vehicle)), ...controls.map((c) => c.name)];
  const axis = axisOf(vehicle, over ?? brakes[0] ?? vehicle.type.sweepAxes?.(vehicle).polar[0] ?? choices[0]);
  const [low, high] = usualRange(vehicle, axis, UNCONSTRAINED);
  const rows = sweep(vehicle, axis, valuesOf(axis, low, high, POINTS), UNCONSTRAINED);
  const columns =
    rows.length === 0 ? [] : numbersOf(vehicle, rows[0].found).map(({ name, unit }) => ({ name, unit }));
  return { over: axis.name, unit: axis.unit, choices, columns, rows: rows.map(point) };
}

function envelope(vehicle: Vehicle): EnvelopeStudy {
  const axes = usualAxes(vehicle).map((name) => axisOf(vehicle, name));
  const [xs, ys] = axes.map((axis) => valuesOf(axis, ...usualRange(vehicle, axis, UNCONSTRAINED), CELLS));
  const map = envelopeMap(vehicle, axes[0], axes[1], xs, ys, UNCONSTRAINED);
  return {
    axes: [xs, ys].map((values, i) => ({ name: axes[i].name, unit: axes[i].unit, values })),
    cells: map.cells.map((c) => c && point(c)),
    named: map.named.map(({ name, value, unit, at }) => ({ name, value, unit, at: point(at) })),
  };
}

function modes(vehicle: Vehicle): ModeStudy {
  const found = findTrim(vehicle, {});
  if (!found.isTrimmed)
    throw new InputError(`${vehicle.name} does not trim, so it has no modes; Trim shows why`);
  const linear = linearize(vehicle, found.x, found.u, []);
  const conditions = Object.entries(found.condition).flatMap(([name, v]) =>
    typeof v === "number" ? [`${name} ${Number(v.toPrecision(4))}`] : v ? ["coordinated"] : [],
  );
  return {
    states: linear.states.map((f) => f.name),
    about: conditions.join(", ") || "steady flight, controls neutral",
    modes: vehicleModes(vehicle, linear).map(({ name, eigenvalue, shape, ...rest }) => ({
      name,
      re: eigenvalue.re,
      im: eigenvalue.im,
      magnitude: shape.magnitude,
      phase: shape.phase,
      ...rest,
    })),
  };
}
