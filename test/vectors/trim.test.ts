import { expect, it } from "vitest";
import { brakePolar, brakeTurns } from "../../src/analysis/polar.ts";
import { trim } from "../../src/analysis/trim.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { describeWithShared, readShared } from "../support/shared.ts";
import { simulate } from "../support/simulate.ts";

/** Sink after a minute with brakes held. */
function settled(brakes: { brake_left_cmd: number; brake_right_cmd: number }, dt: number): number {
  const { brake_left_cmd: brake_left, brake_right_cmd: brake_right } = brakes;
  const words = {
    dt,
    initial: { down: -10000, brake_left, brake_right },
    inputs: [{ t: 0, ...brakes }],
    duration: 60,
  };
  const simulation = simulate(words);
  for (let n = 0; simulation.t < 60 - 1e-9 && n < 1e6; n++) simulation.step();
  return simulation.sample()[simulation.channels.findIndex((c) => c.name === "sink")];
}

describeWithShared("trim of the parafoil against the original's settled flights", () => {
  const vehicle = preset("parafoil");
  const close = (a: number, b: number) =>
    expect(Math.abs(a - b)).toBeLessThan(1e-8 * Math.max(1, Math.abs(b)));
  it("the polar to 1e-8, residuals below 1e-10", () => {
    const rows = readShared("vectors/parafoil-polar.json").polar;
    const found = brakePolar(
      vehicle,
      rows.map((r: { brake: number }) => r.brake),
    );
    expect(found.length).toBe(rows.length);
    rows.forEach((row: Record<string, number>, i: number) => {
      close(found[i].horizontal_speed, row.Vh);
      close(found[i].sink, row.sink);
      close(found[i].airspeed, row.V_air_final);
      close(found[i].alpha, row.alpha_rad);
      close(found[i].pitch, row.pitch_rad);
      const { brake } = row;
      expect(trim(vehicle, {}, { brake_left_cmd: brake, brake_right_cmd: brake }).residual).toBeLessThan(
        1e-10,
      );
    });
  });
  it("the turns, to what the original's steps of 20 ms left of them: RK4 turns a little wider, by the fourth power of the step", () => {
    for (const row of readShared("vectors/parafoil-turn.json").turn_steady_60s) {
      const brakes = { brake_left_cmd: 0.25 + row.delta_a / 2, brake_right_cmd: 0.25 - row.delta_a / 2 };
      const [found] = brakeTurns(vehicle, [row.delta_a]);
      const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(3e-7);
      near(found.yaw_rate, row.yaw_rate_inertial);
      near(found.roll, row.roll);
      near(found.beta, row.beta);
      near(found.airspeed, row.V);
      near(found.sink, row.sink);
      // The same flight, settled with 20 and 5 ms: 256 times nearer.
      const [coarse, fine] = [0.02, 0.005].map((dt) => settled(brakes, dt) - found.sink);
      close(coarse + found.sink, row.sink);
      expect(Math.abs(coarse / fine / 256 - 1)).toBeLessThan(0.1);
    }
  });
});
