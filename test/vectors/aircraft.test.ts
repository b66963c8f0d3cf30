import { expect, it } from "vitest";
import { createBoundaries, SLOTS } from "../../src/environment/boundaries.ts";
import { environmentLength } from "../../src/environment/environment.ts";
import { dopri5 } from "../../src/integrators/dopri5.ts";
import { fromNames } from "../../src/model/parameters.ts";
import { aircraft } from "../../src/vehicles/aircraft/aircraft.ts";
import type { AircraftShape } from "../../src/vehicles/aircraft/shape.ts";
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
  "plane_aileron_doublet",
  "plane_deep_stall",
  "plane_elevator_step",
  "plane_everything",
  "plane_glide",
  "plane_power_on",
  "plane_rudder_step",
  "plane_steady_wind",
];
/** Of every sample, as issue 3 and 4 ask; the truth itself is good to 3e-10 for the planes, whose errors grow in flight. */
const within = (name: string) => (name.startsWith("plane_") ? 1e-7 : 1e-9);
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
  if (v.lift_drag) {
    const { control_surfaces, ref_pt_FLU, air_density, ...numbers } = v.lift_drag;
    named.rho = air_density;
    put("surfaces.1.position", FLU(ref_pt_FLU));
    for (const [name, value] of Object.entries(numbers)) named[`surfaces.1.${name}`] = value as number;
    for (const [i, { name: _, ...control }] of control_surfaces.entries()) {
      named[`surfaces.1.controls.${i + 1}.servo`] = i + 1;
      for (const [name, value] of Object.entries(control))
        named[`surfaces.1.controls.${i + 1}.${name}`] = value as number;
    }
  }
  return named;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function shapeOf({ rotors, lift_drag }: any): AircraftShape {
  const controls = lift_drag?.control_surfaces.length ?? 0;
  return {
    rotors: rotors.length,
    ...(lift_drag ? { surfaces: [{ law: "advanced-lift-drag", controls }], servos: controls } : {}),
  };
}

describeWithShared("six-degree-of-freedom trajectories with Gazebo rotors and lifting surfaces", () => {
  for (const name of CASES)
    it(name, () => {
      const file = readShared(`vectors/aircraft/${name}.json`);
      const model = aircraft(shapeOf(file.parameters));
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
          Float64Array.from(model.states, (f) => b.state[f.name] ?? 0),
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
        if (b.lift_drag) {
          part("force_surface_1", b.lift_drag.force_B);
          part("moment_surface_1", b.lift_drag.moment_about_CG_B);
          const told = Object.fromEntries(model.outputs.map((f, i) => [f.name, y[i]]));
          const { alpha, beta, sigma, V_inplane, coefficients } = b.lift_drag;
          const { alpha_1, beta_1, stall_1, speed_1 } = told;
          expect({ alpha_1, beta_1, stall_1, speed_1 }).toEqual({
            alpha_1: expect.closeTo(alpha, 10),
            beta_1: expect.closeTo(beta, 10),
            stall_1: expect.closeTo(sigma, 10),
            speed_1: expect.closeTo(V_inplane, 10),
          });
          const sum = (prefix: string, endings: readonly string[]) =>
            endings.reduce((s, ending) => s + told[`${prefix}_${ending}`], 0);
          for (const [C, c] of Object.entries<Record<string, number>>(coefficients)) {
            const close = (v: number, expected: number) =>
              expect(Math.abs(v - expected), `${C} at ${b.t} s`).toBeLessThan(1e-10);
            close(told[`${C}_1`], c.total);
            close(sum(`${C}_1`, ["p", "q", "r"]), c.rates);
            close(sum(`${C}_1`, ["ctrl_1", "ctrl_2", "ctrl_3", "ctrl_4"]), c.of_which_controls);
          }
        }
        if (b.drag_body) part("force_drag", b.drag_body.force_B);
        part("force", b.total_without_weight.force_B);
        part("moment", b.total_without_weight.moment_about_CG_B);
        part("specific_force", b.total_without_weight.specific_force_B);
        model.states.forEach((f, i) => {
          const expected = b.derivative[f.name];
          if (f.name.startsWith("servo_")) return;
          expect(Math.abs(dx[i] - expected), `${f.name}' at ${b.t} s`).toBeLessThan(
            1e-10 * Math.max(1, Math.abs(expected)),
          );
        });
      }
      const x = Float64Array.from(model.states, (f) => file.initial[f.name] ?? 0);
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
          if (j >= 0)
            expect(Math.abs(x[j] - row[i + 1]), `${column} at ${row[0]} s`).toBeLessThan(within(name));
        });
      });
    });
});
