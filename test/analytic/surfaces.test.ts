import { describe, expect, it } from "vitest";
import { rk4 } from "../../src/integrators/rk4.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { Vehicle } from "../../src/vehicles/vehicle.ts";
import { aircraftOf, evaluate, vectorOf } from "../support/aircraft.ts";

const plane = preset("advanced-plane");
const BODY = { m: 1, I: { xx: 0.1, yy: 0.1, zz: 0.15 }, rho: 1.2 };
const close = (a: number, b: number, what: string, within = 1e-12) => {
  expect(Math.abs(a - b) / Math.max(1, Math.abs(b)), what).toBeLessThan(within);
};

describe("AdvancedLiftDrag", () => {
  const loads = (alpha: number, beta = 0, V = 15) => {
    const { y } = evaluate(plane, {
      q_w: 1,
      v_north: V * Math.cos(alpha) * Math.cos(beta),
      v_east: V * Math.sin(beta),
      v_down: V * Math.sin(alpha) * Math.cos(beta),
      down: -100,
    });
    return [...vectorOf(y, "force_surface_1"), ...vectorOf(y, "moment_surface_1")];
  };

  it("is smooth over angle of attack from -180 to 180 deg: steps halve as the angle's steps do", () => {
    // Lift, drag and pitch; sideslip = atan2(v, u) jumps from 0 to pi at 90 deg, and with it the side force (errata A9).
    const inPlane = (alpha: number) => {
      const [X, , Z, , M] = loads(alpha);
      return [X, Z, M];
    };
    const largest = (steps: number) => {
      let most = 0;
      let last = inPlane(-Math.PI + 1e-9);
      for (let i = 1; i < steps; i++) {
        const next = inPlane(-Math.PI + (2 * Math.PI * i) / steps);
        next.forEach((v, k) => {
          most = Math.max(most, Math.abs(v - last[k]));
        });
        last = next;
      }
      return most;
    };
    const [coarse, fine] = [largest(3600), largest(7200)];
    expect(fine / coarse).toBeGreaterThan(0.45);
    expect(fine / coarse).toBeLessThan(0.55);
  });

  it("has forces at alpha exactly zero, where the published code's 0/0 has none (errata A3)", () => {
    expect(loads(0)[2]).toBeLessThan(-6);
    close(loads(0)[2], loads(1e-12)[2], "next to zero", 1e-9);
  });

  it("stalls between 11.0 and 27.8 deg, half at 19.43 deg (errata A2)", () => {
    const stall = (degrees: number) => {
      const a = (degrees * Math.PI) / 180;
      return evaluate(plane, { q_w: 1, v_north: 10 * Math.cos(a), v_down: 10 * Math.sin(a), down: -100 }).y
        .stall_1;
    };
    expect(stall(0)).toBeCloseTo(0.01224, 5);
    expect(stall((0.3391428111 * 180) / Math.PI)).toBeCloseTo(0.500019, 6);
    expect(stall(11.04)).toBeCloseTo(0.1, 2);
    expect(stall(27.83)).toBeCloseTo(0.9, 2);
    expect(stall(-30)).toBeGreaterThan(0.9);
  });

  it("the contributions of every derivative add up to each coefficient", () => {
    const { y } = evaluate(
      plane,
      { q_w: 1, v_north: 14, v_east: 2, v_down: 1.5, p: 0.4, q: -0.3, r: 0.5, down: -100 },
      { servo_1_cmd: 0.1, servo_2_cmd: -0.2, servo_3_cmd: 0.05, servo_4_cmd: -0.1 },
    );
    for (const f of plane.model.outputs.filter((o) => /^C(D|Y|L|ell|em|en)_1$/.test(o.name))) {
      const parts = plane.model.outputs.filter((o) => o.parent === f.name);
      expect(parts.length).toBeGreaterThan(8);
      close(
        parts.reduce((sum, o) => sum + y[o.name], 0),
        y[f.name],
        f.name,
      );
    }
    // By hand: elevon 1 adds 0.1 rad times -0.01194 per degree to the lift.
    close(y.CL_1_ctrl_1, ((0.1 * 180) / Math.PI) * -0.01194, "CL by servo 1");
  });

  it("a mirrored state has mirrored loads, with left and right elevon exchanged", () => {
    const state = { q_w: 1, v_north: 14, v_east: 2, v_down: 1.5, p: 0.4, q: -0.3, r: 0.5, down: -100 };
    const a = evaluate(plane, state, {
      servo_1_cmd: 0.1,
      servo_2_cmd: -0.2,
      servo_3_cmd: 0.05,
      servo_4_cmd: -0.1,
    });
    const b = evaluate(
      plane,
      { ...state, v_east: -2, p: -0.4, r: -0.5 },
      { servo_1_cmd: -0.2, servo_2_cmd: 0.1, servo_3_cmd: 0.05, servo_4_cmd: 0.1 },
    );
    const [F, M] = [vectorOf(a.y, "force_surface_1"), vectorOf(a.y, "moment_surface_1")];
    const [G, N] = [vectorOf(b.y, "force_surface_1"), vectorOf(b.y, "moment_surface_1")];
    [1, -1, 1].forEach((s, i) => {
      close(G[i], s * F[i], `force ${i}`);
      close(N[i], -s * M[i], `moment ${i}`);
    });
  });

  const ENERGY: readonly [string, Record<string, number>][] = [
    ["a glide", { v_north: 15 }],
    ["a tumble", { v_north: 8, v_down: 12, p: 2, q: -3, r: 1 }],
    ["a sideslip", { v_north: 14, v_east: 5, r: -1 }],
    ["a dive", { v_north: 5, v_down: 30, q: 1 }],
    ["a tail slide", { v_north: -6, v_down: 2, q: 0.5 }],
  ];
  for (const [name, start] of ENERGY)
    it(`energy never grows in still air without power: ${name}`, () => {
      const { model, parameters } = plane;
      const p = parameters as { m: number; g: number; I: { xx: number; yy: number; zz: number } };
      const x = Float64Array.from(model.states, (f) => ({ q_w: 1, down: -2000, ...start })[f.name] ?? 0);
      const u = Float64Array.from(model.inputs, (f) => f.default ?? 0);
      const e = new Float64Array(200);
      e[3] = 1;
      const energy = () =>
        0.5 * p.m * (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]) +
        0.5 * (p.I.xx * x[10] * x[10] + p.I.yy * x[11] * x[11] + p.I.zz * x[12] * x[12]) -
        p.m * p.g * x[2];
      const integrator = rk4(x.length);
      let last = energy();
      for (let i = 0; i < 8000; i++) {
        integrator.step((_t, s, dx) => model.derivative(s, u, parameters, e, dx), 0, 0.002, x);
        model.project?.(x, parameters);
        const now = energy();
        expect(now - last, `at ${i * 0.002} s`).toBeLessThan(1e-6);
        last = now;
      }
    });
});

const WING = {
  law: "lift-drag",
  position: [0, 0, 0],
  area: 0.5,
  cla: 4,
  cda: 0.5,
  alpha_stall: 0.3,
  cla_stall: -2,
  cda_stall: 1,
};
const wing = (more: Record<string, unknown>, servos: unknown[] = []): Vehicle =>
  aircraftOf({ ...BODY, surfaces: [{ ...WING, ...more }], ...(servos.length > 0 ? { servos } : {}) });
const at = (vehicle: Vehicle, u: number, v: number, w: number, inputs = {}) =>
  evaluate(vehicle, { q_w: 1, v_north: u, v_east: v, v_down: w, down: -100 }, inputs);

describe("Gazebo's plain LiftDrag", () => {
  it("lift and drag by hand, below and beyond the stall", () => {
    const still = 0.5 * 1.2 * 100 * 0.5;
    for (const alpha of [0.1, 0.5, -0.1, -0.5]) {
      const { y } = at(wing({}), 10 * Math.cos(alpha), 0, 10 * Math.sin(alpha));
      const s = Math.sign(alpha);
      const CL = Math.abs(alpha) > 0.3 ? s * (4 * 0.3 - 2 * (Math.abs(alpha) - 0.3)) : 4 * alpha;
      const CD = Math.abs(alpha) > 0.3 ? 0.5 * 0.3 + (Math.abs(alpha) - 0.3) : 0.5 * Math.abs(alpha);
      const [x, , z] = vectorOf(y, "force_surface_1");
      close(x * Math.sin(alpha) - z * Math.cos(alpha), still * CL, `lift at ${alpha}`);
      close(-x * Math.cos(alpha) - z * Math.sin(alpha), still * CD, `drag at ${alpha}`);
    }
  });
  it("a0 turns the chord, sweep weakens by its cosine squared, and lift never changes sign beyond the stall", () => {
    close(at(wing({ a0: 0.1 }), 10, 0, 0).y.CL_1, 0.4, "a0");
    close(at(wing({ a0: 0.1 }), 10, 10, 0).y.CL_1, 0.4 * 0.5, "sweep of 45 deg");
    close(at(wing({ cla_stall: -20 }), 10, 0, 10).y.CL_1, 0, "held at zero");
  });
  it("nothing acts from behind or at rest", () => {
    for (const u of [-10, 0, 0.005])
      expect(vectorOf(at(wing({}), u, 0, 0).y, "force_surface_1")).toEqual([0, 0, 0]);
  });
  it("its servo adds lift without stalling", () => {
    const vehicle = wing({ servo: 1, control_joint_rad_to_cl: -2 }, [{}]);
    close(at(vehicle, 10, 0, 0, { servo_1_cmd: 0.2 }).y.CL_1, -0.4, "control");
  });
  it("with radial symmetry lift lies in the plane of the flow, whichever way that is", () => {
    const body = wing({ radial_symmetry: "on" });
    const up = vectorOf(at(body, 10, 0, 1).y, "force_surface_1");
    const side = vectorOf(at(body, 10, 1, 0).y, "force_surface_1");
    const back = vectorOf(at(body, 10, 0, -1).y, "force_surface_1");
    expect(up[2]).toBeLessThan(0);
    close(side[1], up[2], "sideways");
    close(back[2], -up[2], "upside down");
    close(side[0], up[0], "along");
  });
  it("has no pitching moment without a chord, as in Gazebo, and with one the product", () => {
    expect(at(wing({ cma: -1 }), 10, 0, 1).y.moment_surface_1_y).toBe(0);
    const alpha = Math.atan(0.1);
    close(
      at(wing({ cma: -1, chord: 0.3 }), 10, 0, 1).y.moment_surface_1_y,
      0.6 * 101 * 0.5 * -alpha * 0.3,
      "cma",
    );
  });
});

describe("a surface's own axes", () => {
  /** A turn about down by 90 deg: forward points right. */
  it("turned with the flow, both laws give turned loads", () => {
    for (const law of ["lift-drag", "advanced-lift-drag"]) {
      const own =
        law === "lift-drag"
          ? { ...WING, a0: 0.05 }
          : {
              position: [0, 0, 0],
              area: 0.5,
              AR: 6,
              CL0: 0.2,
              CLa: 5,
              CYb: -0.3,
              Cellp: -0.5,
              Cemq: -9,
              Cenr: -0.1,
              alpha_stall: 0.3,
            };
      const make = (more: Record<string, unknown>) =>
        aircraftOf({ ...BODY, surfaces: [{ ...own, ...more }] });
      const straight = evaluate(make({}), {
        q_w: 1,
        v_north: 10,
        v_east: 1,
        v_down: 0.7,
        p: 0.3,
        q: 0.2,
        r: -0.1,
      });
      const turned = evaluate(make({ forward: [0, 2, 0], upward: [0, 0.3, -1] }), {
        q_w: 1,
        v_north: -1,
        v_east: 10,
        v_down: 0.7,
        p: -0.2,
        q: 0.3,
        r: -0.1,
      });
      for (const what of ["force_surface_1", "moment_surface_1"]) {
        const [a, b, c] = vectorOf(straight.y, what);
        const [x, y, z] = vectorOf(turned.y, what);
        close(y, a, `${law} ${what} forward`);
        close(x, -b, `${law} ${what} right`);
        close(z, c, `${law} ${what} down`);
      }
    }
  });
  it("feels the turning at its own place, and its force has a lever about the centre of mass", () => {
    const left = at(wing({ position: [0, -2, 0] }), 10, 0, 0.5);
    const { y } = evaluate(wing({ position: [0, -2, 0] }), { q_w: 1, v_north: 10, v_down: 0, p: -0.25 });
    // p < 0 moves the left wing down: 0.25 rad/s times 2 m.
    close(y.alpha_1, left.y.alpha_1, "alpha by rolling");
    close(left.y.moment_surface_1_x, -2 * left.y.force_surface_1_z, "roll by lift on the left");
  });
});

describe("servos", () => {
  const servo = (more: Record<string, number>) => wing({ servo: 1 }, [{ min: -0.3, max: 0.5, ...more }]);
  it("without lag stand at the command, between the stops", () => {
    close(at(servo({}), 10, 0, 0, { servo_1_cmd: 2 }).y.CL_1, 4 * 0.5, "upper stop");
    close(at(servo({}), 10, 0, 0, { servo_1_cmd: -2 }).y.CL_1, 4 * -0.3, "lower stop");
  });
  it("with lag follow exponentially, no faster than their rate", () => {
    const slope = (command: number, more: Record<string, number>) =>
      at(servo({ tau: 0.1, ...more }), 10, 0, 0, { servo_1_cmd: command }).dx.servo_1;
    close(slope(0.2, {}), 2, "lag");
    close(slope(0.5, { rate: 3 }), 3, "rate");
    close(slope(-2, { rate: 3 }), -3, "stop, then rate");
  });
  it.each([
    ["a rate without lag", { rate: 3 }, /a rate limit needs a servo with a lag/],
    ["stops the wrong way round", { min: 0.5, max: 0.1 }, /0.1 is not above min, 0.5/],
  ])("%s is refused", (_, more, expected) => {
    expect(() => servo(more)).toThrow(expected);
  });
  it("surfaces of servos that are not there are refused", () => {
    expect(() => wing({ servo: 2 }, [{}])).toThrow(
      /there is no servo 2; allowed: 0 or a whole number, 1 to 1/,
    );
    expect(() => wing({ forward: [0, 0, 1], upward: [0, 0, -1] })).toThrow(/parallel to forward/);
  });
});
