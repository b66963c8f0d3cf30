import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/model/yaml.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { allocation } from "../../src/vehicle-types/aircraft/multirotor/allocation.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, BALL, ROTOR } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

const VEHICLES = ["iris", "x500", "typhoon-h480", "hakoniwa"];
const FIELDS = [
  "north",
  "east",
  "altitude",
  "v_north",
  "v_east",
  "v_down",
  "roll",
  "pitch",
  "rotor_1",
  "rotor_2",
];

/** Flies a scenario of examples/ and gives its samples by name. */
function example(name: string) {
  const source = parseYaml(readFileSync(join("examples", `${name}.yaml`), "utf8"), name);
  const vehicle = preset((source.value as { vehicle: string }).vehicle);
  const scenario = readScenario(source, vehicle);
  const recorder = new Recorder(FIELDS);
  const result = run(createSimulation(scenario), scenario.duration, [recorder]);
  const t = recorder.column("t");
  const columns = Object.fromEntries(FIELDS.map((f) => [f, recorder.column(f)]));
  return {
    scenario,
    result,
    /** Samples between two times. */
    between(from: number, to: number) {
      const out: Record<string, number>[] = [];
      t.forEach((time, i) => {
        if (time >= from && time <= to)
          out.push({ t: time, ...Object.fromEntries(FIELDS.map((f) => [f, columns[f][i]])) });
      });
      return out;
    },
  };
}
const far = (s: Record<string, number>, [n, e, h]: readonly number[]) =>
  Math.hypot(s.north - n, s.east - e, s.altitude - h);

for (const name of VEHICLES)
  describe(`${name} flies untuned`, () => {
    it("takes off, holds its place within 5 cm, flies the square, and lands softly", () => {
      const flight = example(`${name}-square`);
      const { altitude: parked } = preset(name).initial;
      for (const s of flight.between(0, 0.9)) expect(Math.abs(s.altitude - parked)).toBeLessThan(1e-3);
      for (const s of flight.between(10, 15)) expect(far(s, [0, 0, 5]), `at ${s.t} s`).toBeLessThan(0.05);
      const way = flight.between(15, 43);
      for (const corner of [
        [10, 0, 5],
        [10, 10, 5],
        [0, 10, 5],
        [0, 0, 5],
      ])
        expect(Math.min(...way.map((s) => far(s, corner))), `corner ${corner}`).toBeLessThan(0.3);
      for (const s of way) expect(Math.abs(s.altitude - 5)).toBeLessThan(0.35);
      // Softly: below 0.6 m/s until the ground has it, upright and still at the end.
      for (const s of flight.between(44, 60)) expect(s.v_down).toBeLessThan(0.6);
      const end = flight.between(59, 60);
      for (const s of end) {
        expect(Math.abs(s.altitude - parked)).toBeLessThan(2e-3);
        expect(Math.hypot(s.north, s.east)).toBeLessThan(0.1);
        expect(Math.hypot(s.roll, s.pitch)).toBeLessThan(0.01);
        expect(s.rotor_1).toBeLessThan(2);
      }
      expect(flight.result.warnings).toEqual([]);
    });

    it("holds its place within 0.3 m RMS in light turbulence, by sensors alone", () => {
      const flight = example(`${name}-turbulence`);
      expect(flight.scenario.blocks).toMatchObject({ navigation: "sensors" });
      const held = flight.between(20, 60);
      const rms = Math.sqrt(held.reduce((sum, s) => sum + far(s, [0, 0, 10]) ** 2, 0) / held.length);
      expect(rms).toBeLessThan(0.3);
      expect(rms).toBeGreaterThan(0.005);
    });
  });

describe("settling", () => {
  for (const [name, speed] of [
    ["iris", 802.883022152215],
    ["x500", 769.5639822828385],
    ["hakoniwa", 122.2417],
  ] as const)
    it(`${name} hovers at ${speed.toFixed(2)} rad/s`, () => {
      const s = simulate(
        { control_dt: 0.01, pilot: [{ t: 0, hold: { north: 0, east: 0, altitude: 20, yaw: 0 } }] },
        preset(name),
      );
      for (let n = 0; s.t < 60 && n < 1e6; n++) s.step();
      for (let k = 1; k <= 4; k++)
        expect(s.x[12 + k] / speed, `rotor ${k}`).toBeCloseTo(1, name === "hakoniwa" ? 4 : 5);
    });
});

it("the hexarotor stays in the air on five rotors, and lands on them", () => {
  const flight = example("typhoon-h480-rotor-failure");
  for (const s of flight.between(20, 30)) {
    expect(far(s, [0, 0, 10]), `at ${s.t} s`).toBeLessThan(0.5);
    expect(Math.hypot(s.roll, s.pitch)).toBeLessThan(0.3);
  }
  const end = flight.between(59, 60)[0];
  expect(Math.abs(end.altitude - preset("typhoon-h480").initial.altitude)).toBeLessThan(2e-3);
});

it("near the ground a hover needs less speed, by the law", () => {
  const flight = example("iris-ground-effect");
  const R = 0.128;
  for (const [t, altitude] of [
    [13.5, 2],
    [25.5, 0.5],
    [37.5, 0.3],
    [49.5, 0.15],
  ]) {
    const s = flight.between(t, t + 0.2)[0];
    const d = altitude + 0.023;
    const z = 5 - d / R;
    const taper = z <= 0 ? 0 : z >= 1 ? 1 : z * z * (3 - 2 * z);
    const gain = taper * (1 + d / R) ** -1.5;
    expect(s.altitude).toBeCloseTo(altitude, 2);
    expect(s.rotor_1 / (802.883022152215 / Math.sqrt(1 + gain)), `at ${altitude} m`).toBeCloseTo(1, 3);
  }
});

it("a room keeps what flies in it", () => {
  const flight = example("iris-room");
  for (const s of flight.between(0, 30)) {
    expect(s.north).toBeLessThan(4);
    expect(s.altitude).toBeLessThan(3);
    expect(s.altitude).toBeGreaterThan(0);
  }
  expect(Math.max(...flight.between(8, 14).map((s) => s.north))).toBeGreaterThan(3.7);
});

describe("allocation", () => {
  const quad = (
    directions: readonly string[],
    positions = [
      [1, 1],
      [-1, -1],
      [1, -1],
      [-1, 1],
    ],
  ) =>
    aircraftOf({
      ...BALL,
      rotors: positions.map(([x, y], k) => ({
        ...ROTOR,
        position: [0.2 * x, 0.2 * y, 0],
        direction: directions[k],
      })),
    });
  const hover = (vehicle: ReturnType<typeof aircraftOf>) =>
    simulate({ initial: { altitude: 5 }, pilot: [{ t: 0, hold: true }] }, vehicle);

  it("names the axis that rotors cannot control", () => {
    expect(() => hover(quad(["ccw", "ccw", "cw", "cw"]))).not.toThrow();
    expect(() => hover(quad(["cw", "cw", "cw", "cw"]))).toThrow(/cannot control yaw/);
    expect(() =>
      hover(
        quad(
          ["ccw", "cw", "ccw", "cw"],
          [
            [1, 0],
            [-1, 0],
            [2, 0],
            [-2, 0],
          ],
        ),
      ),
    ).toThrow(/cannot control roll/);
    expect(() => hover(aircraftOf({ ...BALL, rotors: [ROTOR] }))).toThrow(
      /1 rotors are fewer than four axes/,
    );
  });

  it("gives what is asked where thrusts allow, for a quadrotor, an octorotor and tilted rotors", () => {
    for (const [N, tilt] of [
      [4, 0],
      [6, 0],
      [8, 0],
      [6, 0.3],
    ] as const) {
      const B = new Float64Array(4 * N);
      for (let k = 0; k < N; k++) {
        const angle = (2 * Math.PI * (k + 0.5)) / N;
        const turn = k % 2 === 0 ? 1 : -1;
        const lean = tilt * turn;
        // Arm 0.3 m; thrust leans around the arm; 2 cm of drag torque over thrust.
        B[k] = -0.3 * Math.sin(angle) * Math.cos(lean);
        B[N + k] = 0.3 * Math.cos(angle) * Math.cos(lean);
        B[2 * N + k] = turn * 0.02 + 0.3 * Math.sin(lean);
        B[3 * N + k] = Math.cos(lean);
      }
      const thrusts = new Float64Array(N);
      const wanted = [0.3, -0.2, 0.05, 20];
      allocation(B, new Float64Array(N).fill(10)).solve(wanted[0], wanted[1], wanted[2], wanted[3], thrusts);
      wanted.forEach((w, row) => {
        const got = thrusts.reduce((sum, T, k) => sum + B[row * N + k] * T, 0);
        expect(got, `${N} rotors, axis ${row}`).toBeCloseTo(w, 10);
      });
    }
  });

  it("at its limits gives up yaw first, then lift, and keeps roll and pitch", () => {
    const B = new Float64Array([
      ...[-0.2, 0.2, 0.2, -0.2],
      ...[0.2, -0.2, 0.2, -0.2],
      ...[0.02, 0.02, -0.02, -0.02],
      ...[1, 1, 1, 1],
    ]);
    const solver = allocation(B, new Float64Array([5, 5, 5, 5]));
    const T = new Float64Array(4);
    const got = (row: number) => T.reduce((sum, t, k) => sum + B[row * 4 + k] * t, 0);
    solver.solve(0.8, 0, 1, 10, T);
    expect(got(0)).toBeCloseTo(0.8, 10);
    expect(got(3)).toBeCloseTo(10, 10);
    expect(got(2)).toBeLessThan(1);
    solver.solve(1.5, 0, 0, 20, T);
    expect(got(0)).toBeCloseTo(1.5, 10);
    expect(got(3)).toBeLessThan(20);
    for (const t of T) {
      expect(t).toBeGreaterThanOrEqual(0);
      expect(t).toBeLessThanOrEqual(5);
    }
  });
});

describe("what a pilot may ask", () => {
  const fly = (pilot: unknown, duration: number, more = {}) => {
    const s = simulate({ control_dt: 0.01, initial: { altitude: 50 }, pilot, ...more }, preset("iris"));
    for (let n = 0; s.t < duration && n < 1e6; n++) s.step();
    return s;
  };
  it("velocity: that velocity after a while, level otherwise", () => {
    const s = fly([{ t: 0, velocity: { north: 2, east: -1, up: 0.5, yaw: 1 } }], 15);
    expect([s.x[3], s.x[4], s.x[5]].map((v) => Math.round(100 * v) / 100)).toEqual([2, -1, -0.5]);
    expect(s.y[6]).toBeCloseTo(1, 2);
  });
  it("attitude and thrust: those angles, and the acceleration that thrust gives", () => {
    const s = fly([{ t: 0, attitude: { roll: 0.2, pitch: -0.1, yaw: 0.5, thrust: 15.05835 } }], 3);
    expect(s.y[4]).toBeCloseTo(0.2, 2);
    expect(s.y[5]).toBeCloseTo(-0.1, 2);
    expect(s.y[6]).toBeCloseTo(0.5, 1);
  });
  it("a snapshot taken in flight goes on bit for bit", () => {
    const words = {
      control_dt: 0.01,
      pilot: [
        { t: 0, hold: { altitude: 3, yaw: 0 } },
        {
          t: 4,
          waypoints: [
            [2, 0, 3],
            [2, 2, 3],
          ],
        },
      ],
      wind: { dryden: { turbulence: "light", height: 10, airspeed: 5 } },
      faults: [{ t: 5, rotor_1: 0.9 }],
    };
    const one = simulate(words, preset("iris"));
    for (let n = 0; one.t < 5.5 && n < 1e6; n++) one.step();
    const other = simulate(words, preset("iris"));
    other.restore(one.snapshot());
    for (let i = 0; i < 200; i++) {
      one.step();
      other.step();
    }
    expect(other.digest()).toBe(one.digest());
  });
  it("a rotor's fault scales its loads from that time on", () => {
    const s = simulate(
      {
        initial: { altitude: 50, rotor_1: 500 },
        inputs: [{ t: 0, rotor_1_cmd: 500 }],
        faults: [{ t: 0.1, rotor_1: 0.25 }],
      },
      preset("iris"),
    );
    const thrust = () => s.sample()[s.channels.findIndex((c) => c.name === "torque_1")];
    const before = thrust();
    for (let n = 0; s.t < 0.2 && n < 1e6; n++) s.step();
    expect(thrust() / before).toBeCloseTo(0.25, 6);
  });
});
