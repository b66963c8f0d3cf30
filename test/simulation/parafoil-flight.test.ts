import { describe, expect, it } from "vitest";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { simulate } from "../support/simulate.ts";

function fly(words: Record<string, unknown>, duration: number) {
  const recorder = new Recorder();
  const result = run(
    simulate({ ...words, initial: { down: -5000, ...(words.initial as object) } }),
    duration,
    [recorder],
  );
  return { ...result, column: (name: string) => recorder.column(name) };
}
const DEG = 180 / Math.PI;
/** Flying into (or with) a wind to the north, the nose a degree off. */
const offWind = (yaw: number, c_n_weath: number) => {
  const speed = 4.44;
  const v_north = 2 + speed * Math.cos(yaw / DEG);
  const v_east = speed * Math.sin(yaw / DEG);
  return fly(
    {
      wind: { steady: [2, 0, 0] },
      parameters: { c_n_weath },
      initial: { yaw: `${yaw} deg`, v_north, v_east, v_down: 0.9 },
    },
    60,
  );
};

describe("the parafoil in flight", () => {
  it("left brake turns left and drifts west of a northward glide; right brake mirrors it exactly", () => {
    const left = fly({ inputs: [{ t: 0, brake_left_cmd: 0.3 }] }, 3);
    const right = fly({ inputs: [{ t: 0, brake_right_cmd: 0.3 }] }, 3);
    expect(left.final.yaw).toBeLessThan(-0.3);
    expect(left.final.east).toBeLessThan(-0.5);
    expect(right.final.yaw).toBeCloseTo(-left.final.yaw, 12);
    expect(right.final.east).toBeCloseTo(-left.final.east, 12);
  });
  it("positive c_n_weath makes flight against the wind unstable: the nose ends up downwind", () => {
    const against = offWind(179, 0.02); // heading south, the air moves north
    const yaw = against.column("yaw");
    expect(Math.abs(yaw[0]) * DEG).toBeCloseTo(179, 6);
    expect(Math.abs(yaw[yaw.length - 1]) * DEG).toBeLessThan(20);
  });
  it("and flight with the wind stable, while without it a small error stays small", () => {
    expect(Math.abs(offWind(5, 0.02).final.yaw) * DEG).toBeLessThan(1);
    expect(Math.abs(offWind(179, 0).final.yaw) * DEG).toBeGreaterThan(178);
  });
  it("drifts with the air: a steady wind moves the track by wind times time (weathercock off)", () => {
    const parameters = { c_n_weath: 0 };
    const still = fly({ parameters }, 30);
    const blown = fly(
      { parameters, wind: { steady: [1, -2, 0.3] }, initial: { v_north: 5.5, v_east: -2, v_down: 1.2 } },
      30,
    );
    expect(blown.final.north - still.final.north).toBeCloseTo(30, 8);
    expect(blown.final.east - still.final.east).toBeCloseTo(-60, 8);
    expect(blown.final.down - still.final.down).toBeCloseTo(9, 8);
  });
  it("keeps gliding with lever arms in place of the pendulum", () => {
    const { final } = fly({ parameters: { lever_arms: "on" } }, 60);
    expect(final.airspeed).toBeGreaterThan(3);
    expect(final.airspeed).toBeLessThan(8);
    expect(Math.abs(final.roll)).toBeLessThan(0.01);
  });
  it("loses energy by drag alone: aerodynamic power is never positive in still air", () => {
    const flight = fly(
      {
        inputs: [
          { t: 0, brake_left_cmd: 0.5 },
          { t: 10, brake_right_cmd: 1 },
        ],
      },
      20,
    );
    const kinetic = ["v_north", "v_east", "v_down"].map((n) => flight.column(n));
    const down = flight.column("down");
    for (let i = 50; i < down.length; i += 50) {
      const energy = (k: number) => 0.5 * kinetic.reduce((s, v) => s + v[k] ** 2, 0) - 9.81 * down[k];
      expect(energy(i)).toBeLessThan(energy(i - 50));
    }
  });
  it("thin air: with the standard atmosphere at 5 km it glides at the same angle, faster by 1/sqrt(density)", () => {
    const low = fly({}, 60);
    const high = fly({ air: { model: "isa", origin_altitude: 0 } }, 60).final;
    const faster = 1 / Math.sqrt(high.density_ratio);
    expect(high.density_ratio).toBeCloseTo(0.736116 / 1.225, 2);
    expect(high.airspeed / low.final.airspeed).toBeCloseTo(faster, 3);
    expect(high.horizontal_speed / high.sink).toBeCloseTo(low.final.horizontal_speed / low.final.sink, 1);
  });
  it("integrators agree as their orders promise", () => {
    const inputs = [{ t: 1, brake_left_cmd: 0.6 }];
    const end = (integrator: string, dt: number) =>
      fly({ integrator, dt, control_dt: 0.08, inputs, tolerance: { relative: 1e-12, absolute: 1e-12 } }, 8)
        .final.north;
    const truth = end("dopri5", 0.08);
    const error = (integrator: string, dt: number) => Math.abs(end(integrator, dt) - truth);
    expect(Math.log2(error("rk4", 0.04) / error("rk4", 0.02))).toBeGreaterThan(3.6);
    expect(Math.log2(error("euler", 0.01) / error("euler", 0.005))).toBeCloseTo(1, 0);
    expect(error("rk4", 0.005)).toBeLessThan(1e-8);
  });
});
