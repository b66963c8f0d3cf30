/** Exact derivatives beside extrapolated differences, as machine code and by walking over the graph. */
import { describe, expect, it } from "vitest";
import { slopeOf } from "../../src/analysis/differences.ts";
import { linearize } from "../../src/analysis/linearize.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { entriesOf } from "../../src/compile/jacobian.ts";
import { trace } from "../../src/compile/trace.ts";
import type { UnsupportedSyntax } from "../../src/compile/unsupported-syntax.ts";
import { withJacobian } from "../../src/compile/with-jacobian.ts";
import { radau } from "../../src/integrators/radau.ts";
import type { Model } from "../../src/model/model.ts";
import { fromNames, makeParameters, pack } from "../../src/model/parameters.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { pendulumCart } from "../support/models.ts";
import { type Instant, instants } from "../support/states.ts";

/** Fails where the equations cannot be compiled. */
const mustBeExact = (vehicle: Vehicle, isPlain = false) =>
  withJacobian(vehicle, {
    isPlain,
    onRefusal: (refusal) => {
      throw refusal;
    },
  });

const BY = "states and inputs";

function exactAt({ model, parameters }: Vehicle, { x, u, e }: Instant): Float64Array {
  const J = new Float64Array(x.length * (x.length + u.length)).fill(Number.NaN);
  const [dx, plain] = [new Float64Array(x.length), new Float64Array(x.length)];
  expect(model.jacobian?.(BY, x, u, parameters, e, J, dx)).toBe(true);
  model.derivative(x, u, parameters, e, plain);
  expect(dx).toEqual(plain);
  return J;
}

describe.each(presetNames())("%s", (name) => {
  const vehicle = preset(name);
  const { model, parameters } = vehicle;
  const at = instants(vehicle, 3);
  const n = model.states.length;
  const columns = n + model.inputs.length;

  it("agrees with Richardson differences to 1e-8 wherever these are that good and the equations have no kink", () => {
    const exactly = mustBeExact(vehicle);
    let compared = 0;
    let skipped = 0;
    for (let i = 0; i < 40; i++) {
      const instant = at(i);
      const J = exactAt(exactly, instant);
      const { x, u, e } = instant;
      // Beside the largest of its row, as far as that is more than one.
      const sizes = Array.from({ length: n }, (_, k) =>
        J.subarray(k * columns, (k + 1) * columns).reduce((most, v) => Math.max(most, Math.abs(v)), 1),
      );
      for (let j = 0; j < columns; j++) {
        const list = j < n ? x : u;
        const place = j < n ? j : j - n;
        const value = list[place];
        const { value: slope, error } = slopeOf(
          (d, out) => {
            list[place] = value + d;
            model.derivative(x, u, parameters, e, out);
            list[place] = value;
          },
          n,
          1e-3 * Math.max(1, Math.abs(value)),
          0,
        );
        for (let k = 0; k < n; k++) {
          // An estimate that doubts itself says nothing.
          if (!(error[k] < 1e-9 * sizes[k])) {
            skipped++;
            continue;
          }
          compared++;
          const difference = Math.abs(J[k * columns + j] - slope[k]) / sizes[k];
          if (!(difference < 1e-8))
            expect.fail(
              `instant ${i}: d ${model.states[k].name}' / d ${[...model.states, ...model.inputs][j].name} is ${J[k * columns + j]}, by differences ${slope[k]}`,
            );
        }
      }
    }
    // Most of the entries, those that are not zero among them.
    expect(compared).toBeGreaterThan(3 * skipped);
  });

  it("has the same bits by walking over the graph as by machine code", () => {
    const [machine, walk] = [mustBeExact(vehicle), mustBeExact(vehicle, true)];
    for (let i = 0; i < 20; i++) expect(exactAt(walk, at(i))).toEqual(exactAt(machine, at(i)));
  });

  it("is zero outside its pattern, and the pattern by states is that of the larger matrix", () => {
    const lifted = trace(model, parameters, at(0).e);
    const all = entriesOf(model, lifted, BY);
    const byStates = entriesOf(model, lifted, "states");
    expect(byStates.map(({ row, column }) => [row, column])).toEqual(
      all.filter(({ column }) => column < n).map(({ row, column }) => [row, column]),
    );
    const isIn = new Uint8Array(n * columns);
    for (const { row, column } of all) isIn[row * columns + column] = 1;
    const dx = new Float64Array(n);
    const moved = new Float64Array(n);
    for (let i = 0; i < 20; i++) {
      const { x, u, e } = at(i);
      model.derivative(x, u, parameters, e, dx);
      for (let j = 0; j < columns; j++) {
        const list = j < n ? x : u;
        const place = j < n ? j : j - n;
        const value = list[place];
        list[place] += 1e-3;
        model.derivative(x, u, parameters, e, moved);
        list[place] = value;
        for (let k = 0; k < n; k++)
          if (moved[k] !== dx[k] && !Number.isNaN(dx[k])) expect(isIn[k * columns + j]).toBe(1);
      }
    }
  });

  it("trims to the same motion with it, and linearises to the same matrices", () => {
    const exactly = mustBeExact(vehicle);
    const [plain, found] = [findTrim(vehicle, {}), findTrim(exactly, {})];
    expect(found.isTrimmed).toBe(true);
    found.x.forEach((v, i) => {
      expect(Math.abs(v - plain.x[i]), model.states[i].name).toBeLessThan(1e-5);
    });
    const [A, B] = [linearize(vehicle, plain.x, plain.u), linearize(exactly, plain.x, plain.u)];
    expect(B.warnings).toEqual(A.warnings);
    // As far as differences can be trusted by their own word.
    const size = B.A.reduce((most, v) => Math.max(most, Math.abs(v)), 1);
    expect(B.error).toBeLessThan(1e-9);
    B.A.forEach((v, i) => {
      expect(Math.abs(v - A.A[i])).toBeLessThan((1e-9 + 2 * A.error) * size);
    });
    // And with the same bits without machine code.
    const walked = mustBeExact(vehicle, true);
    expect(findTrim(walked, {}).x).toEqual(found.x);
    expect(linearize(walked, plain.x, plain.u).A).toEqual(B.A);
  });
});

describe.each(["parafoil", "formula-student"])("%s by its parameters", (name) => {
  const vehicle = preset(name);
  const { model } = vehicle;
  const values = pack(model.parameters, vehicle.parameters);
  const n = model.states.length;
  const columns = values.length;

  it("agrees with Richardson differences, by walking over the graph and by machine code", () => {
    const [machine, walk] = [mustBeExact(vehicle), mustBeExact(vehicle, true)];
    const at = instants(vehicle, 11);
    let touched = 0;
    for (let i = 0; i < 20; i++) {
      const { x, u, e } = at(i);
      const [J, again] = [new Float64Array(n * columns), new Float64Array(n * columns)];
      expect(machine.model.jacobian?.("parameters", x, u, vehicle.parameters, e, J)).toBe(true);
      expect(walk.model.jacobian?.("parameters", x, u, vehicle.parameters, e, again)).toBe(true);
      expect(again).toEqual(J);
      model.parameters.forEach((field, j) => {
        // A switch has no slope.
        if (field.choices) return;
        const { value, error } = slopeOf(
          (d, out) => {
            const moved = values.slice();
            moved[j] += d;
            model.derivative(x, u, makeParameters(model, moved), e, out);
          },
          n,
          1e-3 * Math.max(1e-3, Math.abs(values[j])),
          0,
        );
        for (let k = 0; k < n; k++) {
          if (!(error[k] < 1e-8 * (1 + Math.abs(value[k])))) continue;
          if (value[k] !== 0) touched++;
          expect(
            Math.abs(J[k * columns + j] - value[k]) / (1 + Math.abs(value[k])),
            `${model.states[k].name} by ${field.name}`,
          ).toBeLessThan(1e-7);
        }
      });
    }
    expect(touched).toBeGreaterThan(500);
  });
});

describe("a model defined at run time", () => {
  const vehicleOf = <P>(model: Model<P>, parameters: P): Vehicle =>
    ({
      name: model.name,
      description: "",
      model,
      parameters,
      initial: {},
      labels: {},
      sources: {},
    }) as Vehicle;
  const at: Instant = { x: Float64Array.of(1, 0.4, 2, -0.3), u: Float64Array.of(3), e: Float64Array.of(0.5) };

  it("is compiled from what its function says", () => {
    // Written without imports: what a function sees around it, its text does not tell.
    const plain: Model<{ g: number; length: number }> = {
      ...pendulumCart,
      name: "pendulum",
      states: pendulumCart.states.slice(0, 2),
      inputs: [],
      parameters: [],
      derivative(x, _u, p, _e, dx) {
        dx[0] = x[1];
        dx[1] = x[0] < 0 ? -(p.g / p.length) * x[0] : -p.g * Math.sqrt(1 + x[0] * x[0]);
      },
    };
    const { model, parameters } = mustBeExact(vehicleOf(plain, { g: 9.81, length: 2 }));
    const J = new Float64Array(4);
    expect(
      model.jacobian?.("states", Float64Array.of(0.75, 1), new Float64Array(0), parameters, at.e, J),
    ).toBe(true);
    expect([J[0], J[1], J[3]]).toEqual([0, 1, 0]);
    expect(J[2]).toBeCloseTo((-9.81 * 0.75) / 1.25, 14);
  });

  it("runs on with differences where that is not enough, and says why", () => {
    const outside = { factor: 2 };
    const odd: Model = {
      ...(pendulumCart as Model),
      derivative(x, _u, _p, _e, dx) {
        for (let i = 0; i < x.length; i++) dx[i] = outside.factor * x[i];
      },
    };
    const told: UnsupportedSyntax[] = [];
    const { model } = withJacobian(vehicleOf(odd, {}), { onRefusal: (refusal) => told.push(refusal) });
    const J = new Float64Array(16);
    for (let i = 0; i < 2; i++) expect(model.jacobian?.("states", at.x, at.u, {}, at.e, J)).toBe(false);
    expect(told.map(String)).toEqual([
      "Refusal: the model:2: outside is not known here; import it, or pass it in",
    ]);
    const f = Object.assign(
      (_t: number, x: Float64Array, dx: Float64Array) => odd.derivative(x, at.u, {}, at.e, dx),
      {
        jacobian: (_t: number, x: Float64Array, out: Float64Array) =>
          model.jacobian?.("states", x, at.u, {}, at.e, out) === true,
      },
    );
    const x = Float64Array.of(1, 1, 1, 1);
    const integrator = radau(4);
    for (let t = 0; t < 1 - 1e-12; ) t += integrator.step(f, t, 1 - t, x);
    for (const v of x) expect(Math.abs(v / Math.exp(2) - 1)).toBeLessThan(1e-7);
  });

  it("is refused where its text and its function differ", () => {
    const sin = (v: number) => 2 * v;
    const liar: Model = {
      ...(pendulumCart as Model),
      derivative(x, _u, _p, _e, dx) {
        dx.fill(0);
        dx[0] = sin(x[1]);
      },
    };
    const told: UnsupportedSyntax[] = [];
    const { model } = withJacobian(vehicleOf(liar, {}), { onRefusal: (refusal) => told.push(refusal) });
    expect(model.jacobian?.("states", at.x, at.u, {}, at.e, new Float64Array(16))).toBe(false);
    expect(told[0].message).toContain("the rate of position depends on more than the traced source");
  });

  it("is refused where it takes the engine's functions for ours", () => {
    const { sin } = Math;
    const nearly: Model = {
      ...(pendulumCart as Model),
      derivative(x, _u, _p, _e, dx) {
        dx[0] = 0;
        dx[1] = sin(x[0]);
        dx[2] = 0;
        dx[3] = 0;
      },
    };
    const told: UnsupportedSyntax[] = [];
    const { model } = withJacobian(vehicleOf(nearly, {}), { onRefusal: (refusal) => told.push(refusal) });
    expect(model.jacobian?.("states", at.x, at.u, {}, at.e, new Float64Array(16))).toBe(false);
    expect(told[0].message).toContain("the rate of angle depends on more than the traced source");
  });

  it("knows its parameters: other switches are another graph", () => {
    const vehicle = preset("parafoil");
    const exactly = mustBeExact(vehicle);
    const arms = fromNames(vehicle.model, {
      ...Object.fromEntries(
        vehicle.model.parameters.map((f) => [
          f.name,
          f.name
            .split(".")
            .reduce<unknown>((o, k) => (o as Record<string, unknown>)[k], vehicle.parameters) as number,
        ]),
      ),
      lever_arms: 1,
      "r_canopy_B.z": -2,
    });
    const instant = instants(vehicle, 5)(1);
    const own = exactAt(exactly, instant);
    const others = exactAt({ ...exactly, parameters: arms }, instant);
    expect(others).not.toEqual(own);
    expect(others).toEqual(exactAt({ ...mustBeExact({ ...vehicle, parameters: arms }) }, instant));
    expect(exactAt(exactly, instant)).toEqual(own);
  });
});
