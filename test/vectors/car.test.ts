import { expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { describeWithShared, readShared } from "../support/shared.ts";
import { simulate } from "../support/simulate.ts";

interface Sample {
  readonly t: number;
  readonly x: readonly number[];
  readonly a_x: number;
  readonly a_y: number;
  readonly F_z: readonly number[];
  readonly F_y: readonly number[];
  readonly orig_reported_accel_estimate: readonly [number, number];
  readonly reported_accel?: readonly [number, number];
  readonly model?: "kin" | "dyn";
}
type Inputs = readonly number[];
interface Manoeuvre {
  readonly name: string;
  readonly x0: readonly number[];
  readonly segments_t0_t1_u: readonly (readonly [number, number, Inputs])[];
  readonly samples: readonly Sample[];
}

const WHEELS = ["FL", "FR", "RL", "RR"];

describeWithShared("race-car.json (independent, scipy Radau at 1e-11, cross-checked with DOP853)", () => {
  const { state_order, control_order, manoeuvres, hybrid } = readShared("vectors/race-car.json");
  const named = (names: readonly string[], values: readonly number[]) =>
    Object.fromEntries(names.map((name, i) => [name, values[i]]));

  /** Largest difference from the samples, relative where they are above 1. */
  function difference(
    manoeuvre: Manoeuvre,
    words: Record<string, unknown>,
    tell: (s: Sample) => object,
  ): number {
    const { segments_t0_t1_u: segments, samples, x0 } = manoeuvre;
    const simulation = simulate(
      {
        initial: named(state_order, x0),
        inputs: segments.map(([t, , u]) => ({ t, ...named(control_order, u) })),
        duration: samples[samples.length - 1].t,
        control_dt: 0.1,
        ...words,
      },
      preset("formula-student"),
    );
    let worst = 0;
    for (const sample of samples) {
      for (let n = 0; simulation.t < sample.t - 1e-9 && n < 1e6; n++) simulation.step();
      const row = simulation.sample();
      const wanted = { ...named(state_order, sample.x), ...tell(sample) };
      for (const [name, value] of Object.entries(wanted)) {
        const ours = row[simulation.channels.findIndex((c) => c.name === name)];
        const error = Math.abs(ours - (value as number)) / Math.max(1, Math.abs(value as number));
        expect(error, `${name} at ${sample.t}`).not.toBeNaN();
        worst = Math.max(worst, error);
      }
    }
    return worst;
  }

  const truth = (s: Sample) => ({
    a_x: s.a_x,
    a_y: s.a_y,
    ...Object.fromEntries(
      WHEELS.flatMap((w, i) => [
        [`F_z_${w}`, s.F_z[i]],
        [`F_y_${w}`, s.F_y[i]],
      ]),
    ),
  });
  const ideal = { steering_rate_max: Number.POSITIVE_INFINITY };

  for (const manoeuvre of manoeuvres as Manoeuvre[]) {
    // At an input's jump the published accelerations are those of the old or the new input; states have no such doubt.
    it(`${manoeuvre.name}: radau adaptive at 1e-10 within 1e-8`, () => {
      const tolerance = { relative: 1e-10, absolute: 1e-10 };
      expect(
        difference(manoeuvre, { integrator: "radau", tolerance, dt: 0.1, parameters: ideal }, truth),
      ).toBeLessThan(1e-8);
    });
    it(`${manoeuvre.name}: radau with fixed steps of 1 ms within 1e-6`, () => {
      expect(
        difference(manoeuvre, { integrator: "radau-fixed", dt: 0.001, parameters: ideal }, truth),
      ).toBeLessThan(1e-6);
    });
  }
  it("reports, in compat: brains2, the original's accelerations", () => {
    for (const manoeuvre of manoeuvres as Manoeuvre[])
      expect(
        difference(
          manoeuvre,
          {
            integrator: "radau",
            tolerance: { relative: 1e-9, absolute: 1e-9 },
            dt: 0.1,
            parameters: { ...ideal, compat: "brains2" },
          },
          ({ orig_reported_accel_estimate: [a_x, a_y] }) => ({ a_x, a_y }),
        ),
      ).toBeLessThan(1e-7);
  });

  const SWITCHES: Record<string, Inputs> = {
    hybrid_start_from_rest: [0.1, 80, 80, 80, 80],
    hybrid_step_steer_rate_limited: [
      0, 42.92929292929293, 42.92929292929293, 42.92929292929293, 42.92929292929293,
    ],
  };
  for (const run of hybrid as Manoeuvre[])
    it(`${run.name} with compat: brains2 within 1e-6`, () => {
      const segments: [number, number, Inputs][] = [[0, 2, SWITCHES[run.name]]];
      if (run.name.includes("steer")) segments.push([0.5, 2, [0.05, ...SWITCHES[run.name].slice(1)]]);
      const words = {
        integrator: "radau",
        control_dt: 0.01,
        dt: 0.01,
        tolerance: { relative: 1e-10, absolute: 1e-10 },
        parameters: { compat: "brains2" },
      };
      const tell = ({ reported_accel }: Sample) =>
        reported_accel ? { a_x: reported_accel[0], a_y: reported_accel[1] } : {};
      expect(difference({ ...run, segments_t0_t1_u: segments }, words, tell)).toBeLessThan(1e-6);
    });
});
