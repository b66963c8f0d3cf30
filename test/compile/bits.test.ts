/** What is compiled from the equations' own source gives the bits of the plain functions. */
import { describe, expect, it } from "vitest";
import { functionOf, javascriptOf } from "../../src/compile/emit-javascript.ts";
import { evaluator } from "../../src/compile/evaluate.ts";
import { expand } from "../../src/compile/expand.ts";
import { lift } from "../../src/compile/lift.ts";
import type { Model } from "../../src/model/model.ts";
import { preset, presetNames } from "../../src/vehicles/vehicle-file.ts";
import { instants } from "../support/states.ts";

describe.each(presetNames())("%s", (name) => {
  const vehicle = preset(name);
  const { model, parameters } = vehicle;
  const at = instants(vehicle, 1);
  const lifted = lift(model, parameters, at(0).e);

  it("its graph is its derivative, bit for bit", () => {
    const dx = new Float64Array(model.states.length);
    for (let i = 0; i < 300; i++) {
      const { x, u, e } = at(i);
      model.derivative(x, u, parameters, e, dx);
      const value = evaluator({ x, u, e, p: parameters });
      expect(lifted.rates.map(value), `instant ${i}`).toEqual([...dx]);
    }
  });

  it("and so is the JavaScript made of it", () => {
    const { graph, roots } = expand(lifted.graph, lifted.rates);
    const code = javascriptOf(
      graph,
      "x, u, p, e, dx",
      roots.map((root, i) => [`dx[${i}]`, root]),
    );
    const f = functionOf<Model["derivative"]>(code);
    const dx = new Float64Array(model.states.length);
    const again = new Float64Array(model.states.length);
    for (let i = 0; i < 10_000; i++) {
      const { x, u, e } = at(i);
      model.derivative(x, u, parameters, e, dx);
      f(x, u, parameters, e, again);
      for (let k = 0; k < dx.length; k++)
        if (!Object.is(dx[k], again[k])) expect([i, model.states[k].name, again[k]]).toEqual([i, "", dx[k]]);
    }
  });
});
