import { describe, expect, it } from "vitest";
import {
  accelerationInBodyFrame,
  bodyVectorFromGround,
  boundaryDisturbance,
  boundaryDisturbanceAsWind,
  boundaryIsNear,
  boundaryRatio,
} from "../../src/environment/boundary-disturbance.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

type Triple = [number, number, number];
const close = (actual: readonly number[], expected: readonly number[], what: string) =>
  expected.forEach((v, i) => {
    expect(Math.abs(actual[i] - v), `${what}[${i}]`).toBeLessThan(1e-10 * Math.max(1, Math.abs(v)));
  });

describe("hakoniwa's boundary disturbance", () => {
  it("its usage example, put above the ground (the document's z = +0.5 lies below it)", () => {
    const position: Triple = [1, 2, -0.5];
    const attitude: Triple = [0.1, -0.1, 0.5];
    const force = boundaryDisturbance(position, attitude, [0, 0, 0], [0, 0, -1], 15, 0.1);
    close(force, [-0.040122315997961136, -0.1380242981236302, -1.0104484942603982], "force");
    const wind = boundaryDisturbanceAsWind(
      position,
      attitude,
      [0, 0, 0],
      [0, 0, -1],
      15,
      0.1,
      [0.1, 0.1, 0.1],
    );
    const w_d = bodyVectorFromGround(wind, attitude);
    close(w_d, [-2.01753051055317, -2.007451261575906, -9.801345659553647], "wind in body axes");
    const calm = accelerationInBodyFrame(
      [0, 0, 0],
      attitude,
      [0, 0, 0],
      15,
      1.5,
      9.81,
      [0, 0, 0],
      [0.1, 0.1, 0.1],
      [0, 0, 0],
    );
    const lifted = accelerationInBodyFrame(
      [0, 0, 0],
      attitude,
      [0, 0, 0],
      15,
      1.5,
      9.81,
      w_d,
      [0.1, 0.1, 0.1],
      [0, 0, 0],
    );
    // With isotropic drag the equivalent wind gives back the force.
    close(
      lifted.map((a, i) => 1.5 * (a - calm[i])),
      bodyVectorFromGround(force, attitude),
      "force through wind",
    );
  });
  it("doubles the thrust on the ground, and pulls to a ceiling", () => {
    expect(boundaryDisturbance([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, -1], 10, 0.1)).toEqual([0, 0, -10]);
    expect(boundaryDisturbance([0, 0, -1.9], [0, 0, 0], [0, 0, -2], [0, 0, 1], 10, 0.1)[2]).toBeLessThan(0);
  });
  it("a zero normal is no boundary; the length of another does not matter", () => {
    expect(boundaryDisturbance([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0], 10, 0.1)).toEqual([0, 0, 0]);
    expect(boundaryIsNear([0, 0, 0], [0, 0, 0], [0, 0, 0], 0.1)).toBe(false);
    expect(boundaryDisturbance([0, 0, -0.2], [0.1, 0, 0], [0, 0, 0], [0, 0, -7], 10, 0.1)).toEqual(
      boundaryDisturbance([0, 0, -0.2], [0.1, 0, 0], [0, 0, 0], [0, 0, -1], 10, 0.1),
    );
  });
  it("a quaternion says the same as the Euler angles", () => {
    const half = 0.15;
    close(
      boundaryDisturbance(
        [0, 0, -0.2],
        [Math.cos(half), 0, Math.sin(half), 0],
        [0, 0, 0],
        [0, 0, -1],
        10,
        0.1,
      ),
      boundaryDisturbance([0, 0, -0.2], [0, 0.3, 0], [0, 0, 0], [0, 0, -1], 10, 0.1),
      "force",
    );
  });
});

describeWithShared("boundary cases of vectors/boundary-and-rotor.json", () => {
  const file = readShared("vectors/boundary-and-rotor.json");
  for (const { name, input, output } of file.boundary)
    it(name, () => {
      const {
        position,
        euler_phi_theta_psi: euler,
        boundary_point,
        boundary_normal,
        thrust,
        rotor_radius,
        exponent,
        drag1,
      } = input;
      expect(boundaryRatio(output.distance, rotor_radius, exponent)).toBeCloseTo(output.ratio, 12);
      close(
        boundaryDisturbance(position, euler, boundary_point, boundary_normal, thrust, rotor_radius, exponent),
        output.force_ground_NED,
        "force",
      );
      const wind = boundaryDisturbanceAsWind(
        position,
        euler,
        boundary_point,
        boundary_normal,
        thrust,
        rotor_radius,
        drag1,
        exponent,
      );
      close(wind, output["as_wind_drag1z_0.1"], "wind");
      close(bodyVectorFromGround(wind, euler), output.as_wind_body, "wind in body axes");
      expect(boundaryIsNear(position, boundary_point, boundary_normal, rotor_radius)).toBe(
        output.near_flag_d_lt_5R,
      );
    });
  file.body_frame.forEach((c: Record<string, Triple & number>, i: number) => {
    it(`body-frame acceleration ${i}`, () => {
      const a = accelerationInBodyFrame(
        c.v_body,
        c.euler_phi_theta_psi,
        c.w_body,
        c.thrust,
        c.mass,
        c.g,
        c.wind_body,
        c.drag1,
        c.drag2,
      );
      close(a, c.accel_body, "acceleration");
    });
  });
});
