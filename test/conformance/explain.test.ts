import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Contribution, Explanation } from "../../src/analysis/explain.ts";
import { folder, sideslip, writeFile } from "../support/cli.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const explained = (args: readonly string[]): Explanation & { t?: number } =>
  JSON.parse(sideslip(["explain", ...args, "--json"]).stdout);

/** What is missing from the sums, relative to their terms, at worst. */
function missing(list: readonly Contribution[]): number {
  return Math.max(
    0,
    ...list.flatMap(({ value, parts }) => {
      if (parts.length === 0) return [];
      const sum = parts.reduce((total, p) => total + p.value, 0);
      const size = parts.reduce((total, p) => total + Math.abs(p.value), 0);
      return [Math.abs(value - sum) / Math.max(size, 1e-300), missing(parts)];
    }),
  );
}

describe("sideslip explain", () => {
  for (const [example, vehicle, at] of [
    ["gusty", "parafoil", "7.3"],
    ["iris-turbulence", "iris", "4.1"],
    ["rc-cessna-circuit", "rc-cessna", "9"],
    ["standard-vtol-transition", "standard-vtol", "11.2"],
    ["autocross", "formula-student", "9.87"],
  ])
    it(`${example}: on a sample of a run contributions add up, and rates are those of the run`, () => {
      const at0 = folder();
      const root = new URL("../../examples/", import.meta.url).pathname;
      sideslip(["run", join(root, `${example}.yaml`), "--duration", "12", "--out", "run.csv"], at0);
      const found = explained([vehicle, "--run", join(at0, "run.csv"), "--at", at]);
      expect(found.t).toBeCloseTo(Number(at), 1);
      expect(missing(found.contributions)).toBeLessThan(1e-12);
      expect(found.contributions.some((c) => c.parts.length > 0)).toBe(true);
    });

  it("takes a flat file of names with units, angles instead of the quaternion, and wind", () => {
    const file = writeFile(
      '{ "v_north": 4.5, "v_down": 0, "pitch": "-2 deg", "brake_left": 0.4, "wind": [0, 2, 0] }',
      "s.json",
    );
    const { outputs, derivative, warnings } = explained(["parafoil", "--state", file]);
    expect(outputs.pitch).toBeCloseTo((-2 * Math.PI) / 180, 12);
    expect(outputs.airspeed).toBeCloseTo(Math.hypot(4.5, 2), 12);
    // Wind from the left cheek: the air comes from the left where it blows to the east.
    expect(outputs.beta).toBeLessThan(0);
    expect(derivative.north).toBe(4.5);
    expect(warnings).toEqual([]);
  });

  it("accepts what is out of range, and says so", () => {
    const { stderr, stdout } = sideslip([
      "explain",
      "parafoil",
      "--state",
      writeFile("brake_left: 3", "s.yaml"),
      "--json",
    ]);
    expect(stderr).toMatch(/warning: brake_left = 3 is outside its range \(0 to 1\)/);
    expect(JSON.parse(stdout).derivative.brake_left).toBeLessThan(0);
  });

  it("says what is wrong with a state, a run or a time", () => {
    const told = (...args: string[]) => sideslip(["explain", ...args]).stderr;
    expect(told("parafoil", "--state", writeFile("v_nort: 3", "s.yaml"))).toMatch(
      /s\.yaml:1:1: v_nort: is neither a state.*did you mean "v_north"/,
    );
    expect(told("parafoil", "--state", writeFile("v_north: fast", "s.yaml"))).toMatch(
      /v_north: "fast" is not a number/,
    );
    expect(told("parafoil", "--state", writeFile("wind: [1, 2]", "s.yaml"))).toMatch(
      /wind: is not a wind vector.*north, east, down/,
    );
    expect(told("parafoil", "--run", "x.csv")).toMatch(/--at: --run and --at must be given together/);
    expect(told("parafoil", "--run", "x.csv", "--at", "3")).toMatch(/x\.csv: cannot be read/);
    expect(told("parafoil", "--run", writeFile("t,north\n0,0\n", "x.csv"), "--at", "3")).toMatch(
      /has no column "east"/,
    );
  });
});

describeWithShared("explain against parafoil-derivatives.json (the original's code)", () => {
  it("derivatives of published states, by the command", () => {
    const { cases } = readShared("vectors/parafoil-derivatives.json");
    for (const { input, v_I_dot, w_B_dot, alpha } of cases.slice(0, 5)) {
      const [q_w, q_x, q_y, q_z] = input.q_IB_wxyz;
      const state = {
        v_north: input.v_I[0],
        v_east: input.v_I[1],
        v_down: input.v_I[2],
        q_w,
        q_x,
        q_y,
        q_z,
        p: input.w_B[0],
        q: input.w_B[1],
        r: input.w_B[2],
        brake_left: input.delta[0],
        brake_right: input.delta[1],
        brake_left_cmd: input.delta_cmd[0],
        brake_right_cmd: input.delta_cmd[1],
        wind: input.wind_I,
      };
      const { derivative, outputs } = explained([
        "parafoil",
        "--state",
        writeFile(JSON.stringify(state), "s.json"),
      ]);
      ["v_north", "v_east", "v_down"].forEach((name, i) => {
        expect(derivative[name]).toBeCloseTo(v_I_dot[i], 10);
      });
      ["p", "q", "r"].forEach((name, i) => {
        expect(derivative[name]).toBeCloseTo(w_B_dot[i], 10);
      });
      expect(outputs.alpha).toBeCloseTo(alpha, 10);
    }
  });
});
