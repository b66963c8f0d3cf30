import { describe, expect, it } from "vitest";
import { toWorld } from "../../src/math/quaternion.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { ball } from "../support/models.ts";
import { simulate, vehicleOf } from "../support/simulate.ts";

function record(words: Record<string, unknown>, duration: number): Recorder {
  const recorder = new Recorder();
  run(simulate({ initial: { down: -5000 }, ...words }), duration, [recorder]);
  return recorder;
}
const deviation = (measured: Float64Array, truth: Float64Array) => {
  const d = measured.map((v, i) => v - truth[i]);
  const m = d.reduce((a, b) => a + b, 0) / d.length;
  return { mean: m, std: Math.sqrt(d.reduce((a, b) => a + (b - m) ** 2, 0) / d.length) };
};

describe("sensors", () => {
  it("without noise and bias read the truth: position, specific force, rates", () => {
    const zero = { noise: [0, 0, 0] };
    const r = record(
      { sensors: { position: {}, accelerometer: zero, gyro: zero }, inputs: [{ t: 0, brake_left_cmd: 0.5 }] },
      5,
    );
    expect([...r.column("position_east")].every((v, i) => v === r.column("east")[i])).toBe(true);
    expect([...r.column("accel_y")].every((v, i) => v === r.column("specific_force_y")[i])).toBe(true);
    expect([...r.column("gyro_z")].every((v, i) => v === r.column("r")[i])).toBe(true);
  });
  it("an accelerometer in steady flight reads -g along the true vertical", () => {
    const r = record({ sensors: { accelerometer: { noise: [0, 0, 0] } } }, 60);
    const last = (name: string) => r.column(name)[r.length - 1];
    expect(Math.hypot(last("accel_x"), last("accel_y"), last("accel_z"))).toBeCloseTo(9.81, 6);
    // In world axes: nothing level, g upward.
    const q = new Float64Array(["q_w", "q_x", "q_y", "q_z"].map(last));
    const f = new Float64Array(["accel_x", "accel_y", "accel_z"].map(last));
    toWorld(q, 0, f, 0, f, 0);
    [0, 0, -9.81].forEach((expected, i) => {
      expect(f[i]).toBeCloseTo(expected, 6);
    });
  });
  it("have the noise and bias asked for; by default the source's noise", () => {
    const r = record({ sensors: { accelerometer: { bias: [1, 0, -2] }, gyro: {} } }, 200);
    const n = r.length;
    const x = deviation(r.column("accel_x"), r.column("specific_force_x"));
    expect(Math.abs(x.mean - 1)).toBeLessThan((5 * 6.74) / Math.sqrt(n));
    expect(Math.abs(x.std / 6.74 - 1)).toBeLessThan(5 / Math.sqrt(2 * n));
    const z = deviation(r.column("accel_z"), r.column("specific_force_z"));
    expect(Math.abs(z.mean + 2)).toBeLessThan((5 * 8.72) / Math.sqrt(n));
    const g = deviation(r.column("gyro_y"), r.column("q"));
    expect(Math.abs(g.std / 0.567 - 1)).toBeLessThan(5 / Math.sqrt(2 * n));
  });
  it("noise is independent between axes and sensors, and the IMU has its own", () => {
    const own = { accelerometer: { noise: [0.1, 0.1, 0.1], bias: [5, 0, 0] } };
    const r = record({ sensors: { gyro: {}, accelerometer: {}, imu: { rate: 50, ...own } } }, 60);
    const noise = (name: string, truth: string) => r.column(name).map((v, i) => v - r.column(truth)[i]);
    const gyro = ["x", "y", "z"].map((a, i) => noise(`gyro_${a}`, "pqr"[i]));
    const unit = gyro.map((g, i) => g.map((v) => v / [0.52, 0.567, 0.769][i]));
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ])
      expect(Math.abs(unit[a].reduce((s, v, i) => s + v * unit[b][i], 0) / r.length)).toBeLessThan(
        5 / Math.sqrt(r.length),
      );
    const imu = deviation(r.column("imu_accel_x"), r.column("specific_force_x"));
    expect(imu.mean).toBeCloseTo(5, 1);
    expect(imu.std).toBeCloseTo(0.1, 2);
  });
  it("the IMU keeps its own rate and holds its last sample between", () => {
    const r = record({ sensors: { imu: {} }, control_dt: 0.1 }, 10);
    const imu = r.column("imu_gyro_x");
    const changes = [...imu].flatMap((v, i) => (i > 0 && v !== imu[i - 1] ? [i] : []));
    expect(changes).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
  });
  it("an IMU of rate 0 does not exist", () => {
    expect(record({ sensors: { imu: { rate: 0 } } }, 1).channels.some((c) => c.name.startsWith("imu"))).toBe(
      false,
    );
  });
  it("noise depends on the sensors' seed, not on the run", () => {
    const noise = (words: Record<string, unknown>) => {
      const r = record(words, 1);
      return r.column("gyro_x").map((v, i) => v - r.column("p")[i]);
    };
    const a = noise({ sensors: { gyro: {} }, seed: 1 });
    const b = noise({ sensors: { gyro: {} }, seed: 1, integrator: "euler", wind: { steady: [3, 0, 0] } });
    a.forEach((v, i) => {
      expect(b[i]).toBeCloseTo(v, 12);
    });
    expect(noise({ sensors: { gyro: {}, seed: 4 }, seed: 1 })[3]).not.toBeCloseTo(a[3], 6);
  });
  it("a model without the quantity says so", () => {
    expect(() => simulate({ sensors: { gyro: {} } }, vehicleOf(ball, {}, { height: 1 }))).toThrow(
      /needs "p", which the model ball/,
    );
  });
});
