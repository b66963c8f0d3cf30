import { expect, it } from "vitest";
import { steadyFlight } from "../../src/analysis/steady-flight.ts";
import { preset } from "../../src/vehicles/vehicle-file.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

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
    it("the turns to 1e-8, left brake, left turn", () => {
      for (const row of readShared("vectors/parafoil-turn.json").turn_steady_60s) {
        const [left, right] = [0.25 + row.delta_a / 2, 0.25 - row.delta_a / 2];
        const found = steadyFlight(vehicle, { brake_left_cmd: left, brake_right_cmd: right });
        expect(found.residual).toBeLessThan(1e-10);
        close(found.turnRate, row.yaw_rate_inertial);
        close(found.outputs.roll, row.roll);
        close(found.outputs.pitch, row.pitch);
        close(found.outputs.beta, row.beta);
        close(found.outputs.airspeed, row.V);
        close(found.outputs.sink, row.sink);
        row.w_B.forEach((rate: number, i: number) => {
          close(found.x[10 + i], rate);
        });
      }
    });
    it("what does not fly is refused", () => {
      expect(() => steadyFlight(preset("formula-student"), {})).toThrow(/formula-student does not fly/);
    });
  },
);
