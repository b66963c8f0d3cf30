import { expect, it } from "vitest";
import type { ParafoilParameters } from "../../src/vehicles/parafoil/parameters.ts";
import { preset } from "../../src/vehicles/vehicle-file.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const { model, parameters } = preset("parafoil");
const index = (name: string) => model.outputs.findIndex((f) => f.name === name);

describeWithShared("parafoil derivatives against the original's code", () => {
  const file = readShared("vectors/parafoil-derivatives.json");
  const close = (actual: number, expected: number, what: string) =>
    expect(Math.abs(actual - expected), `${what}: ${actual} for ${expected}`).toBeLessThan(
      1e-12 * Math.max(1, Math.abs(expected)),
    );

  it("uses the published parameter set", () => {
    const p = parameters as ParafoilParameters & Record<string, unknown>;
    for (const [name, value] of Object.entries(file.params))
      if (typeof value === "number" && name in p) expect(p[name], name).toBe(value);
    expect([p.I_B_diag.x, p.I_B_diag.y, p.I_B_diag.z]).toEqual([0.8, 0.15, 0.85]);
  });

  file.cases.forEach(
    (c: Record<string, number[] & number> & { input: Record<string, number[]> }, n: number) => {
      for (const scale of [1, 3.7])
        it(`case ${n}${scale === 1 ? "" : " with a quaternion that is not unit length"}`, () => {
          const { v_I, q_IB_wxyz, w_B, delta, delta_cmd, wind_I } = c.input;
          const x = new Float64Array([
            5,
            6,
            -7,
            ...v_I,
            ...q_IB_wxyz.map((q) => q * scale),
            ...w_B,
            ...delta,
          ]);
          const dx = new Float64Array(15);
          const y = new Float64Array(model.outputs.length);
          model.derivative(
            x,
            new Float64Array(delta_cmd),
            parameters,
            new Float64Array([...wind_I, 1]),
            dx,
            y,
          );
          const expected = [...v_I, ...c.v_I_dot, ...c.q_dot, ...c.w_B_dot, ...c.delta_dot];
          for (const [i, value] of expected.entries()) close(dx[i], value, model.states[i].name);
          close(y[index("airspeed")], c.V, "airspeed");
          close(y[index("alpha")], c.alpha, "alpha");
          close(y[index("beta")], c.beta, "beta");
          for (const [i, f] of [...c.specific_force_B].entries())
            close(y[index("specific_force_x") + i], f, "specific force");
        });
    },
  );
});
