/** Sensors that autopilots live on: what they say at rest, in free fall, at every heading, and how they err and fail. */
import { describe, expect, it } from "vitest";
import { standardAtmosphere } from "../../src/environment/air.ts";
import { fromGeodetic } from "../../src/environment/earth.ts";
import { plainSource } from "../../src/model/document.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";
import { preset } from "../../src/vehicle-types/index.ts";

const NONE = [0, 0, 0];
const HOME = { latitude: 47.397742, longitude: 8.545594, altitude: 488 };

function begin(words: object, vehicle = "iris"): Simulation {
  const source = plainSource({ vehicle, control_dt: 0.004, dt: 0.004, home: HOME, ...words }, "test");
  return createSimulation(readScenario(source, preset(vehicle)));
}
function reading(simulation: Simulation, ...names: string[]): number[] {
  const row = simulation.sample();
  return names.map((name) => row[simulation.channels.findIndex((f) => f.name === name)]);
}
const ACCEL = ["accel_x", "accel_y", "accel_z"];
const GNSS = ["gnss_latitude", "gnss_longitude", "gnss_altitude"];
const PERFECT = { accelerometer: { noise: NONE }, gyro: { noise: NONE } };

describe("the accelerometer", () => {
  it("level at rest on the ground reads 0, 0, -g", () => {
    const s = begin({ sensors: PERFECT });
    for (let k = 0; k < 1000; k++) s.step();
    const [x, y, z] = reading(s, ...ACCEL);
    expect(Math.hypot(x, y)).toBeLessThan(1e-3);
    expect(z).toBeCloseTo(-9.81, 2);
  });
  it("in free fall reads nothing", () => {
    const s = begin({ sensors: PERFECT, initial: { altitude: 100 } });
    s.step();
    for (const v of reading(s, ...ACCEL)) expect(Math.abs(v)).toBeLessThan(1e-3);
  });
  it("of a standing car reads 0, 0, -g, and of one that turns left the force to the left", () => {
    const at = (initial: object) => {
      const s = begin({ sensors: PERFECT, initial, control_dt: 0.01, dt: 0.001 }, "formula-student");
      return reading(s, ...ACCEL, "gyro_z", "a_y");
    };
    expect(at({})).toEqual([
      expect.closeTo(0, 9),
      expect.closeTo(0, 9),
      -9.81,
      expect.closeTo(0, 9),
      expect.closeTo(0, 9),
    ]);
    const [, y, , r, left] = at({ v_x: 10, omega: 0.5, v_y: 0.1, delta: 0.1 });
    expect(left).toBeGreaterThan(1);
    expect(y).toBe(-left);
    expect(r).toBe(-0.5);
  });
});

describe("the compass", () => {
  const names = ["mag_x", "mag_y", "mag_z"];
  it.each([
    ["north of the equator", HOME, 1],
    ["south of it", { latitude: -35.363, longitude: 149.165, altitude: 584 }, -1],
  ])("%s points to magnetic north at eight headings, and dips to the nearer pole", (_, home, dips) => {
    const declinations: number[] = [];
    for (let k = 0; k < 8; k++) {
      const yaw = (k * Math.PI) / 4;
      const s = begin({ home, initial: { yaw, altitude: 20 }, sensors: { magnetometer: {} } });
      const [x, y, z] = reading(s, ...names);
      // Level: the heading that a compass shows is atan2(-y, x), from magnetic north.
      const shown = Math.atan2(-y, x);
      const declination = Math.atan2(Math.sin(yaw - shown), Math.cos(yaw - shown));
      declinations.push((declination * 180) / Math.PI);
      expect(Math.sign(z)).toBe(dips);
      expect(Math.hypot(x, y, z)).toBeGreaterThan(4.5e-5);
      expect(Math.hypot(x, y, z)).toBeLessThan(6e-5);
    }
    for (const d of declinations) expect(d).toBeCloseTo(declinations[0], 9);
    // By the npm package geomagnetism 0.2.0 (WMM 2025, 2026-01-01).
    expect(declinations[0]).toBeCloseTo(dips > 0 ? 3.5467545 : 12.671644, 4);
  });
});

describe("the barometer", () => {
  it("shows the altitude, within its noise", () => {
    const s = begin({ initial: { altitude: 150 }, sensors: { barometer: { noise: 3 } }, inputs: [] });
    const expected = standardAtmosphere((6356766 * 638) / (6356766 + 638)).pressure;
    const [pressure, altitude] = reading(s, "baro_pressure", "baro_altitude");
    // Four deviations; a metre is 11.3 Pa here.
    expect(Math.abs(pressure - expected)).toBeLessThan(12);
    expect(Math.abs(altitude - 638)).toBeLessThan(1.2);
  });
  it("reads low near the ground while rotors carry the weight, and not otherwise", () => {
    const words = (rotor: number) => ({
      initial: { rotor_1: rotor, rotor_2: rotor, rotor_3: rotor, rotor_4: rotor },
      sensors: { barometer: { ground_effect: { pressure: 24, height: 0.3 } } },
    });
    const error = (rotor: number) => reading(begin(words(rotor)), "baro_altitude")[0] - 488.05;
    expect(Math.abs(error(0))).toBeLessThan(0.1);
    expect(error(802.88)).toBeCloseTo((-24 * Math.exp(-0.0545 / 0.3)) / 11.45, 1);
  });
});

describe("the pitot tube", () => {
  it("feels half rho v^2 of the air along the nose, with the wind, and none from behind", () => {
    const at = (v: number, wind: number) =>
      reading(
        begin(
          { initial: { altitude: 50, v_north: v }, wind: { steady: [wind, 0, 0] }, sensors: { pitot: {} } },
          "advanced-plane",
        ),
        "diff_pressure",
      )[0];
    expect(at(15, 0)).toBeCloseTo(0.5 * 1.2041 * 225, 9);
    expect(at(15, -5)).toBeCloseTo(0.5 * 1.2041 * 400, 9);
    expect(at(5, 8)).toBe(0);
  });
});

describe("the satellite receiver", () => {
  const quiet = { rate: 10, delay: 0 };
  it("tells where it is, there and back", () => {
    const s = begin({ initial: { north: 1234.5, east: -678.9, altitude: 90 }, sensors: { gnss: quiet } });
    const [latitude, longitude, altitude] = reading(s, ...GNSS);
    const [north, east, down] = fromGeodetic(HOME, { latitude, longitude, altitude });
    expect(north).toBeCloseTo(1234.5, 6);
    expect(east).toBeCloseTo(-678.9, 6);
    expect(down).toBeCloseTo(-90, 9);
  });
  it("tells it late, by its delay", () => {
    const initial = { altitude: 200, v_north: 20 };
    const s = begin({ initial, sensors: { gnss: { rate: 10, delay: 0.13 } }, inputs: [] });
    const past: number[] = [];
    for (let k = 0; k < 500; k++) {
      past.push(s.x[0]);
      s.step();
    }
    const [latitude, longitude] = reading(s, ...GNSS);
    const [north] = fromGeodetic(HOME, { latitude, longitude, altitude: 0 });
    // The sample of t = 2.0 s is of 1.87 s: between the ticks 467 and 468.
    expect(north).toBeCloseTo(0.5 * (past[467] + past[468]), 6);
  });
  it("comes at its own rate, and errs slowly: neighbours err alike, far ones do not", () => {
    const s = begin({
      duration: 1e6,
      initial: { altitude: 0.0545 },
      control_dt: 0.1,
      dt: 0.004,
      sensors: { gnss: { rate: 5, correlated: { sigma: [2, 2, 4], tau: 6 } } },
    });
    const error: number[] = [];
    let delivered = 0;
    for (let k = 0; k < 12_000; k++) {
      if (s.delivered("gnss") > delivered) {
        delivered = s.delivered("gnss");
        error.push((reading(s, "gnss_altitude")[0] - 488 + s.x[2]) / 4);
      }
      s.step();
    }
    expect(error.length).toBe(6000);
    const mean = (lag: number) =>
      error.slice(lag).reduce((sum, e, i) => sum + e * error[i], 0) / (error.length - lag);
    // 1200 s are 200 correlation times: a part in ten.
    expect(mean(0)).toBeGreaterThan(0.75);
    expect(mean(0)).toBeLessThan(1.25);
    expect(mean(30) / mean(0)).toBeCloseTo(Math.exp(-1), 0.7);
    expect(Math.abs(mean(300) / mean(0))).toBeLessThan(0.25);
  });
});

describe("rangefinders", () => {
  it("measure along their beams to ground, ceiling and walls, and say the farthest where there is nothing", () => {
    const s = begin({
      initial: { altitude: 2, roll: 0.3, yaw: 0.9 },
      boundaries: [
        { kind: "ground", altitude: 0 },
        { kind: "ceiling", altitude: 5 },
        { kind: "wall", point: [10, 0, -2], normal: [-1, 0, 0], size: [30, 3] },
      ],
      sensors: {
        rangefinders: [
          {},
          { direction: [0, 0, -1] },
          { direction: [1, 0, 0], max: 30 },
          { direction: [-1, 0, 0], max: 12 },
        ],
      },
    });
    const [down, up, ahead, back] = reading(s, "range_1", "range_2", "range_3", "range_4");
    expect(down).toBeCloseTo(2 / Math.cos(0.3), 9);
    expect(up).toBeCloseTo(3 / Math.cos(0.3), 9);
    expect(ahead).toBeCloseTo(10 / Math.cos(0.9), 9);
    expect(back).toBe(12);
  });
});

/** Overlapping Allan deviation of rates sampled every dt, over clusters of n samples. */
function allan(samples: readonly number[], n: number): number {
  const sums = [0];
  for (const v of samples) sums.push(sums[sums.length - 1] + v);
  let sum = 0;
  const count = samples.length - 2 * n + 1;
  for (let k = 0; k < count; k++) {
    const difference = (sums[k + 2 * n] - 2 * sums[k + n] + sums[k]) / n;
    sum += difference * difference;
  }
  return Math.sqrt(sum / (2 * count));
}

describe("the noise of the IMU", () => {
  const gyroOf = (gyro: object, ticks: number, dt = 0.004) => {
    const s = begin({
      duration: 1e6,
      control_dt: dt,
      dt: 0.004,
      sensors: { gyro: { noise: NONE, ...gyro } },
    });
    const place = s.channels.findIndex((f) => f.name === "gyro_x");
    const [p] = [s.channels.findIndex((f) => f.name === "p")];
    return Array.from({ length: ticks }, () => {
      s.step();
      const row = s.sample(false);
      return row[place] - row[p];
    });
  };
  it("white noise of a density N falls as N over the square root of time", () => {
    const N = 2e-4;
    const samples = gyroOf({ noise_density: [N, N, N] }, 50_000);
    for (const n of [1, 10, 100]) {
      const tau = 0.004 * n;
      // A deviation from so many samples is known to 1/sqrt(2 (M/n - 1)).
      expect(allan(samples, n) / (N / Math.sqrt(tau))).toBeCloseTo(1, n < 100 ? 1.3 : 1);
    }
  });
  it("a wandering bias has its own deviation: that of a Gauss-Markov process (IEEE Std 952, C.11)", () => {
    const [sigma, tau, dt] = [1e-3, 0.4, 0.02];
    const samples = gyroOf({ instability: { sigma: [sigma, sigma, sigma], tau } }, 40_000, dt);
    for (const n of [10, 20, 40]) {
      const T = (n * dt) / tau;
      const expected =
        sigma * Math.sqrt((2 / T) * (1 - (1 / (2 * T)) * (3 - 4 * Math.exp(-T) + Math.exp(-2 * T))));
      expect(allan(samples, n) / expected).toBeGreaterThan(0.85);
      expect(allan(samples, n) / expected).toBeLessThan(1.15);
    }
  });
  it("a scale error is one of the scale", () => {
    const s = begin({
      initial: { altitude: 50, p: 2 },
      sensors: { gyro: { noise: NONE, scale: [0.01, 0, 0] } },
    });
    expect(reading(s, "gyro_x")[0]).toBeCloseTo(2.02, 12);
  });
});

describe("faults of sensors", () => {
  const words = (fault: unknown) => ({
    initial: { altitude: 100, v_north: 10 },
    inputs: [],
    sensors: { gnss: { rate: 10 }, gyro: { noise: [1e-3, 1e-3, 1e-3] } },
    faults: [
      { t: 1, gnss: fault },
      { t: 2, gnss: "sound" },
    ],
  });
  const fly = (fault: unknown) => {
    const s = begin(words(fault));
    const seen: { t: number; north: number; truth: number; count: number }[] = [];
    for (let k = 0; k < 750; k++) {
      s.step();
      const [latitude, longitude] = reading(s, ...GNSS);
      const [north] = fromGeodetic(HOME, { latitude, longitude, altitude: 0 });
      seen.push({ t: s.t, north, truth: s.x[0], count: s.delivered("gnss") });
    }
    const between = (a: number, b: number) => seen.filter(({ t }) => t > a && t < b);
    const total = (a: number, b: number) => between(a, b).at(-1)!.count - between(a, b)[0].count;
    return { between, total };
  };
  it("off: no more samples, until it is sound again", () => {
    const { between, total } = fly("off");
    expect(total(1.01, 1.99)).toBe(0);
    expect(new Set(between(1.01, 1.99).map(({ north }) => north)).size).toBe(1);
    expect(total(2.05, 2.95)).toBe(9);
  });
  it("stuck: samples that say the same", () => {
    const { between, total } = fly("stuck");
    expect(total(1.05, 1.95)).toBe(9);
    expect(new Set(between(1.05, 1.95).map(({ north }) => north)).size).toBe(1);
  });
  it("biased: 20 m north, or as much as is said", () => {
    const off = (fault: unknown) => fly(fault).between(1.5, 1.51)[0];
    const { north, truth } = off("biased");
    expect(north - truth).toBeGreaterThan(19);
    expect(north - truth).toBeLessThan(21);
    const more = off({ biased: [-300, 0, 0] });
    expect(more.north - more.truth).toBeLessThan(-298);
  });
  it("noisy: ten times its noise; dropped: half of its samples, or as many as are said", () => {
    const spread = fly("noisy")
      .between(1.1, 1.99)
      .map(({ north, truth }) => Math.abs(north - truth));
    expect(Math.max(...spread)).toBeGreaterThan(3);
    const lost = 9 - fly({ dropped: 0.7 }).total(1.05, 1.95);
    expect(lost).toBeGreaterThan(2);
    expect(lost).toBeLessThan(9.5);
  });
  it("noisy is ten times the noise, of every axis", () => {
    const s = begin({
      sensors: { gyro: { noise: [1e-3, 2e-3, 4e-3] } },
      faults: [{ t: 8, gyro: "noisy" }],
    });
    const names = ["gyro_x", "gyro_y", "gyro_z"];
    const readings = Array.from({ length: 4000 }, () => {
      s.step();
      return reading(s, ...names).map((v, i) => v - s.x[10 + i]);
    });
    const spread = (rows: number[][], i: number) =>
      Math.sqrt(rows.reduce((sum, row) => sum + row[i] * row[i], 0) / rows.length);
    for (let i = 0; i < 3; i++) {
      const ratio = spread(readings.slice(2001), i) / spread(readings.slice(0, 1999), i);
      expect(ratio).toBeGreaterThan(9);
      expect(ratio).toBeLessThan(11);
    }
  });
  it("of sensors leave rotors alone", () => {
    const health = (faults: object[]) => {
      const s = begin({ inputs: [{ t: 0, rotor_1_health: 0.25 }], sensors: { gyro: {} }, faults });
      return reading(s, "rotor_1_health")[0];
    };
    expect(health([])).toBe(0.25);
    expect(health([{ t: 5, gyro: "off" }])).toBe(0.25);
  });
  it("and heights where no air is leave numbers: a barometer at any height, however wrong", () => {
    for (const altitude of [-5000, 30000])
      for (const bias of [0, -2e5]) {
        const s = begin({
          home: { ...HOME, altitude },
          initial: { altitude: 3000 },
          sensors: { barometer: { bias, noise: 100 } },
        });
        for (let k = 0; k < 50; k++) s.step();
        for (const v of reading(s, "baro_pressure", "baro_altitude", "baro_temperature"))
          expect(Number.isFinite(v)).toBe(true);
      }
  });
  it("a vehicle taken back to its start is seen there at once, by a receiver with a delay, too", () => {
    const s = begin({
      initial: { altitude: 100, v_north: 20 },
      sensors: { gnss: { rate: 250, delay: 0.2 }, position: {} },
    });
    for (let k = 0; k < 500; k++) s.step();
    s.reset();
    const north = () => {
      const [latitude, longitude] = reading(s, ...GNSS);
      return fromGeodetic(HOME, { latitude, longitude, altitude: 0 })[0];
    };
    expect(reading(s, "position_north")[0]).toBe(0);
    for (let k = 0; k < 10; k++) {
      expect(Math.abs(north())).toBeLessThan(0.5);
      s.step();
    }
  });
  it("what is not there cannot fail", () => {
    expect(() => begin({ faults: [{ t: 1, pitot: "off" }] })).toThrow(
      /faults\.\[0\]\.pitot.*no sensor "pitot"/,
    );
    expect(() => begin(words("broken"))).toThrow(/faults\.\[0\]\.gnss.*"broken" is not a fault mode.*stuck/);
    const late = {
      ...words("off"),
      faults: [
        { t: 5, gnss: "off" },
        { t: 3, gnss: "sound" },
      ],
    };
    expect(() => begin(late)).toThrow(/3 s comes after 5 s/);
    expect(() => begin(words({ dropped: 2 }))).toThrow(/gnss\.dropped.*2 is not allowed.*0 to 1/);
    expect(() => begin({ sensors: { rangefinders: [{ min: 20, max: 5 }] } })).toThrow(/min is not below max/);
    expect(() => begin({ home: { latitude: 47 } })).toThrow(/home\.longitude.*missing/);
    expect(() => begin(words({ biased: [1, 2, 3, 4, 5, 6, 7] }))).toThrow(/7 numbers are too many/);
  });
  it("a snapshot holds them: the same readings again", () => {
    const s = begin({
      ...words("noisy"),
      sensors: { gnss: { rate: 10, delay: 0.1, correlated: { sigma: [1, 1, 1], tau: 5 } } },
    });
    for (let k = 0; k < 300; k++) s.step();
    const snapshot = s.snapshot();
    const on = () => {
      for (let k = 0; k < 200; k++) s.step();
      return [...s.sample()];
    };
    const first = on();
    s.restore(snapshot);
    expect(on()).toEqual(first);
  });
});
