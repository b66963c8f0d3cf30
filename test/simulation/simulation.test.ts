import { describe, expect, it } from "vitest";
import type { InputSource } from "../../src/model/input-source.ts";
import { pack } from "../../src/model/parameters.ts";
import { DivergenceError } from "../../src/simulation/divergence.ts";
import { Pacer } from "../../src/simulation/pacer.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { Run, run } from "../../src/simulation/run.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { simulate } from "../support/simulate.ts";

const TURBULENT = {
  seed: 9,
  wind: {
    steady: [1, 2, 0],
    gust: { interval: 2, duration: 1, magnitude: 2 },
    colored: { tau: 1, sigma: 0.5 },
  },
  sensors: { position: { noise: [1, 1, 1] }, gyro: {}, imu: { rate: 10 } },
  inputs: [{ t: 3, brake_left_cmd: 0.4 }],
};
const column = (words: Record<string, unknown>, duration: number, name: string) => {
  const recorder = new Recorder();
  run(simulate(words), duration, [recorder]);
  return recorder.column(name);
};

describe("the tick loop", () => {
  it("samples at every control_dt, from 0 to the end, without drift", () => {
    const t = column({ control_dt: 0.1 }, 30, "t");
    expect(t.length).toBe(301);
    t.forEach((v, k) => {
      expect(v).toBe(Math.min(k * 0.1, 30));
    });
  });

  it("has no sliver of a tick at the end, whatever the rounding", () => {
    for (const [duration, control_dt] of [
      [0.9, 0.03],
      [1.1, 0.1],
      [7.7, 0.07],
      [2.3, 0.01],
    ]) {
      const t = column({ control_dt }, duration, "t");
      expect(t.length).toBe(Math.round(duration / control_dt) + 1);
      expect(t[t.length - 1]).toBe(duration);
    }
  });
  it("goes on from where a run stopped within a tick", () => {
    const recorder = new Recorder(["north"]);
    const words = { control_dt: 0.3, wind: { colored: { tau: 1, sigma: 1 } } };
    const simulation = simulate(words);
    run(simulation, 1);
    run(simulation, 3, [recorder]);
    [1, 1.2, 1.5, 1.8].forEach((t, i) => {
      expect(recorder.column("t")[i]).toBeCloseTo(t, 12);
    });
    const whole = simulate(words);
    run(whole, 3);
    expect(simulation.x[0]).toBeCloseTo(whole.x[0], 6);
  });
  it("tells the model of every tick, where discrete states may change", () => {
    const { model, ...rest } = preset("parafoil");
    let ticks = 0;
    const counting = { ...rest, model: { ...model, onTick: () => void ticks++ } };
    run(simulate({ control_dt: 0.1 }, counting), 2);
    expect(ticks).toBe(20);
  });
  it("ends exactly at the duration when that is no whole number of ticks", () => {
    expect(run(simulate({ control_dt: 0.3 }), 1).duration).toBe(1);
  });

  it("inputs take effect at their time, inclusive, and hold", () => {
    const inputs = [
      { t: 0.5, brake_left_cmd: 0.25 },
      { t: 1, brake_right_cmd: 1 },
    ];
    const left = column({ inputs, control_dt: 0.1 }, 2, "brake_left_cmd");
    const right = column({ inputs, control_dt: 0.1 }, 2, "brake_right_cmd");
    expect([left[4], left[5], left[20]]).toEqual([0, 0.25, 0.25]);
    expect([right[9], right[10], right[20]]).toEqual([0, 1, 1]);
  });

  it("a brake reaches 95 % of its command in three time constants", () => {
    const brake = column({ inputs: [{ t: 0, brake_left_cmd: 1 }] }, 1, "brake_left");
    expect(brake[30]).toBeCloseTo(1 - Math.exp(-3), 6);
  });

  it("takes as many steps as dt needs, never longer ones", () => {
    expect(run(simulate({ dt: 0.005, control_dt: 0.02 }), 1).steps).toBe(200);
    expect(run(simulate({ dt: 0.003, control_dt: 0.02 }), 1).steps).toBe(350);
    expect(run(simulate({ dt: 0.02, control_dt: 0.02 }), 1).steps).toBe(50);
    expect(() => simulate({ dt: 5, control_dt: 0.02 })).toThrow(/5 s is longer than a tick of 0.02 s/);
  });

  it("a source sees what the sensors say, and its input acts from the next instant on", () => {
    const seen: number[] = [];
    const source: InputSource = {
      update({ z }, u) {
        seen.push(z[0]);
        u[0] = seen.length > 5 ? 1 : 0;
      },
    };
    const simulation = simulate(
      { sensors: { position: { bias: [100, 0, 0] } }, control_dt: 0.1 },
      preset("parafoil"),
      { source },
    );
    run(simulation, 1);
    expect(seen[0]).toBe(100);
    expect(seen[5]).toBeGreaterThan(102);
    expect(simulation.x[13]).toBeGreaterThan(0.8);
  });
});

describe("snapshots", () => {
  for (const integrator of ["rk4", "dopri5"])
    it(`flying on from a restored snapshot gives the same bits (${integrator})`, () => {
      const simulation = simulate({ ...TURBULENT, integrator });
      for (let i = 0; i < 123; i++) simulation.step();
      const saved = simulation.snapshot();
      const fly = () => {
        for (let i = 0; i < 400; i++) simulation.step();
        return { hash: simulation.digest(), sample: [...simulation.sample()], steps: simulation.steps };
      };
      const first = fly();
      simulation.restore(saved);
      expect(fly()).toEqual(first);
      // And in another simulation made from the same scenario.
      const other = simulate({ ...TURBULENT, integrator });
      other.restore(saved);
      for (let i = 0; i < 400; i++) other.step();
      expect(other.digest()).toBe(first.hash);
    });
  it("restoring forgets later events and un-ends a finished run", () => {
    const simulation = simulate({ initial: { down: -1 } });
    const saved = simulation.snapshot();
    for (let n = 0; n < 1e6 && simulation.step(); n++);
    expect(simulation.events.length).toBe(1);
    simulation.restore(saved);
    expect([simulation.events.length, simulation.finished, simulation.t]).toEqual([0, false, 0]);
    expect(simulation.step()).toBe(true);
  });
  it("a snapshot of another shape is refused", () => {
    expect(() => simulate({}).restore(simulate(TURBULENT).snapshot())).toThrow(/another (shape|scenario)/);
    expect(() => simulate({ integrator: "euler" }).restore(simulate({}).snapshot())).toThrow(
      /another scenario/,
    );
    expect(() => simulate({ ...TURBULENT, seed: 10 }).restore(simulate(TURBULENT).snapshot())).toThrow(
      /another scenario/,
    );
  });
  it("brings its events into a fresh simulation", () => {
    const flown = simulate({ initial: { down: -1 } });
    for (let n = 0; n < 1e6 && flown.step(); n++);
    const fresh = simulate({ initial: { down: -1 } });
    fresh.restore(flown.snapshot());
    expect(fresh.events).toEqual(flown.events);
    expect(fresh.events[0].name).toBe("landing");
  });
  it("holds changed parameters", () => {
    const simulation = simulate({});
    const { model, parameters } = preset("parafoil");
    const values = pack(model.parameters, parameters);
    values[model.parameters.findIndex((f) => f.name === "m")] = 5;
    simulation.setParameters(values);
    const saved = simulation.snapshot();
    run(simulation, 2);
    const heavy = simulation.x[5];
    const fresh = simulate({});
    fresh.restore(saved);
    run(fresh, 2);
    expect(fresh.x[5]).toBe(heavy);
    const light = simulate({});
    run(light, 2);
    expect(light.x[5]).not.toBe(heavy);
  });
});

describe("the divergence guard", () => {
  it("stops at the first absurd value, names it, and keeps the samples up to there", () => {
    const simulation = simulate({
      integrator: "euler",
      dt: 0.5,
      control_dt: 0.5,
      parameters: { tau_act: 1 },
      initial: { p: 90 },
    });
    const recorder = new Recorder();
    const job = new Run(simulation, 600, [recorder]);
    let caught: unknown;
    try {
      while (!job.advance(10));
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(DivergenceError);
    const error = caught as DivergenceError;
    expect(error.message).toMatch(
      /diverged at t = .* s: \w+ .*last good sample had .*smaller dt \(now 0\.5 s\)/,
    );
    expect(simulation.channels.some((c) => c.name === error.state)).toBe(true);
    expect(recorder.length).toBeGreaterThan(1);
    for (const c of recorder.channels)
      for (const v of recorder.column(c.name)) expect(Number.isFinite(v)).toBe(true);
    expect(error.state).toMatch(/^[pqr]$/); // the rates blow up, everything else follows
    expect(error.t).toBeGreaterThan(recorder.column("t")[recorder.length - 1]);
    // The result is that of the last good sample.
    expect(job.result().final.p).toBe(recorder.column("p")[recorder.length - 1]);
  });
  it("names the instant and the culprit, not the end of a long tick and whom it infected", () => {
    const words = { control_dt: 10, dt: 0.005, parameters: { c_mq: 50 }, initial: { down: -5000 } };
    try {
      run(simulate(words), 60);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DivergenceError);
      expect((error as DivergenceError).t).toBeLessThan(2);
      expect((error as DivergenceError).state).toBe("q");
    }
  });
  it("catches a NaN from the environment", () => {
    const wind = {
      at: (t: number, _x: Float64Array, out: Float64Array) => out.fill(t > 0.5 ? Number.NaN : 0, 0, 3),
    };
    const simulation = simulate({}, preset("parafoil"), { wind });
    expect(() => run(simulation, 5)).toThrow(/diverged at t = 0\.5[0-9]* s: .*became NaN/);
  });
});

describe("the pacer", () => {
  it("keeps simulated time with a clock, at any speed, and drops what a long pause lost", () => {
    let now = 0;
    const pacer = new Pacer(0.02, () => now);
    const after = (ms: number) => {
      now += ms;
      return pacer.due();
    };
    expect([after(0), after(10), after(10), after(50)]).toEqual([0, 0, 1, 2]);
    expect(after(10)).toBe(1); // 80 ms: the fourth tick
    pacer.speed = 10;
    expect(after(20)).toBe(10);
    expect(after(60_000)).toBe(1);
    expect(after(20)).toBe(10);
  });
  it("never loses or gains a tick over an hour of uneven frames", () => {
    let now = 0;
    const pacer = new Pacer(0.02, () => now);
    let ticks = 0;
    for (let i = 0; now < 3_600_000; i++) {
      now += 5 + ((i * 7919) % 23);
      ticks += pacer.due();
    }
    expect(ticks).toBe(Math.floor(now / 20));
  });
});
