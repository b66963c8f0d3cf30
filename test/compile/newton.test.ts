/** Implicit steps by machine code are those without, bit for bit, and near those with differences. */
import { describe, expect, it } from "vitest";
import { entriesOf, jacobianModule } from "../../src/compile/jacobian.ts";
import { jacobianKernel } from "../../src/compile/jacobian-kernel.ts";
import { store } from "../../src/compile/store.ts";
import { withStored } from "../../src/compile/stored.ts";
import { trace } from "../../src/compile/trace.ts";
import { withJacobian } from "../../src/compile/with-jacobian.ts";
import { stillAir } from "../../src/environment/environment.ts";
import { plainSource } from "../../src/model/document.ts";
import { createCore } from "../../src/simulation/create.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../../src/vehicles/vehicle.ts";
import { instants } from "../support/states.ts";

const DRIVES: Record<string, Record<string, unknown>> = {
  "a car from standstill, with its driver": { vehicle: "formula-student", track: "autocross", driver: true },
  "a car with all options, wheels off the ground": {
    vehicle: "formula-student",
    parameters: { friction_ellipse: "on", load_sensitivity: "on", longitudinal_limit: "on", z_CG: 0.55 },
    initial: { v_x: 12 },
    inputs: [
      { t: 0.5, u_delta: 0.2 },
      { t: 1.5, u_delta: -0.25, u_tau_RL: 200, u_tau_RR: 200 },
    ],
  },
  "a parafoil in gusts": {
    vehicle: "parafoil",
    wind: { steady: [1, 2, 0], gust: { interval: 1, duration: 1, magnitude: 2 } },
    inputs: [{ t: 1, brake_left_cmd: 0.5 }],
  },
  "a parafoil in the standard atmosphere, whose surroundings depend on its height": {
    vehicle: "parafoil",
    air: "isa",
    inputs: [{ t: 1, brake_left_cmd: 0.5 }],
  },
  "a quadrotor that falls on the ground": {
    vehicle: "x500",
    initial: { altitude: 0.6, v_north: 1 },
    boundaries: [{ kind: "ground", down: 0 }],
  },
};
const INTEGRATORS = ["radau", "radau-fixed"];
const SECONDS = 3;

const simulate = (vehicle: Vehicle, words: Record<string, unknown>, integrator: string) =>
  createCore(readScenario(plainSource({ duration: SECONDS, ...words, integrator }, "test"), vehicle));
const mustBeExact = (vehicle: Vehicle, isPlain: boolean) =>
  withJacobian(vehicle, {
    isPlain,
    onRefusal: (refusal) => {
      throw refusal;
    },
  });

/** A car brings its own. */
const withoutDerivatives = (vehicle: Vehicle): Vehicle => ({
  ...vehicle,
  model: { ...vehicle.model, jacobian: undefined, newton: undefined },
});

describe.each(Object.entries(DRIVES))("%s", (_what, words) => {
  const vehicle = preset(words.vehicle as string);
  it.each(INTEGRATORS)("%s: the same bits with machine code and without", (integrator) => {
    const machine = run(simulate(mustBeExact(vehicle, false), words, integrator), SECONDS);
    const plain = run(simulate(mustBeExact(vehicle, true), words, integrator), SECONDS);
    expect(machine).toEqual(plain);
    const differences = run(simulate(withoutDerivatives(vehicle), words, integrator), SECONDS);
    expect(machine.events.map((e) => e.name)).toEqual(differences.events.map((e) => e.name));
    for (const { name } of vehicle.model.states)
      expect(Math.abs(machine.final[name] - differences.final[name]), name).toBeLessThan(
        1e-6 * Math.max(1, Math.abs(machine.final[name])),
      );
  });

  it("goes on from a snapshot as if nothing had been", () => {
    const exactly = mustBeExact(vehicle, false);
    const through = simulate(exactly, words, "radau-fixed");
    const [first, second] = [0, 1].map(() => simulate(mustBeExact(vehicle, false), words, "radau-fixed"));
    for (let n = 0; n < 1e6 && through.t < SECONDS - 1e-9 && through.step(SECONDS); n++);
    for (let n = 0; first.t < 1.2 && n < 1e6; n++) first.step(SECONDS);
    // The other one has gone elsewhere meanwhile.
    for (let n = 0; second.t < 0.7 && n < 1e6; n++) second.step(SECONDS);
    second.restore(first.snapshot());
    for (let n = 0; n < 1e6 && second.t < SECONDS - 1e-9 && second.step(SECONDS); n++);
    expect(second.digest()).toBe(through.digest());
  });
});

it("takes other parameters in the middle of a run", () => {
  const words = DRIVES["a car with all options, wheels off the ground"];
  const [a, b] = [false, true].map((isPlain) => {
    const simulation = simulate(mustBeExact(preset("formula-student"), isPlain), words, "radau-fixed");
    for (let n = 0; simulation.t < 1 && n < 1e6; n++) simulation.step();
    const values = simulation.parameterValues();
    values[0] *= 1.2;
    simulation.setParameters(values);
    for (let n = 0; n < 1e6 && simulation.t < 2 && simulation.step(); n++);
    return simulation.digest();
  });
  expect(a).toBe(b);
});

it("two cars that take over from each other go on by themselves", () => {
  const words = DRIVES["a car with all options, wheels off the ground"];
  const digests = [false, true].map((isPlain) => {
    const exactly = mustBeExact(preset("formula-student"), isPlain);
    const [a, b] = [0, 1].map(() => simulate(exactly, words, "radau-fixed"));
    for (let n = 0; a.t < 0.5 && n < 1e6; n++) a.step();
    b.adoptState(a);
    b.u[0] = 0.1;
    for (let i = 0; i < 50; i++) {
      a.step();
      b.step();
    }
    return [a.digest(), b.digest()];
  });
  expect(digests[0]).toEqual(digests[1]);
});

describe("derivatives that come with the car", () => {
  const car = preset("formula-student");
  const [words, otherWords] = Object.values(DRIVES);
  const { text, modules } = store(car);
  const stored = withStored(car, text, modules);
  const newtonOf = ({ model, parameters }: Vehicle) => model.newton?.({}, parameters, stillAir(model));

  // Two more that lift their wheels in every way, with code of their own for each.
  it.each<Record<string, number>>([
    {},
    { z_CG: 1.2, W: 0.7, Da: 3 },
    { z_CG: 0.8, W: 0.9, Da: 2, torque_max: 3000 },
  ])("are those of its equations as they stand, with %o: the bits of the compiler's", (changed) => {
    const { model, parameters } = withParameters(car, changed);
    const lifted = trace(model, parameters, stillAir(model));
    const compiled = jacobianKernel(jacobianModule(model, lifted, "states", parameters));
    const at = instants(withParameters(car, changed), 5);
    const n = model.states.length;
    const [own, its] = [0, 1].map(() => new Float64Array(n * n));
    const [dx, rates] = [0, 1].map(() => new Float64Array(n));
    let differing = 0;
    for (let i = 0; i < 8000; i++) {
      const { x, u, e } = at(i);
      if (!model.jacobian?.("states", x, u, parameters, e, own.fill(Number.NaN), dx)) differing++;
      compiled(x, u, parameters, e, its.fill(Number.NaN), rates);
      if (own.some((v, k) => !Object.is(v, its[k])) || dx.some((v, k) => !Object.is(v, rates[k])))
        differing++;
    }
    expect(differing).toBe(0);
    const pattern = new Uint8Array(n * n);
    for (const { row, column } of entriesOf(model, lifted, "states")) pattern[row * n + column] = 1;
    expect(newtonOf({ ...car, model, parameters })?.pattern).toEqual(pattern);
  });

  it("have a pattern that holds for all switches", () => {
    const own = newtonOf(car)?.pattern as Uint8Array;
    const switches = ["friction_ellipse", "longitudinal_limit", "load_sensitivity", "compat"];
    for (let k = 0; k < 2 ** switches.length; k++) {
      const { model, parameters } = withParameters(
        car,
        Object.fromEntries(switches.map((name, i) => [name, (k >> i) & 1])),
      );
      const entries = entriesOf(model, trace(model, parameters, stillAir(model)), "states");
      expect(entries.every(({ row, column }) => own[row * model.states.length + column] === 1)).toBe(true);
    }
  });

  it.each(Object.entries(DRIVES).slice(0, 2))("%s: the same run compiled and not", (_what, drive) => {
    for (const integrator of INTEGRATORS)
      expect(run(simulate(mustBeExact(car, false), drive, integrator), SECONDS)).toEqual(
        run(simulate(car, drive, integrator), SECONDS),
      );
  });

  it("stay behind where somebody puts other equations in place of its own", () => {
    const { x, u, e } = instants(car, 1)(0);
    const model = { ...car.model, derivative: () => {} };
    const J = new Float64Array(x.length * x.length);
    expect(model.jacobian?.("states", x, u, car.parameters, e, J)).toBe(false);
    expect(model.newton?.({}, car.parameters, e)).toBeUndefined();
  });

  it("are not taken for a car with other switches", () => {
    for (const field of ["friction_ellipse", "longitudinal_limit", "load_sensitivity", "compat"]) {
      const other = withParameters(car, { [field]: 1 });
      expect(newtonOf(other)?.byDifferences, field).toBe(true);
      const { x, u, e } = instants(other, 1)(0);
      const J = new Float64Array(x.length * x.length);
      expect(other.model.jacobian?.("states", x, u, other.parameters, e, J), field).toBe(false);
    }
  });

  it.each(INTEGRATORS)("%s: the same run by machine code that the build made", (integrator) => {
    expect(newtonOf(car)?.kernel).toBeUndefined();
    expect(newtonOf(stored)?.kernel).toBeDefined();
    expect(run(simulate(stored, words, integrator), SECONDS)).toEqual(
      run(simulate(car, words, integrator), SECONDS),
    );
    // One with other switches goes on without.
    expect(run(simulate(stored, otherWords, integrator), SECONDS)).toEqual(
      run(simulate(car, otherWords, integrator), SECONDS),
    );
  });

  it("takes other parameters in the middle of a run, and other switches", () => {
    const digests = [car, stored].map((vehicle) => {
      const simulation = simulate(vehicle, words, "radau-fixed");
      for (const [field, value] of [
        ["m", 250],
        ["friction_ellipse", 1],
        ["friction_ellipse", 0],
      ] as const) {
        const end = simulation.t + 0.5;
        for (let n = 0; simulation.t < end && n < 1e6; n++) simulation.step();
        const values = simulation.parameterValues();
        values[vehicle.model.parameters.findIndex((f) => f.name === field)] = value;
        simulation.setParameters(values);
      }
      for (let n = 0; n < 1e6 && simulation.t < 2.5 && simulation.step(); n++);
      return simulation.digest();
    });
    expect(digests[1]).toBe(digests[0]);
  });
});
