/** Runs side by side are the runs one by one. */
import { describe, expect, it } from "vitest";
import { runBatch } from "../../src/compile/batch.ts";
import { LANES } from "../../src/compile/kernel.ts";
import type { Wind } from "../../src/environment/wind.ts";
import { plainSource } from "../../src/model/document.ts";
import { createCore } from "../../src/simulation/create.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { Run, type RunResult } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset } from "../../src/vehicle-types/index.ts";

type Words = Record<string, unknown> & { duration: number };

const runOf = (vehicle: string, words: Words, recorder?: Recorder) => {
  const scenario = readScenario(plainSource({ vehicle, ...words }, "test"), preset(vehicle));
  return new Run(createCore(scenario), words.duration, recorder ? [recorder] : []);
};

function oneByOne(run: Run): RunResult | string {
  try {
    while (!run.advance(1e6));
    return run.result();
  } catch (error) {
    return String(error);
  }
}

/** Results in the order in which the runs were given. */
function together(make: () => Run[], isPlain?: boolean): (RunResult | string | undefined)[] {
  const runs = make();
  const results = new Map<Run, RunResult | string>();
  runBatch(
    runs,
    (run, error) => {
      expect(results.has(run)).toBe(false);
      results.set(run, error === undefined ? run.result() : String(error));
    },
    { isPlain },
  );
  return runs.map((run) => results.get(run));
}

const PARAFOILS = (i: number): Words => ({
  duration: i === 3 ? 1e-3 : 30 + 5 * i,
  seed: i + 1,
  initial: { down: -20 - 10 * i, east: i },
  wind: {
    steady: [1, 2, 0],
    colored: { tau: 2, sigma: 1 },
    gust: { interval: 4, duration: 2, magnitude: 2 },
  },
  air: i === 5 ? "isa" : "constant",
  dt: i === 6 ? 0.004 : 0.005,
  control_dt: i === 7 ? 0.03 : 0.02,
  integrator: i === 8 ? "dopri5" : "rk4",
  parameters: { m: 2.2 + 0.05 * i, lever_arms: i === 4 ? "on" : "off" },
  inputs: [
    { t: 1, brake_left_cmd: 0.1 * i },
    { t: 9, brake_right_cmd: 0.6 },
  ],
});

describe("a batch", () => {
  it("of parafoils, each with its own end, wind, air, steps, inputs, parameters and switches", () => {
    const make = () => Array.from({ length: 11 }, (_, i) => runOf("parafoil", PARAFOILS(i)));
    const alone = make().map(oneByOne);
    expect(together(make)).toEqual(alone);
    expect(together(make, true)).toEqual(alone);
    const ends = alone.map((r) => (r as RunResult).events.map((e) => e.name).join());
    expect(ends.filter((e) => e === "landing").length).toBeGreaterThan(6);
  });

  it.each([1, 2, LANES, LANES + 1, 0])("of %i runs", (count) => {
    const make = () => Array.from({ length: count }, (_, i) => runOf("parafoil", PARAFOILS(i)));
    expect(together(make)).toEqual(make().map(oneByOne));
  });

  it("of quadrotors that fall on the ground, some with a wall in the way", () => {
    const words = (i: number): Words => ({
      duration: 2,
      seed: i,
      initial: { altitude: 0.5 + 0.4 * i, v_north: i },
      wind: { dryden: { turbulence: "light", height: 10, airspeed: 5, heading: 0 } },
      boundaries: [
        { kind: "ground", down: 0 },
        ...(i % 3 === 1 ? [{ kind: "wall", point: [1, 0, -1], normal: [-1, 0, 0], size: [10, 4] }] : []),
      ],
    });
    const make = () => Array.from({ length: 7 }, (_, i) => runOf("x500", words(i)));
    expect(together(make)).toEqual(make().map(oneByOne));
  });

  it("of planes with their pilots, sensors and recorders", () => {
    const words = (i: number): Words => ({
      duration: 3 + i,
      seed: i,
      control_dt: 0.02,
      initial: { altitude: 100, v_north: 15 },
      sensors: { accelerometer: {}, gyro: {} },
      pilot: [{ t: 0, hold: { altitude: 100 + i, yaw: 0.1 * i }, airspeed: 15 }],
    });
    const recorders: Recorder[][] = [[], []];
    const make = (k: number) => () =>
      Array.from({ length: 5 }, (_, i) => {
        const recorder = new Recorder();
        recorders[k].push(recorder);
        return runOf("advanced-plane", words(i), recorder);
      });
    const alone = make(0)().map(oneByOne);
    expect(together(make(1))).toEqual(alone);
    recorders[1].forEach((recorder, i) => {
      expect(recorder.column("pitch")).toEqual(recorders[0][i].column("pitch"));
    });
  });

  it("of cars with rk4, and of those with radau, which run plainly", () => {
    const words = (i: number): Words => ({
      duration: 2,
      integrator: i === 2 ? "radau-fixed" : "rk4",
      dt: 1e-3,
      control_dt: 0.01,
      initial: { v_x: 2 + i },
      inputs: [{ t: 0.5, u_delta: 0.05 * i, u_tau_RL: 20, u_tau_RR: 20 }],
    });
    const make = () => Array.from({ length: 6 }, (_, i) => runOf("formula-student", words(i)));
    expect(together(make)).toEqual(make().map(oneByOne));
  });

  it("goes on when one of its runs cannot", () => {
    const words = (i: number): Words => ({
      ...PARAFOILS(i),
      // A pendulum that no step of this size can follow.
      parameters: { line_length: i % 3 === 1 ? 1e7 : 1 },
    });
    const make = () => Array.from({ length: 9 }, (_, i) => runOf("parafoil", words(i)));
    const alone = make().map(oneByOne);
    expect(alone.filter((r) => typeof r === "string")).toHaveLength(3);
    expect(together(make)).toEqual(alone);
  });

  it("of several models: those of the first side by side, the others one by one", () => {
    const make = () =>
      ["x500", "typhoon-h480", "iris", "x500", "parafoil"].map((name) =>
        runOf(name, { duration: 1, initial: { altitude: 20 } }),
      );
    expect(together(make)).toEqual(make().map(oneByOne));
  });

  it("takes parameters that change on the way", () => {
    const make = () =>
      Array.from({ length: 3 }, (_, k) => {
        let ticks = 0;
        const simulation = createCore(
          readScenario(plainSource({ vehicle: "parafoil", duration: 5 }, "test"), preset("parafoil")),
        );
        return new Run(simulation, 5, [
          {
            open: () => [],
            write() {
              if (++ticks !== 20) return;
              const values = simulation.parameterValues();
              values[simulation.parts.vehicle.model.parameters.findIndex((f) => f.name === "m")] *=
                1 + 0.2 * k;
              simulation.setParameters(values);
            },
            close() {},
          },
        ]);
      });
    const alone = make().map(oneByOne);
    expect(together(make)).toEqual(alone);
    expect(new Set(alone.map((r) => (r as RunResult).hash)).size).toBe(3);
  });

  it("tells of each run once, whatever its wind, the list of runs or the listener throws", () => {
    const stormy = (isUniform: boolean): Run => {
      const scenario = readScenario(
        plainSource({ vehicle: "parafoil", duration: 3 }, "test"),
        preset("parafoil"),
      );
      const wind: Wind = {
        isUniform,
        at(t, _x, out) {
          if (t > 1) throw new Error("a storm");
          out.fill(0, 0, 3);
        },
      };
      return new Run(createCore(scenario, { wind }), 3);
    };
    const make = (isUniform = true) => [
      runOf("parafoil", PARAFOILS(0)),
      stormy(isUniform),
      runOf("parafoil", PARAFOILS(1)),
    ];
    for (const isUniform of [true, false])
      expect(together(() => make(isUniform))).toEqual(make(isUniform).map(oneByOne));
    const told: Run[] = [];
    const broken = function* () {
      for (let i = 0; i < 5; i++) yield runOf("parafoil", PARAFOILS(i));
      throw new Error("no more");
    };
    expect(() => runBatch(broken(), (run) => told.push(run))).toThrow("no more");
    expect(new Set(told).size).toBe(told.length);
    let calls = 0;
    expect(() =>
      runBatch(make(), () => {
        calls++;
        throw new Error("disk full");
      }),
    ).toThrow("disk full");
    expect(calls).toBe(1);
  });

  it("of a model that is not what its source says runs plainly, after its original, too", () => {
    const own = preset("parafoil");
    const heavier = {
      ...own,
      model: {
        ...own.model,
        derivative(...args: Parameters<typeof own.model.derivative>) {
          own.model.derivative(...args);
          args[4][5] += 0.1;
        },
      },
    };
    const stuck = {
      ...own,
      model: {
        ...own.model,
        project(x: Float64Array) {
          x[0] = 0;
        },
      },
    };
    for (const vehicles of [
      [heavier, heavier],
      [own, heavier, stuck, own],
    ]) {
      const make = () =>
        vehicles.map((vehicle) => {
          const scenario = readScenario(plainSource({ vehicle: "parafoil", duration: 3 }, "test"), vehicle);
          return new Run(createCore(scenario), 3);
        });
      expect(together(make)).toEqual(make().map(oneByOne));
    }
  });

  it("takes no simulation twice", () => {
    const run = runOf("parafoil", PARAFOILS(0));
    expect(() => runBatch([run, run], () => {})).toThrow("each run needs its own");
  });
});
