import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { folder, sideslip, writeFile } from "../support/cli.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const NAMES = "north east down v_north v_east v_down q_w q_x q_y q_z p q r brake_left brake_right".split(" ");
const SEGMENTS = [
  [0, 0, 0],
  [10, 0.5, 0],
  [20, 0, 0.5],
  [30, 0.4, 0.4],
  [40, 1, 1],
  [50, 0.1, 0.3],
];

/** The original's 60 s flight as a scenario file, flown by the command line: states by name at every second. */
function fly(
  integrator: string,
  wind: readonly number[],
  segments: readonly (readonly number[])[] = SEGMENTS,
) {
  const at = folder();
  const scenario = {
    vehicle: "parafoil",
    duration: 60,
    integrator,
    dt: 0.005,
    control_dt: 0.02,
    initial: { down: -100, v_north: 4.5, v_down: 0.9 },
    wind: { steady: wind },
    inputs: segments.map(([t, left, right]) => ({ t, brake_left_cmd: left, brake_right_cmd: right })),
  };
  const file = writeFile(stringify(scenario), "run60.yaml", at);
  const { final } = JSON.parse(
    sideslip(["run", file, "--out", "f.csv", "--fields", NAMES.join(","), "--json"], at).stdout,
  );
  const rows = readFileSync(join(at, "f.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").slice(1).map(Number));
  expect(rows.length).toBe(3001);
  return {
    final: NAMES.map((name) => final[name] as number),
    seconds: rows.filter((_, i) => i > 0 && i % 50 === 0),
  };
}

/** Largest difference, the quaternion up to its sign. */
function difference(actual: readonly number[], expected: readonly number[]): number {
  const sign = Math.sign(actual.slice(6, 10).reduce((s, q, i) => s + q * expected[6 + i], 0));
  return Math.max(...expected.map((v, i) => Math.abs((i >= 6 && i < 10 ? sign * actual[i] : actual[i]) - v)));
}

describe("the 60 s flight of the original's code (numbers printed to 12 digits)", () => {
  const STILL = [
    118.664129355, 5.64821642228, -28.8410254372, -3.92900877685, -0.416628839013, 1.13569320428,
    -0.0683402288601, 0.0345870893829, -0.00328962675914, 0.997056931536, 0.0241258878111, -0.0039741916042,
    0.351244950159, 0.1, 0.3,
  ];
  const WINDY = [
    27.2974128471, 216.849685865, -28.8775534596, -2.68050013349, -0.915026651015, 1.1312445512,
    -0.412174203749, 0.0325189965642, 0.0107968045035, 0.910460526129, 0.0169606329503, -0.00190764143264,
    0.259779350561, 0.1, 0.3,
  ];
  it("in still air", () => expect(difference(fly("rk4", [0, 0, 0]).final, STILL)).toBeLessThan(1e-9));
  it("in 2 m/s to the east", () => expect(difference(fly("rk4", [0, 2, 0]).final, WINDY)).toBeLessThan(1e-9));
});

interface State {
  p_I: number[];
  v_I: number[];
  q_IB_wxyz: number[];
  w_B: number[];
  delta: number[];
}
const flat = (s: State) => [...s.p_I, ...s.v_I, ...s.q_IB_wxyz, ...s.w_B, ...s.delta];

describeWithShared("all its runs, at every second", () => {
  for (const r of readShared("vectors/parafoil-run60.json").runs)
    it(`${r.name}, ${r.integrator}`, () => {
      const segments = r.segments_t0_t1_left_right.map(([t, , left, right]: number[]) => [t, left, right]);
      const { final, seconds } = fly(r.integrator.replace("_", "-"), r.wind_NED, segments);
      const tolerance = r.integrator === "rk4" ? 1e-9 : 1e-7;
      expect(difference(final, flat(r.final))).toBeLessThan(tolerance);
      r.traj_1s.forEach((state: State, i: number) => {
        expect(difference(seconds[i], flat(state)), `after ${i + 1} s`).toBeLessThan(tolerance);
      });
    });
});
