import { expect, it } from "vitest";
import { steadyFlight } from "../../src/analysis/steady-flight.ts";
import { preset } from "../../src/vehicles/vehicle-file.ts";
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
  while (simulation.t < 60 - 1e-9) simulation.step();
  return simulation.sample()[simulation.channels.findIndex((c) => c.name === "sink")];
}

describeWithShared(
  "steady flight of the parafoil, solved for, against the original's settled flights",
  () => {
    const vehicle = preset("parafoil");
    const close = (a: number, b: number) =>
      expect(Math.abs(a - b)).toBeLessThan(1e-8 * Math.max(1, Math.abs(b)));
    it("the polar to 1e-8, residuals below 1e-10", () => {
      let guess: Float64Array | undefined;
      for (const row of readShared("vectors/parafoil-polar.json").polar) {
        const { brake } = row;
        const found = steadyFlight(vehicle, { brake_left_cmd: brake, brake_right_cmd: brake }, guess);
        guess = found.unknowns;
        expect(found.residual).toBeLessThan(1e-10);
        close(found.outputs.horizontal_speed, row.Vh);
        close(found.outputs.sink, row.sink);
        close(found.outputs.airspeed, row.V_air_final);
        close(found.outputs.alpha, row.alpha_rad);
        close(found.outputs.pitch, row.pitch_rad);
      }
    });
    it("the turns, to what the original's steps of 20 ms left of them: RK4 turns a little wider, by the fourth power of the step", () => {
      for (const row of readShared("vectors/parafoil-turn.json").turn_steady_60s) {
        const brakes = { brake_left_cmd: 0.25 + row.delta_a / 2, brake_right_cmd: 0.25 - row.delta_a / 2 };
        const found = steadyFlight(vehicle, brakes);
        expect(found.residual).toBeLessThan(1e-10);
        const near = (a: number, b: number) => expect(Math.abs(a - b)).toBeLessThan(3e-7);
        near(found.turnRate, row.yaw_rate_inertial);
        near(found.outputs.roll, row.roll);
        near(found.outputs.pitch, row.pitch);
        near(found.outputs.beta, row.beta);
        near(found.outputs.airspeed, row.V);
        near(found.outputs.sink, row.sink);
        // The same flight, settled with 20 and 5 ms: 256 times nearer.
        const [coarse, fine] = [0.02, 0.005].map((dt) => settled(brakes, dt) - found.outputs.sink);
        close(coarse + found.outputs.sink, row.sink);
        expect(Math.abs(coarse / fine / 256 - 1)).toBeLessThan(0.1);
      }
    });
    it("what does not fly is refused", () => {
      expect(() => steadyFlight(preset("formula-student"), {})).toThrow(/formula-student does not fly/);
    });
  },
);
