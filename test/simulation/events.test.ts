import { describe, expect, it } from "vitest";
import { INTEGRATORS } from "../../src/integrators/index.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { ball, pendulumCart } from "../support/models.ts";
import { simulate, vehicleOf } from "../support/simulate.ts";

const thrown = (restitution: number) => vehicleOf(ball, { restitution }, { height: 2, speed: 3 });
/** Time at which a ball thrown from 2 m at 3 m/s reaches the floor. */
const LANDING = (3 + Math.sqrt(9 + 2 * 9.81 * 2)) / 9.81;

describe("events", () => {
  // rk4 and dopri5 solve free fall exactly, so the located time is the analytic one.
  for (const integrator of ["rk4", "dopri5"] as const)
    for (const control_dt of [0.02, 0.3, 1.7])
      it(`${integrator} locates the floor to 1e-9 s with ticks of ${control_dt} s`, () => {
        const { events } = run(
          simulate({ integrator, dt: control_dt, control_dt, duration: 1.2 }, thrown(0.5)),
          1.2,
        );
        expect(events[0].name).toBe("bounce");
        expect(Math.abs(events[0].t - LANDING)).toBeLessThan(1e-9);
      });

  it("each bounce keeps its share of the speed: times form a geometric series", () => {
    const recorder = new Recorder();
    const { events } = run(simulate({ duration: 2.3, dt: 0.01 }, thrown(0.5)), 2.3, [recorder]);
    expect(Math.min(...recorder.column("height"))).toBeGreaterThan(-1e-9); // it never falls through the floor
    const impact = Math.sqrt(9 + 2 * 9.81 * 2);
    let t = LANDING;
    events.slice(0, 6).forEach((event, n) => {
      expect(Math.abs(event.t - t)).toBeLessThan(1e-8);
      t += (2 * impact * 0.5 ** (n + 1)) / 9.81;
    });
    expect(events.length).toBe(4);
  });
  it("a ball that bounces ever faster is reported, not dropped through the floor", () => {
    for (const integrator of ["rk4", "dopri5"] as const)
      for (const restitution of [0.5, 0])
        expect(() => run(simulate({ integrator, dt: 0.01 }, thrown(restitution)), 6)).toThrow(
          /"bounce" triggers endlessly/,
        );
  });
  it("of two events within one step the earlier one happens first", () => {
    const level = (name: string, h: number) => ({
      name,
      terminal: true,
      guard: (x: Float64Array) => h - x[0],
    });
    const model = { ...ball, events: [level("low", 0.5), level("high", 0.6)] };
    const { events } = run(
      simulate({ dt: 2, control_dt: 2 }, vehicleOf(model, {}, { height: 2, speed: 0 })),
      4,
    );
    expect(events.map((e) => e.name)).toEqual(["high"]);
  });
  it("a guard may depend on the wind of its own instant", () => {
    const wind = { at: (t: number, _x: Float64Array, out: Float64Array) => void (out[0] = t) };
    const events = [
      {
        name: "windy",
        terminal: true,
        guard: (_x: Float64Array, _u: Float64Array, _p: unknown, e: Float64Array) => e[0] - 1,
      },
    ];
    for (const integrator of INTEGRATORS) {
      const vehicle = vehicleOf({ ...pendulumCart, events }, { cart_mass: 1, bob_mass: 1, length: 1 });
      const result = run(simulate({ integrator, dt: 0.03, control_dt: 0.3 }, vehicle, { wind }), 3);
      expect(Math.abs(result.events[0].t - 1)).toBeLessThan(1e-9);
    }
  });

  for (const integrator of INTEGRATORS)
    it(`a parafoil lands with every integrator (${integrator}), at height zero, and the run ends there`, () => {
      const simulation = simulate({ integrator, initial: { down: -3 }, duration: 60 });
      const result = run(simulation, 60);
      expect(result.events.map((e) => e.name)).toEqual(["landing"]);
      expect(result.duration).toBe(result.events[0].t);
      expect(Math.abs(result.final.down)).toBeLessThan(1e-9);
      expect(result.final.down).toBeGreaterThanOrEqual(0);
    });

  it("the landing time does not depend on the step, to the accuracy of the method", () => {
    const landing = (dt: number) =>
      run(simulate({ initial: { down: -10 }, dt, control_dt: 0.1, duration: 60 }), 60).events[0].t;
    expect(Math.abs(landing(0.02) - landing(0.005))).toBeLessThan(1e-6);
    expect(Math.abs(landing(0.01) - landing(0.0025))).toBeLessThan(1e-7);
  });

  it("a start on the ground is refused: there is nothing to simulate", () => {
    expect(() => simulate({ initial: { down: 0 } })).toThrow(/over before it begins/);
    expect(() => simulate({ initial: { down: 2 } })).toThrow(/landing/);
  });
});
