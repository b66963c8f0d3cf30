import { describe, expect, it } from "vitest";
import { INTEGRATORS } from "../../src/integrators/index.ts";
import { run } from "../../src/simulation/run.ts";
import { ball } from "../support/models.ts";
import { simulate, vehicleOf } from "../support/simulate.ts";

const thrown = (restitution: number) => vehicleOf(ball, { restitution }, { height: 2, speed: 3 });
/** Time at which a ball thrown from 2 m at 3 m/s reaches the floor. */
const LANDING = (3 + Math.sqrt(9 + 2 * 9.81 * 2)) / 9.81;

describe("events", () => {
  // rk4 and dopri5 solve free fall exactly, so the located time is the analytic one.
  for (const integrator of ["rk4", "dopri5"] as const)
    for (const control_dt of [0.02, 0.3, 1.7])
      it(`${integrator} locates the floor to 1e-9 s with ticks of ${control_dt} s`, () => {
        const { events } = run(simulate({ integrator, dt: 10, control_dt, duration: 1.2 }, thrown(0.5)), 1.2);
        expect(events[0].name).toBe("bounce");
        expect(Math.abs(events[0].t - LANDING)).toBeLessThan(1e-9);
      });

  it("each bounce keeps its share of the speed: times form a geometric series", () => {
    const { events } = run(simulate({ duration: 3, dt: 0.01 }, thrown(0.5)), 3);
    const impact = Math.sqrt(9 + 2 * 9.81 * 2);
    let t = LANDING;
    events.slice(0, 6).forEach((event, n) => {
      expect(Math.abs(event.t - t)).toBeLessThan(1e-8);
      t += (2 * impact * 0.5 ** (n + 1)) / 9.81;
    });
    expect(events.length).toBeGreaterThan(6);
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
