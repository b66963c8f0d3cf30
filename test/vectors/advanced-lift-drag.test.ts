import { expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { evaluate, vectorOf } from "../support/aircraft.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

/** The reference point is 0.12 m behind the centre of mass: its velocity, from which the vectors start, is not the centre's. */
const REFERENCE = [-0.12, 0, 0];

describeWithShared(
  "AdvancedLiftDrag in the repaired form, the preset advanced-plane against an independent transcription",
  () => {
    const file = readShared("vectors/advanced-lift-drag.json");
    const plane = preset("advanced-plane");
    for (const c of file.cases)
      it(c.name, () => {
        const [p, q, r] = c.rates_FRD;
        const [rx] = REFERENCE;
        const [u, v, w] = c.vel_FRD;
        const { y } = evaluate(
          plane,
          // v_ref = v + w x r, with r along x only.
          { v_north: u, v_east: v - r * rx, v_down: w + q * rx, q_w: 1, p, q, r, down: -100 },
          Object.fromEntries(c.joints_rad.map((angle: number, i: number) => [`servo_${i + 1}_cmd`, angle])),
        );
        const { fixed } = c;
        const close = (what: string, value: number, expected: number) => {
          expect(Math.abs(value - expected) / Math.max(1, Math.abs(expected)), what).toBeLessThan(1e-12);
        };
        close("alpha", y.alpha_1, fixed.alpha);
        close("beta", y.beta_1, fixed.beta);
        close("sigma", y.stall_1, fixed.sigma);
        for (const C of ["CL", "CD", "CY", "Cell", "Cem", "Cen"]) close(C, y[`${C}_1`], fixed[C]);
        vectorOf(y, "force_surface_1").forEach((f, i) => {
          close(`force ${i}`, f, fixed.force_FRD[i]);
        });
        vectorOf(y, "moment_surface_1").forEach((m, i) => {
          close(`moment ${i}`, m, fixed.moment_FRD_about_link_origin[i]);
        });
      });
  },
);
