/** Derivatives that the build compiled: the bits of those that are compiled at run time, for what they were made for alone. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { storedName } from "../../src/cli/derivatives.ts";
import { store } from "../../src/compile/store.ts";
import { withStored } from "../../src/compile/stored.ts";
import { withJacobian } from "../../src/compile/with-jacobian.ts";
import { stillAir } from "../../src/environment/environment.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../../src/vehicles/vehicle.ts";
import { sideslip } from "../support/cli.ts";
import { type Instant, instants } from "../support/states.ts";

const BY = "states and inputs";

/** In the air, with wind but no ground: what the build compiles for. */
function aloft(vehicle: Vehicle, seed: number): (index: number) => Instant {
  const at = instants(vehicle, seed);
  const { length } = vehicle.model.environment;
  return (index) => {
    const { x, u, e } = at(index);
    const around = stillAir(vehicle.model);
    around.set(e.subarray(0, length));
    return { x, u, e: around };
  };
}

function derivatives({ model, parameters }: Vehicle, { x, u, e }: Instant) {
  const J = new Float64Array(x.length * (x.length + u.length));
  const dx = new Float64Array(x.length);
  const isThere = model.jacobian?.(BY, x, u, parameters, e, J, dx);
  return { isThere, J, dx };
}

describe.each(presetNames())("%s", (name) => {
  const vehicle = preset(name);
  const { text, modules } = store(vehicle);
  const compiled = withJacobian(vehicle);

  it("gives the bits of code made at run time", () => {
    const ready = withStored(vehicle, text, modules);
    const at = aloft(vehicle, 11);
    for (let i = 0; i < 50; i++) expect(derivatives(ready, at(i))).toEqual(derivatives(compiled, at(i)));
    expect(derivatives(ready, at(0)).isThere).toBe(true);
  });

  it("follows other parameters", () => {
    const field = vehicle.model.parameters.find((f) => /^(m|mass|rho)$/.test(f.name));
    expect(field).toBeDefined();
    const heavier = withParameters(vehicle, { [field?.name as string]: 1.3 });
    const at = aloft(heavier, 3)(1);
    const ready = derivatives(withStored(heavier, text, modules), at);
    expect(ready).toEqual(derivatives(withJacobian(heavier), at));
    expect(ready.J).not.toEqual(derivatives(compiled, at).J);
  });
});

it("is not taken for other equations, nor where a decision of the parameters fell otherwise", () => {
  const [plane, quad] = [preset("advanced-plane"), preset("x500")];
  const { text, modules } = store(plane);
  expect(withStored(quad, text, modules)).toBe(quad);
  const decided = JSON.parse(text).assumptions as [number, boolean][];
  const otherwise = JSON.stringify({ ...JSON.parse(text), assumptions: decided.map(([n, is]) => [n, !is]) });
  expect(derivatives(withStored(plane, otherwise, modules), aloft(plane, 1)(0)).isThere).toBe(false);
  // Above ground other surroundings decide.
  const near = derivatives(withStored(plane, text, modules), instants(plane, 1)(0));
  expect(near.isThere).toBe(false);
});

describe("the command line", () => {
  it.each([
    ["trim", "rc-cessna"],
    ["trim", "formula-student"],
    ["modes", "parafoil"],
    ["linearize", "advanced-plane"],
    ["run", "formula-student"],
  ])("%s %s says the same with --plain, to the last digit", (command, vehicle) => {
    const fast = sideslip([command, vehicle, "--json"]);
    const plain = sideslip([command, vehicle, "--json", "--plain"]);
    expect(fast.status).toBe(0);
    expect(plain).toEqual(fast);
  });

  it("has steps of radau of the car, and derivatives of all", () => {
    const folder = new URL("../../dist/jacobians/", import.meta.url);
    for (const name of presetNames()) {
      const { model } = preset(name);
      const files = readdirSync(folder).filter((file) => file.startsWith(storedName(model)));
      const endings = files.map((file) => file.slice(file.indexOf(".")));
      expect(endings.sort(), name).toEqual([
        ".jacobian.wasm",
        ".json",
        ...(model.newton ? [".newton.wasm"] : []),
      ]);
    }
  });

  it.each([
    ["trim", "rc-cessna"],
    ["run", "formula-student"],
  ])("takes them: %s %s runs machine code, and none with --plain", (command, vehicle) => {
    // Beside a handful of bytes that ask whether the engine has vectors.
    const spy = `const { Module } = WebAssembly;
      let most = 0;
      WebAssembly.Module = class extends Module {
        constructor(bytes) { super(bytes); most = Math.max(most, bytes.length); }
      };
      process.on("exit", () => process.stderr.write("largest module: " + most));`;
    const flags = ["--import", `data:text/javascript,${encodeURIComponent(spy)}`];
    const largest = (...more: string[]) =>
      Number(
        /largest module: (\d+)/.exec(sideslip([command, vehicle, ...more], undefined, flags).stderr)?.[1],
      );
    expect(largest()).toBeGreaterThan(10_000);
    expect(largest("--plain")).toBeLessThan(200);
  });

  it("takes them: a linear model is known to rounding, which no differences are", () => {
    const { error } = JSON.parse(sideslip(["linearize", "advanced-plane", "--json"]).stdout);
    expect(error).toBeLessThan(1e-13);
  });
});
