/** `sideslip compile` shows what becomes of a vehicle. */
import { expect, it } from "vitest";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { sideslip } from "../support/cli.ts";

it.each(presetNames())("%s is compiled within the size that is aimed at, with its pattern", (name) => {
  const { status, stdout } = sideslip(["compile", name, "--json"]);
  expect(status).toBe(0);
  const told = JSON.parse(stdout);
  const { states } = preset(name).model;
  expect(told.pattern).toHaveLength(told.jacobian.nonzero);
  // The first rate of every vehicle is that of a place: it depends on a velocity.
  expect(told.pattern[0][0]).toBe(0);
  expect(told.jacobian.size).toBe(states.length);
  expect(told.step.bytes).toBeLessThan(120_000);
});

it("prints code that can be read and run", () => {
  const { stdout } = sideslip(["compile", "parafoil", "--print"]);
  expect(stdout).toContain("// x: 0 north, 1 east, 2 down, 3 v_north");
  expect(stdout).toMatch(/const u_B = .*r11 \* a_n/);
  // Names of its own are no elementary functions: it says what it calls.
  expect(stdout).toMatch(/atan2\(w_B, u_safe\)/);
  expect(() => new Function("atan2", "asin", "exp", stdout)).not.toThrow();
  const jacobian = sideslip(["compile", "parafoil", "--print", "jacobian"]).stdout;
  expect(jacobian).toMatch(/J\[3\] = 1;/);
});

it("says what it cannot do", () => {
  const wrong = sideslip(["compile", "parafoil", "--print", "everything"]);
  expect(wrong.status).toBe(2);
  expect(wrong.stderr).toContain("allowed: derivative, jacobian");
});
