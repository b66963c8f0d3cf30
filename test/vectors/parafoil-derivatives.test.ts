import { describe, expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import type { ParafoilParameters } from "../../src/vehicles/parafoil/parameters.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const { model, parameters } = preset("parafoil");
const index = (name: string) => model.outputs.findIndex((f) => f.name === name);

/** Evaluations of the original's dynamics.py with params.yaml, run for this project (facts; more of them in ../shared). */
const ORIGINAL = [
  {
    name: "the published start state",
    v_I: [4.5, 0, 0.9],
    q_IB_wxyz: [1.0, 0.0, 0.0, 0.0],
    w_B: [0, 0, 0],
    delta: [0, 0],
    delta_cmd: [0, 0],
    wind_I: [0, 0, 0],
    v_I_dot: [0.11312240067017305, 0.0, -1.1938767136016144],
    w_B_dot: [0.0, -4.577685502077075, 0.0],
  },
  {
    name: "fully braked and stalled",
    v_I: [2.0, 0, 3.0],
    q_IB_wxyz: [0.9950041652780258, 0.0, 0.09983341664682815, 0.0],
    w_B: [0, 0, 0],
    delta: [1, 1],
    delta_cmd: [1, 1],
    wind_I: [0, 0, 0],
    v_I_dot: [1.6485331734794304, 0.0, -2.556304847012823],
    w_B_dot: [0.0, -63.41107236190722, 0.0],
  },
  {
    name: "rates, sideslip, brakes and wind at once",
    v_I: [3.003690460072448, 0.8962366125254096, 0.17758643391334727],
    q_IB_wxyz: [0.9332506840031378, -0.2398254416022886, -0.05340784340931381, -0.262058239004823],
    w_B: [0.030071801298719242, 0.6701076227772668, -0.24610325927566482],
    delta: [0.4679349528437208, 0.3030324268193135],
    delta_cmd: [0.2784256121007733, 0.2548695876541246],
    wind_I: [-1.8609360894164093, -0.05850364492654698, 1.3906063889165756],
    v_I_dot: [-34.318135125934816, -41.02054772584078, 32.28093879468335],
    w_B_dot: [4.965808921910801, 31.19067722588287, 5.973537415852544],
  },
];

describe("parafoil accelerations of the original's code", () => {
  for (const c of ORIGINAL)
    it(c.name, () => {
      const x = new Float64Array([0, 0, -100, ...c.v_I, ...c.q_IB_wxyz, ...c.w_B, ...c.delta]);
      const dx = new Float64Array(15);
      model.derivative(x, new Float64Array(c.delta_cmd), parameters, new Float64Array([...c.wind_I, 1]), dx);
      for (const [i, a] of [...c.v_I_dot].entries())
        expect(Math.abs(dx[3 + i] - a)).toBeLessThan(1e-12 * Math.max(1, Math.abs(a)));
      for (const [i, a] of [...c.w_B_dot].entries())
        expect(Math.abs(dx[10 + i] - a)).toBeLessThan(1e-12 * Math.max(1, Math.abs(a)));
    });
});

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
