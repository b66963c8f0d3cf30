import { expect, it } from "vitest";
import { createBoundaries, SLOTS } from "../../src/environment/boundaries.ts";
import { environmentLength } from "../../src/environment/environment.ts";
import { dopri5 } from "../../src/integrators/dopri5.ts";
import { fromNames } from "../../src/model/parameters.ts";
import { aircraft } from "../../src/vehicles/aircraft/aircraft.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const CASES = [
  "iris_collective",
  "iris_freefall",
  "iris_hover",
  "iris_hover_wind",
  "iris_roll",
  "iris_yaw",
  "iris_yaw_wind",
  "x500_collective",
  "x500_collective_wind",
  "x500_hover",
  "x500_motorcut_wind",
  "x500_roll_wind",
  "x500_yaw",
  "hako_drag1",
  "hako_drag12_wind",
  "hako_descent_api1",
  "hako_descent_large",
  "hako_wall",
];
const FLU = ([x, y, z]: readonly number[]) => [x, -y, -z];
const ROTOR_NUMBERS = [
  "direction",
  "motorConstant",
  "momentConstant",
  "rotorDragCoefficient",
  "rollingMomentCoefficient",
  "maxRotVelocity",
  "maxRelativeAirspeed",
  "timeConstantUp",
  "timeConstantDown",
  "radius",
];
/** What a null in the files stands for: no limit, no lag that plays a part. */
const absent = (name: string) =>
  name.startsWith("max") ? Number.POSITIVE_INFINITY : name.startsWith("time") ? 1 : 0;

// biome-ignore lint/suspicious/noExplicitAny: the files' shape is described in CONVENTIONS.md beside them
function parametersOf(v: any): Record<string, number> {
  const named: Record<string, number> = {
    m: v.mass,
    "I.xx": v.inertia_diag[0],
    "I.yy": v.inertia_diag[1],
    "I.zz": v.inertia_diag[2],
  };
  const put = (name: string, t: readonly number[]) =>
    ["x", "y", "z"].forEach((axis, i) => {
      named[`${name}.${axis}`] = t[i];
    });
  if (v.boundary_exponent) named["boundary.exponent"] = v.boundary_exponent;
  if (v.drag_body) {
    put("drag1", v.drag_body.drag1);
    put("drag2", v.drag_body.drag2);
  }
  for (const [i, rotor] of v.rotors.entries()) {
    put(`rotors.${i + 1}.position`, FLU(rotor.position_FLU));
    put(`rotors.${i + 1}.axis`, FLU(rotor.axis_FLU));
    for (const name of ROTOR_NUMBERS) named[`rotors.${i + 1}.${name}`] = rotor[name] ?? absent(name);
  }
  return named;
}

describeWithShared("six-degree-of-freedom trajectories with Gazebo rotors", () => {
  for (const name of CASES)
    it(name, () => {
      const file = readShared(`vectors/aircraft/${name}.json`);
      const model = aircraft({ rotors: file.parameters.rotors.length });
      const p = fromNames(model, parametersOf(file.parameters));
      const e = new Float64Array(environmentLength(model));
      e.set([...file.environment.wind_N, 1]);
      const { boundary } = file.environment;
      if (boundary) createBoundaries([boundary], SLOTS).surround(0, 0, 0, e, model.environment.length);
      for (const b of file.breakdown) {
        const dx = new Float64Array(model.states.length);
        const u = Float64Array.from(model.inputs, (f) => b.inputs[f.name] ?? f.default ?? 0);
        const y = new Float64Array(model.outputs.length);
        model.derivative(
          Float64Array.from(model.states, (f) => b.state[f.name]),
          u,
          p,
          e,
          dx,
          y,
        );
        const part = (name: string, expected: readonly number[]) => {
          const i = model.outputs.findIndex((f) => f.name === `${name}_x`);
          expected.forEach((v, axis) => {
            expect(Math.abs(y[i + axis] - v), `${name}[${axis}] at ${b.t} s`).toBeLessThan(1e-10);
          });
        };
        for (const [k, rotor] of b.rotors.entries()) {
          part(`force_rotor_${k + 1}`, rotor.force_B);
          part(`moment_rotor_${k + 1}`, rotor.moment_about_CG_B);
        }
        for (const [k, effect] of (b.boundary ?? []).entries()) {
          part(`force_boundary_${k + 1}`, effect.force_B);
          part(`moment_boundary_${k + 1}`, effect.moment_about_CG_B);
        }
        if (b.drag_body) part("force_drag", b.drag_body.force_B);
        part("force", b.total_without_weight.force_B);
        part("moment", b.total_without_weight.moment_about_CG_B);
        part("specific_force", b.total_without_weight.specific_force_B);
        model.states.forEach((f, i) => {
          const expected = b.derivative[f.name];
          expect(Math.abs(dx[i] - expected), `${f.name}' at ${b.t} s`).toBeLessThan(
            1e-10 * Math.max(1, Math.abs(expected)),
          );
        });
      }
      const x = Float64Array.from(model.states, (f) => file.initial[f.name]);
      const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
      const integrator = dopri5(x.length, { relative: 1e-14, absolute: 1e-14 });
      file.rows.forEach((row: number[], n: number) => {
        for (let t = n === 0 ? row[0] : file.rows[n - 1][0]; t < row[0] - 1e-12; ) {
          t += integrator.step((_t, s, dx) => model.derivative(s, u, p, e, dx), t, row[0] - t, x);
          model.project?.(x, p);
        }
        for (const line of file.inputs)
          if (line.t <= row[0] + 1e-9)
            model.inputs.forEach((f, i) => {
              u[i] = line[f.name] ?? u[i];
            });
        file.columns.slice(1).forEach((column: string, i: number) => {
          const j = model.states.findIndex((f) => f.name === column);
          if (j >= 0) expect(Math.abs(x[j] - row[i + 1]), `${column} at ${row[0]} s`).toBeLessThan(1e-9);
        });
      });
    });
});
