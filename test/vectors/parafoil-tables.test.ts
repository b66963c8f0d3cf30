import { describe, expect, it } from "vitest";
import { sideslip } from "../support/cli.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const polar = JSON.parse(sideslip(["polar", "parafoil", "--json"]).stdout) as Record<string, number>[];
const turn = JSON.parse(sideslip(["turn", "parafoil", "--json"]).stdout) as Record<string, number>[];

describe("the tables published with the ROS 2 parafoil simulator (its README)", () => {
  // brake, horizontal speed, sink, glide. The README calls the speed airspeed; it is over ground (docs/errata.md P5).
  const POLAR = [
    [0.0, 4.44, 0.9, 4.9],
    [0.1, 4.19, 1.03, 4.1],
    [0.2, 3.97, 1.13, 3.5],
    [0.3, 3.78, 1.2, 3.15], // printed as 3.1: erratum P6
    [0.4, 3.61, 1.26, 2.9],
    [0.5, 3.47, 1.3, 2.7],
    [0.6, 3.33, 1.33, 2.5],
    [0.7, 3.22, 1.36, 2.4],
    [0.8, 3.11, 1.39, 2.2],
    [0.9, 3.01, 1.4, 2.1],
    [1.0, 2.92, 1.42, 2.1],
  ];
  it("the glide polar, to its printed digits", () => {
    expect(polar.length).toBe(11);
    POLAR.forEach(([brake, speed, sink, glide], i) => {
      expect(polar[i].brake).toBe(brake);
      expect(polar[i].horizontal_speed.toFixed(2)).toBe(speed.toFixed(2));
      expect(polar[i].sink.toFixed(2)).toBe(sink.toFixed(2));
      expect(polar[i].glide.toFixed(brake === 0.3 ? 2 : 1)).toBe(glide.toFixed(brake === 0.3 ? 2 : 1));
    });
  });
  const TURN = [
    [0.1, -0.173, -9.9],
    [0.2, -0.345, -19.8],
    [0.3, -0.515, -29.5],
    [0.4, -0.683, -39.2],
    [0.5, -0.848, -48.6],
  ];
  it("the turn table, to its printed digits: left brake, left turn", () => {
    TURN.forEach(([delta, rate, degrees], i) => {
      expect(turn[i].delta_a).toBe(delta);
      expect(turn[i].yaw_rate.toFixed(3)).toBe(rate.toFixed(3));
      expect(Math.abs((turn[i].yaw_rate * 180) / Math.PI - degrees)).toBeLessThan(0.051);
    });
  });
  it("rows have the promised columns", () => {
    expect(Object.keys(polar[0])).toEqual([
      "brake",
      "horizontal_speed",
      "airspeed",
      "sink",
      "glide",
      "alpha",
      "pitch",
      "roll",
      "beta",
    ]);
    expect(Object.keys(turn[0])).toEqual(["delta_a", "yaw_rate", "roll", "beta", "airspeed", "sink"]);
  });
});

describeWithShared("the same tables to 1e-6, from the original's code", () => {
  const close = (a: number, b: number) => expect(Math.abs(a / b - 1)).toBeLessThan(1e-6);
  it("polar", () => {
    readShared("vectors/parafoil-polar.json").polar.forEach((row: Record<string, number>, i: number) => {
      close(polar[i].horizontal_speed, row.Vh);
      close(polar[i].sink, row.sink);
      close(polar[i].glide, row.glide);
      close(polar[i].airspeed, row.V_air_final);
      close(polar[i].alpha, row.alpha_rad);
      close(polar[i].pitch, row.pitch_rad);
    });
  });
  it("turn", () => {
    readShared("vectors/parafoil-turn.json").turn_steady_60s.forEach(
      (row: Record<string, number>, i: number) => {
        close(turn[i].yaw_rate, row.yaw_rate_inertial);
        close(turn[i].roll, row.roll);
        close(turn[i].beta, row.beta);
        close(turn[i].airspeed, row.V);
        close(turn[i].sink, row.sink);
      },
    );
  });
});
