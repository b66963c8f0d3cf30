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
        const brake = row.delta_s ?? row.brake ?? row.delta;
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
  },
);
