import { type Boundary, createBoundaries, SLOTS } from "../../src/environment/boundaries.ts";
import { environmentLength } from "../../src/environment/environment.ts";
import { plainSource } from "../../src/model/document.ts";
import type { Model } from "../../src/model/model.ts";
import { readVehicle } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";

/** An aircraft from the parameters of a vehicle file. */
export function aircraftOf(parameters: Record<string, unknown>, initial?: Record<string, unknown>): Vehicle {
  return readVehicle(
    plainSource({ model: "aircraft", parameters, initial }, "test aircraft"),
    "test aircraft",
  );
}

export const BALL = { m: 2, I: { xx: 0.02, yy: 0.03, zz: 0.04 } };
/** A rotor at the origin that thrusts upward. */
export const ROTOR = {
  position: [0, 0, 0],
  direction: "ccw",
  motorConstant: 1e-5,
  momentConstant: 0.02,
  maxRotVelocity: 1e4,
};

export interface Evaluation {
  readonly dx: Readonly<Record<string, number>>;
  readonly y: Readonly<Record<string, number>>;
}

/** Derivative and outputs by name, from states and inputs by name. */
export function evaluate(
  { model, parameters }: { model: Model; parameters: unknown },
  states: Readonly<Record<string, number>>,
  inputs: Readonly<Record<string, number>> = {},
  surroundings: { wind?: readonly number[]; ratio?: number; boundaries?: readonly Boundary[] } = {},
): Evaluation {
  const x = Float64Array.from(model.states, (f) => states[f.name] ?? f.default ?? 0);
  const u = Float64Array.from(model.inputs, (f) => inputs[f.name] ?? f.default ?? 0);
  const e = new Float64Array(environmentLength(model));
  e.set([...(surroundings.wind ?? [0, 0, 0]), surroundings.ratio ?? 1]);
  createBoundaries(surroundings.boundaries ?? [], SLOTS).surround(
    x[0],
    x[1],
    x[2],
    e,
    model.environment.length,
  );
  const dx = new Float64Array(x.length);
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, u, parameters, e, dx, y);
  return {
    dx: Object.fromEntries(model.states.map((f, i) => [f.name, dx[i]])),
    y: Object.fromEntries(model.outputs.map((f, i) => [f.name, y[i]])),
  };
}

export const vectorOf = (y: Readonly<Record<string, number>>, name: string): [number, number, number] => [
  y[`${name}_x`],
  y[`${name}_y`],
  y[`${name}_z`],
];
