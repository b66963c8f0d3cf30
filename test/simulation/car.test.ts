import { describe, expect, it } from "vitest";
import type { InputSource } from "../../src/model/input-source.ts";
import { lapTimes } from "../../src/simulation/lap-timer.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { CarParameters } from "../../src/vehicles/car/parameters.ts";
import { simulate } from "../support/simulate.ts";

const vehicle = preset("formula-student");
const p = vehicle.parameters as CarParameters;
const all = (tau: number) => ({ u_tau_FL: tau, u_tau_FR: tau, u_tau_RL: tau, u_tau_RR: tau });
const energy = (x: ArrayLike<number>) => 0.5 * p.m * (x[3] * x[3] + x[4] * x[4]) + 0.5 * p.I_z * x[5] * x[5];

describe("at walking pace", () => {
  it("a parked car stays parked, also with the wheels turned and the brakes on", () => {
    const simulation = simulate({ duration: 20, inputs: [{ t: 0, u_delta: 0.3, ...all(-200) }] }, vehicle);
    const start = [...simulation.x.subarray(0, 6)];
    for (let n = 0; simulation.t < 20 && n < 1e6; n++) simulation.step();
    start.forEach((v, i) => {
      expect(Math.abs(simulation.x[i] - v)).toBeLessThan(1e-12);
    });
  });

  for (const integrator of ["radau", "radau-fixed", "rk4"])
    it(`from rest through the switch to speed and back to rest, never backwards (${integrator})`, () => {
      const words = { integrator, dt: integrator === "radau" ? 0.01 : 0.0005, control_dt: 0.01 };
      const inputs = [
        { t: 0, u_delta: 0.05, ...all(60) },
        { t: 3, ...all(-250) },
      ];
      const simulation = simulate({ ...words, inputs, duration: 8 }, vehicle);
      let [before, t] = [0, 0];
      let place = 0;
      for (let n = 0; simulation.t < 8 - 1e-9 && n < 1e6; n++) {
        simulation.step();
        const v = simulation.x[3];
        if (simulation.t < 3 && simulation.t > 0.01) expect(v).toBeGreaterThan(before);
        if (simulation.t > 3.02) expect(v).toBeLessThanOrEqual(before + 1e-12);
        // Newton's tolerance, not motion.
        expect(v).toBeGreaterThan(-1e-12);
        if (v < 1e-3 && t === 0 && simulation.t > 3) [t, place] = [simulation.t, simulation.x[0]];
        before = v;
      }
      expect(t).toBeGreaterThan(3);
      expect(before).toBeLessThan(1e-9);
      expect(simulation.x[0]).toBeCloseTo(place, 3);
      expect(simulation.x[11]).toBe(0);
    });

  it("the switch changes neither place nor speed: rolling wheels are a state of the tyres", () => {
    const simulation = simulate(
      { duration: 1, control_dt: 0.001, inputs: [{ t: 0, u_delta: 0.2, ...all(30) }] },
      vehicle,
    );
    let last = Float64Array.from(simulation.x);
    for (let n = 0; simulation.x[11] === 0 && n < 1e6; n++) {
      last = Float64Array.from(simulation.x);
      simulation.step();
    }
    expect(Math.hypot(simulation.x[3], simulation.x[4])).toBeCloseTo(0.1, 2);
    for (const i of [3, 4, 5]) expect(Math.abs(simulation.x[i] - last[i])).toBeLessThan(0.01);
    // v_y and omega are those of wheels that roll where they point.
    expect(last[4] / last[3]).toBeCloseTo(0.5 * Math.tan(last[6]), 12);
    expect(last[5]).toBeCloseTo(last[4] / p.l_R, 12);
  });

  it("a hundred crossings of 0.1 m/s in stop-and-go traffic: no chatter, and no energy out of nothing", () => {
    const creep: InputSource = {
      update({ t }, u) {
        const isGoing = t % 1 < 0.4;
        u[0] = 0.3 * Math.sin(3 * t);
        u.fill(isGoing ? 40 : -60, 1);
      },
    };
    const simulation = simulate({ duration: 60, control_dt: 0.005 }, vehicle, { source: creep });
    let switches = 0;
    let mode = 0;
    const times: number[] = [];
    let before = 0;
    for (let n = 0; simulation.t < 60 - 1e-9 && n < 1e6; n++) {
      const going = simulation.t % 1 < 0.4;
      simulation.step();
      const now = energy(simulation.x);
      // Braking and rolling, energy only falls.
      if (!going && simulation.t % 1 > 0.41) expect(now).toBeLessThanOrEqual(before * (1 + 1e-9) + 1e-12);
      before = now;
      if (simulation.x[11] !== mode) {
        mode = simulation.x[11];
        times.push(simulation.t);
        switches++;
      }
    }
    expect(switches).toBe(120);
    const gaps = times.slice(1).map((t, i) => t - times[i]);
    expect(Math.min(...gaps)).toBeGreaterThan(0.1);
  });

  it("a car that spins on the spot keeps spinning until its tyres have stopped it", () => {
    const simulation = simulate({ duration: 3, initial: { omega: 6 } }, vehicle);
    expect(simulation.x[5]).toBe(6);
    simulation.step();
    expect(simulation.x[5]).toBeGreaterThan(5);
    let before = energy(simulation.x);
    for (let n = 0; simulation.t < 3 - 1e-9 && n < 1e6; n++) {
      simulation.step();
      expect(energy(simulation.x)).toBeLessThanOrEqual(before + 1e-9);
      before = energy(simulation.x);
    }
    expect(simulation.x[11]).toBe(0);
    expect(Math.abs(simulation.x[5])).toBeLessThan(1e-6);
  });

  it("handing over to rolling wheels takes energy and never gives any", () => {
    for (const [v_x, v_y, omega, delta] of [
      [0.06, 0.05, 0.03, 0.2],
      [0.02, -0.07, -0.08, 0.5],
      [-0.05, 0.05, 0.04, -0.4],
    ]) {
      const simulation = simulate({ duration: 0.1, initial: { v_x, v_y, omega, delta } }, vehicle);
      expect(energy(simulation.x)).toBeLessThan(energy([0, 0, 0, v_x, v_y, omega]));
      expect(simulation.x[11]).toBe(0);
    }
  });
});

describe("invariances", () => {
  const inputs = [
    { t: 0, u_delta: 0.06, u_tau_FL: 40, u_tau_FR: 70, u_tau_RL: 90, u_tau_RR: 20 },
    { t: 1, u_delta: -0.1, ...all(-60) },
  ];
  const end = (initial: object, lines: object[]) => {
    const simulation = simulate({ duration: 2, initial: { v_x: 12, ...initial }, inputs: lines }, vehicle);
    for (let n = 0; simulation.t < 2 - 1e-9 && n < 1e6; n++) simulation.step();
    return simulation.x;
  };
  it("a mirrored drive is the mirror of the drive", () => {
    const mirrored = inputs.map(({ t, u_delta, ...tau }) => ({
      t,
      u_delta: -u_delta,
      u_tau_FL: tau.u_tau_FR,
      u_tau_FR: tau.u_tau_FL,
      u_tau_RL: tau.u_tau_RR,
      u_tau_RR: tau.u_tau_RL,
    }));
    const [one, other] = [end({ phi: 0, v_y: 0.2 }, inputs), end({ phi: 0, v_y: -0.2 }, mirrored)];
    for (const [i, sign] of [1, -1, -1, 1, -1, -1, -1].entries())
      expect(other[i]).toBeCloseTo(sign * one[i], 9);
  });
  it("where it starts and where it points does not matter", () => {
    const [one, other] = [end({ phi: 0 }, inputs), end({ phi: 0.7, X: 3, Y: -8 }, inputs)];
    const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
    expect(other[0]).toBeCloseTo(3 + c * one[0] - s * one[1], 8);
    expect(other[1]).toBeCloseTo(-8 + s * one[0] + c * one[1], 8);
    for (const i of [3, 4, 5]) expect(other[i]).toBeCloseTo(one[i], 9);
  });
});

describe("events", () => {
  it("a car that is too tall rolls over, at the instant when one side carries nothing", () => {
    const words = {
      initial: { v_x: 15 },
      parameters: { z_CG: 0.5 },
      inputs: [{ t: 0, u_delta: 0.2, ...all(50) }],
      duration: 5,
    };
    const simulation = simulate(words, vehicle);
    for (let n = 0; n < 1e6 && simulation.step(); n++);
    expect(simulation.events.map((e) => e.name)).toEqual(["rollover"]);
    const row = simulation.sample();
    const load = (w: string) => row[simulation.channels.findIndex((c) => c.name === `F_z_${w}`)];
    expect(load("FL")).toBeLessThan(1);
    expect(load("RL")).toBeLessThan(1);
  });
  it("a reset takes the car back to its start, by the scenario and by a call", () => {
    const words = { track: "autocross", driver: true, duration: 20, events: [{ t: 6, reset: true }] };
    const simulation = simulate(words, vehicle);
    const start = [...simulation.x];
    for (let n = 0; simulation.t < 6 - 1e-9 && n < 1e6; n++) simulation.step();
    expect([...simulation.x]).toEqual(start);
    for (let n = 0; simulation.t < 12 - 1e-9 && n < 1e6; n++) simulation.step();
    const after = [...simulation.x];
    simulation.reset();
    expect([...simulation.x]).toEqual(start);
    for (let i = 0; i < 600; i++) simulation.step();
    // It drives as it drove the first time.
    after.forEach((v, i) => {
      expect(simulation.x[i]).toBeCloseTo(v, 6);
    });
    expect(simulation.events.filter((e) => e.name === "reset").map((e) => e.t)).toEqual([6, 12]);
  });

  it("after a reset a run can be finished again, and the channels are those of the start", () => {
    const simulation = simulate({ track: "acceleration", driver: { grip: 1 }, duration: 60 }, vehicle);
    for (let n = 0; n < 1e6 && simulation.step(); n++);
    const first = simulation.t;
    simulation.reset();
    const row = simulation.sample();
    const channel = (name: string) => row[simulation.channels.findIndex((c) => c.name === name)];
    expect(channel("lap")).toBe(0);
    expect(channel("distance")).toBeCloseTo(5 - 0.3 - 3.19 / 2, 6);
    for (let n = 0; n < 1e6 && simulation.step(); n++);
    expect(simulation.t - first).toBeCloseTo(first, 1);
    expect(lapTimes(simulation.events)).toHaveLength(2);
  });
  it("a reset takes a source's memory back too", () => {
    const memory = new Float64Array(1);
    const counting: InputSource = {
      memory: [memory],
      update(_sensed, u) {
        memory[0]++;
        u[0] = 0.001 * memory[0];
      },
    };
    const simulation = simulate({ duration: 5 }, vehicle, { source: counting });
    for (let i = 0; i < 100; i++) simulation.step();
    expect(memory[0]).toBe(101);
    simulation.reset();
    expect(memory[0]).toBe(1);
  });
  it("a jump of the wheel is followed exactly by every radau", () => {
    for (const words of [
      { integrator: "radau", tolerance: { relative: 1e-6, absolute: 1e-6 } },
      { integrator: "radau-fixed" },
    ]) {
      const inputs = [
        { t: 0, u_delta: 0.4 },
        { t: 0.01, u_delta: 0.01 },
      ];
      const simulation = simulate({ ...words, dt: 0.01, duration: 1, inputs }, vehicle);
      simulation.step();
      simulation.step();
      expect(simulation.x[6]).toBeCloseTo(0.01, 6);
    }
  });
});

describe("laps", () => {
  const drive = (words: Record<string, unknown>) => {
    const simulation = simulate({ duration: 120, ...words }, vehicle);
    const recorder = new Recorder(["offset", "cones_hit", "off_track"]);
    const result = run(simulation, 120, [recorder]);
    return { ...result, laps: lapTimes(result.events), offset: recorder.column("offset") };
  };
  const clean = ({ final, offset }: ReturnType<typeof drive>) => {
    expect(final.cones_hit).toBe(0);
    expect(Math.max(...offset.map(Math.abs))).toBeLessThan(0.6);
  };

  it("two laps of the autocross, the second flying one faster, the same bits every time", () => {
    const one = drive({ track: "autocross", laps: 2, driver: { grip: 0.85 } });
    clean(one);
    expect(one.laps).toHaveLength(2);
    // 396 m at 50 to 65 km/h, as on real courses.
    for (const t of one.laps) expect(t).toBeGreaterThan(22);
    for (const t of one.laps) expect(t).toBeLessThan(28);
    expect(one.laps[1]).toBeLessThan(one.laps[0]);
    expect(one.final.best_lap).toBeCloseTo(one.laps[1], 9);
    expect(one.events.at(-1)?.name).toBe("finish");
    expect(drive({ track: "autocross", laps: 2, driver: { grip: 0.85 } }).hash).toBe(one.hash);
  });
  it("the skidpad at nine tenths of the grip, four laps within one and a half percent of the circle's own time", () => {
    const one = drive({ track: "skidpad", driver: { grip: 0.9 } });
    clean(one);
    expect(one.laps).toHaveLength(4);
    const grip = 0.9 * 1.6331764;
    const v2 = (grip * 9.81) / (1 / 9.125 - (grip * 0.5 * 3.96864) / 230);
    const ideal = (2 * Math.PI * 9.125) / Math.sqrt(v2);
    for (const t of [one.laps[1], one.laps[3]]) expect(Math.abs(t / ideal - 1)).toBeLessThan(0.015);
    expect(drive({ track: "skidpad", driver: { grip: 0.9 } }).hash).toBe(one.hash);
  });
  it("75 m in a time between the friction's limit and a student's car", () => {
    const one = drive({ track: "acceleration", driver: { grip: 1, top_speed: 40 } });
    clean(one);
    expect(one.laps).toHaveLength(1);
    expect(one.laps[0]).toBeGreaterThan(Math.sqrt((2 * 75) / 23.8));
    expect(one.laps[0]).toBeLessThan(3.9);
    expect(drive({ track: "acceleration", driver: { grip: 1, top_speed: 40 } }).hash).toBe(one.hash);
  });
  it("with combined slip, load sensitivity and the longitudinal limit it still laps cleanly, and slower", () => {
    const options = { friction_ellipse: "on", longitudinal_limit: "on", load_sensitivity: "on" };
    const words = { track: "autocross", laps: 1, driver: { grip: 0.85 } };
    const [plain, real] = [drive(words), drive({ ...words, parameters: options })];
    clean(real);
    expect(real.laps[0]).toBeGreaterThan(plain.laps[0]);
  });
  it("goes on bit for bit from a snapshot in the middle of a lap", () => {
    const words = { track: "autocross", driver: true, duration: 30 };
    const one = simulate(words, vehicle);
    for (let i = 0; i < 1100; i++) one.step();
    const other = simulate(words, vehicle);
    other.restore(one.snapshot());
    for (let i = 0; i < 700; i++) {
      one.step();
      other.step();
    }
    expect([...other.sample()]).toEqual([...one.sample()]);
    expect(other.events).toEqual(one.events);
    expect(other.digest()).toBe(one.digest());
  });
});
