import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromEuler, normalise, toBody } from "../../src/math/quaternion.ts";
import { pack, unpack } from "../../src/model/parameters.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { ParafoilParameters } from "../../src/vehicles/parafoil/parameters.ts";

const { model, parameters } = preset("parafoil");
const change = (named: Record<string, number>): ParafoilParameters => {
  const values = pack(model.parameters, parameters);
  for (const [name, v] of Object.entries(named))
    values[model.parameters.findIndex((f) => f.name === name)] = v;
  return unpack(model.parameters, values);
};
const outputIndex = (name: string) => model.outputs.findIndex((f) => f.name === name);

function evaluate(
  x: Float64Array,
  wind: readonly number[],
  p: unknown = parameters,
  u: readonly number[] = [0.3, 0.1],
  ratio = 1,
) {
  const dx = new Float64Array(15);
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, new Float64Array(u), p, new Float64Array([...wind, ratio]), dx, y);
  return { dx, y };
}
function state(
  angles: readonly number[],
  v: readonly number[],
  w: readonly number[],
  brakes: readonly number[],
): Float64Array {
  const x = new Float64Array(15);
  x.set([10, 20, -50, ...v]);
  fromEuler(angles[0], angles[1], angles[2], x, 6);
  x.set([...w, ...brakes], 10);
  return x;
}
const n = (size: number) => fc.double({ min: -size, max: size, noNaN: true });
const anyState = fc
  .tuple(
    fc.tuple(n(3), n(1.5), n(3)),
    fc.tuple(n(8), n(8), n(8)),
    fc.tuple(n(2), n(2), n(2)),
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  )
  .map((t) => state(...t));
const anyWind = fc.tuple(n(5), n(5), n(3));
/** The angle of attack jumps where the forward speed vanishes and in exactly tail-first flight: no rounding can agree there. */
function awayFromJumps(x: Float64Array, wind: readonly number[]): boolean {
  const through = new Float64Array([x[3] - wind[0], x[4] - wind[1], x[5] - wind[2]]);
  toBody(x, 6, through, 0, through, 0);
  return Math.abs(through[0]) > 1e-3 && (through[0] > 0 || Math.abs(through[2]) > 1e-3);
}
const close = (a: number, b: number, what = "", scale = 1) =>
  expect(Math.abs(a - b), `${what}: ${a} and ${b}`).toBeLessThan(1e-10 * (scale + Math.abs(a) + Math.abs(b)));

describe("invariances of the parafoil", () => {
  it("it does not matter where it is", () => {
    fc.assert(
      fc.property(anyState, anyWind, (x, wind) => {
        const moved = x.slice();
        moved.set([-300, 4000, -77]);
        expect([...evaluate(moved, wind).dx]).toEqual([...evaluate(x, wind).dx]);
      }),
    );
  });

  it("it does not matter which way north is", () => {
    fc.assert(
      fc.property(anyState, anyWind, n(3), (x, wind, turn) => {
        fc.pre(awayFromJumps(x, wind));
        const [c, s] = [Math.cos(turn), Math.sin(turn)];
        const rotate = ([a, b]: readonly number[]) => [c * a - s * b, s * a + c * b];
        const turned = x.slice();
        turned.set(rotate([x[3], x[4]]), 3);
        // q_turn * q
        const [w, i, j, k] = x.slice(6, 10);
        const [hc, hs] = [Math.cos(turn / 2), Math.sin(turn / 2)];
        turned.set([hc * w - hs * k, hc * i - hs * j, hc * j + hs * i, hc * k + hs * w], 6);
        const a = evaluate(x, wind).dx;
        const b = evaluate(turned, [...rotate(wind), wind[2]]).dx;
        const [bn, be] = rotate([a[3], a[4]]);
        close(b[3], bn, "v_north'", 10);
        close(b[4], be, "v_east'", 10);
        close(b[5], a[5], "v_down'", 10);
        for (let m = 10; m < 15; m++) close(b[m], a[m], model.states[m].name, 100);
      }),
    );
  });

  it("left and right are mirror images", () => {
    fc.assert(
      fc.property(anyState, anyWind, fc.boolean(), (x, wind, arms) => {
        fc.pre(awayFromJumps(x, wind));
        const p = change({ lever_arms: arms ? 1 : 0 });
        const mirror = (v: Float64Array) => {
          const m = v.slice();
          for (const i of [1, 4, 7, 9, 10, 12]) m[i] = -v[i];
          m[13] = v[14];
          m[14] = v[13];
          return m;
        };
        const a = mirror(evaluate(x, wind, p, [0.3, 0.1]).dx);
        const b = evaluate(mirror(x), [wind[0], -wind[1], wind[2]], p, [0.1, 0.3]).dx;
        for (let i = 0; i < 15; i++) close(b[i], a[i], model.states[i].name, 100);
      }),
    );
  });

  it("only the motion through the air counts (Galileo) once the weathercock term is off, and that term alone breaks it", () => {
    fc.assert(
      fc.property(anyState, anyWind, anyWind, (x, wind, drift) => {
        fc.pre(awayFromJumps(x, wind));
        const moving = x.slice();
        for (let i = 0; i < 3; i++) moving[3 + i] += drift[i];
        const blown = wind.map((v, i) => v + drift[i]);
        const p = change({ c_n_weath: 0 });
        const a = evaluate(x, wind, p).dx;
        const b = evaluate(moving, blown, p).dx;
        for (let i = 3; i < 15; i++) close(b[i], a[i], model.states[i].name, 300);
      }),
    );
    const x = state([0, 0, 0], [4, 0, 1], [0, 0, 0], [0, 0]);
    const moving = x.slice();
    moving[4] = 2;
    expect(Math.abs(evaluate(moving, [0, 2, 0]).dx[12] - evaluate(x, [0, 0, 0]).dx[12])).toBeGreaterThan(
      0.01,
    );
  });

  it("the length of the quaternion does not matter", () => {
    fc.assert(
      fc.property(anyState, anyWind, fc.double({ min: 0.1, max: 10, noNaN: true }), (x, wind, scale) => {
        fc.pre(awayFromJumps(x, wind));
        const longer = x.slice();
        for (let i = 6; i < 10; i++) longer[i] *= scale;
        const a = evaluate(x, wind).dx;
        const b = evaluate(longer, wind).dx;
        for (let i = 0; i < 15; i++) close(b[i], a[i], model.states[i].name, 100);
      }),
    );
  });

  it("children add up to their parents, and forces and moments to the accelerations", () => {
    fc.assert(
      fc.property(anyState, anyWind, fc.boolean(), (x, wind, arms) => {
        const p = change({ lever_arms: arms ? 1 : 0 });
        const { dx, y } = evaluate(x, wind, p);
        model.outputs.forEach((f, i) => {
          const children = model.outputs.flatMap((c, j) => (c.parent === f.name ? [y[j]] : []));
          if (children.length > 0)
            expect(Math.abs(children.reduce((a, b) => a + b, 0) - y[i])).toBeLessThan(
              1e-12 * Math.max(1, ...children.map(Math.abs)),
            );
        });
        const I = p.I_B_diag;
        const [P, Q, R] = x.slice(10, 13);
        close(dx[10] * I.x + (I.z - I.y) * Q * R, y[outputIndex("moment_x")], "roll", 100);
        close(dx[11] * I.y + (I.x - I.z) * R * P, y[outputIndex("moment_y")], "pitch", 100);
        close(dx[12] * I.z + (I.y - I.x) * P * Q, y[outputIndex("moment_z")], "yaw", 100);
        const F = outputIndex("force_x");
        const squared = dx[3] ** 2 + dx[4] ** 2 + (dx[5] - p.g) ** 2;
        close(squared * p.m ** 2, y[F] ** 2 + y[F + 1] ** 2 + y[F + 2] ** 2, "force", 1);
      }),
    );
  });

  it("force follows density, and nothing is left without air but weight and the pendulum", () => {
    const x = state([0.2, 0.1, 1], [4, 1, 1], [0.1, 0.2, 0.3], [0.2, 0.4]);
    const full = evaluate(x, [0, 1, 0]);
    const half = evaluate(x, [0, 1, 0], parameters, [0, 0], 0.5);
    close(2 * half.y[outputIndex("force_x")], full.y[outputIndex("force_x")], "force");
    const vacuum = evaluate(x, [0, 1, 0], parameters, [0, 0], 0);
    expect([...vacuum.dx.slice(3, 6)]).toEqual([0, 0, 9.81]);
    expect(vacuum.y[outputIndex("specific_force_z")]).toBeCloseTo(0, 12); // free fall: an accelerometer reads nothing
  });

  it("project makes the quaternion unit length and keeps the brakes between 0 and 1", () => {
    const x = state([0.1, 0.2, 0.3], [4, 0, 1], [0, 0, 0], [-0.2, 1.7]);
    for (let i = 6; i < 10; i++) x[i] *= 1.3;
    const expected = x.slice(6, 10);
    normalise(expected);
    model.project?.(x, parameters);
    expect([...x.slice(6, 10)]).toEqual([...expected]);
    expect([x[13], x[14]]).toEqual([0, 1]);
  });
});

describe("parameters", () => {
  const x = state([0.2, 0.1, 0.5], [3, 1, 2.5], [0.3, -0.2, 0.4], [0.7, 0.2]);
  const wind = [0.5, -1, 0.2];
  it("each has an effect, with lever arms or without", () => {
    const base = (arms: number) => evaluate(x, wind, change({ lever_arms: arms })).dx;
    const slow = state([0.2, 0.1, 0.5], [0.1, 0, 0.2], [0.3, -0.2, 0.4], [0.7, 0.2]);
    const still = state([0, 0, 0], [0, 0, 1e-7], [0, 0, 0], [0, 0]);
    const values = pack(model.parameters, parameters);
    model.parameters.forEach((f, i) => {
      const changed = f.choices ? 1 - values[i] : values[i] === 0 ? 0.1 : values[i] * 1.1;
      const differs = [0, 1].some((arms) => {
        const named =
          f.name === "lever_arms" ? { [f.name]: changed } : { [f.name]: changed, lever_arms: arms };
        const p = change(named);
        const q = change({ lever_arms: arms });
        return [x, slow, still].some((s) => {
          const w = s === still ? [0, 0, 0] : wind;
          const a = evaluate(s, w, p).dx;
          const b = s === x && f.name !== "lever_arms" ? base(arms) : evaluate(s, w, q).dx;
          return a.some((v, k) => v !== b[k]);
        });
      });
      expect(differs, f.name).toBe(true);
    });
  });
  it("lever arms are cross products r x F, in all components", () => {
    const r = {
      "r_canopy_B.x": 0.1,
      "r_canopy_B.y": -0.2,
      "r_canopy_B.z": -0.3,
      "r_pd_B.x": 0.15,
      "r_pd_B.y": 0.25,
      "r_pd_B.z": 0.2,
    };
    const { y } = evaluate(x, wind, change({ ...r, lever_arms: 1 }));
    for (const [part, name] of [
      ["canopy", "r_canopy_B"],
      ["payload", "r_pd_B"],
    ] as const) {
      const [a, b, c] = ["x", "y", "z"].map((axis) => r[`${name}.${axis}` as keyof typeof r]);
      const [F, G, H] = ["x", "y", "z"].map((axis) => y[outputIndex(`force_${part}_${axis}`)]);
      const M = ["x", "y", "z"].map((axis) => y[outputIndex(`moment_${part}_arm_${axis}`)]);
      [b * H - c * G, c * F - a * H, a * G - b * F].forEach((expected, i) => {
        expect(M[i]).toBeCloseTo(expected, 12);
      });
    }
  });
  it("c_lb and c_mds act with their own sign", () => {
    const slip = state([0, 0, 0], [4, 1, 1], [0, 0, 0], [0.5, 0.5]);
    expect(evaluate(slip, [0, 0, 0], change({ c_lb: 0.1 })).y[outputIndex("C_roll_beta")]).toBeGreaterThan(0);
    expect(evaluate(slip, [0, 0, 0], change({ c_lb: 0.1 })).dx[10]).toBeGreaterThan(
      evaluate(slip, [0, 0, 0]).dx[10],
    );
    expect(evaluate(slip, [0, 0, 0], change({ c_mds: 0.1 })).dx[11]).toBeGreaterThan(
      evaluate(slip, [0, 0, 0]).dx[11],
    );
  });
});

describe("signs a person can check", () => {
  const glide = () => state([0, -0.03, 0], [4.44, 0, 0.9], [0, 0, 0], [0, 0]);
  it("left brake turns left, right brake turns right", () => {
    const left = glide();
    left[13] = 0.5;
    expect(evaluate(left, [0, 0, 0]).dx[12]).toBeLessThan(-0.1);
    const right = glide();
    right[14] = 0.5;
    expect(evaluate(right, [0, 0, 0]).dx[12]).toBeGreaterThan(0.1);
  });
  it("brakes slow down and pull lift up", () => {
    const braked = glide();
    braked[13] = braked[14] = 0.5;
    const [a, b] = [evaluate(glide(), [0, 0, 0]), evaluate(braked, [0, 0, 0])];
    expect(b.dx[3]).toBeLessThan(a.dx[3]);
    expect(b.y[outputIndex("C_L")]).toBeGreaterThan(a.y[outputIndex("C_L")]);
  });
  it("the pendulum rights a bank and a pitch", () => {
    expect(
      evaluate(state([0.3, 0, 0], [4.4, 0, 0.9], [0, 0, 0], [0, 0]), [0, 0, 0]).y[
        outputIndex("moment_pendulum_x")
      ],
    ).toBeLessThan(0);
    expect(
      evaluate(state([0, 0.3, 0], [4.4, 0, 0.9], [0, 0, 0], [0, 0]), [0, 0, 0]).y[
        outputIndex("moment_pendulum_y")
      ],
    ).toBeLessThan(0);
    // M = (0, 0, L) x m g in body axes, at any attitude: 2.0 * 9.81 * 0.5 = 9.81 N m.
    const y = evaluate(state([0.5, 0.7, 2], [4, 0, 1], [0, 0, 0], [0, 0]), [0, 0, 0]).y;
    expect(y[outputIndex("moment_pendulum_x")]).toBeCloseTo(-9.81 * Math.sin(0.5) * Math.cos(0.7), 10);
    expect(y[outputIndex("moment_pendulum_y")]).toBeCloseTo(-9.81 * Math.sin(0.7), 10);
  });
  it("wind blowing to the right wing turns the nose right, which is downwind: c_n_weath > 0", () => {
    const y = evaluate(state([0, 0, 0], [4, 2, 1], [0, 0, 0], [0, 0]), [0, 2, 0]).y;
    expect(y[outputIndex("C_yaw_weathercock")]).toBeGreaterThan(0);
  });
  it("lever arms: the canopy above pushes the nose up when it drags, the payload below pulls it down", () => {
    const p = change({ lever_arms: 1 });
    const y = evaluate(glide(), [0, 0, 0], p).y;
    const Fx = y[outputIndex("force_canopy_x")];
    expect(y[outputIndex("moment_canopy_arm_y")]).toBeCloseTo(-0.3 * Fx, 12);
    expect(y[outputIndex("moment_payload_arm_y")]).toBeLessThan(0);
    expect(y[outputIndex("moment_pendulum_y")]).toBeCloseTo(0, 15);
  });
  it("a sideslip to the right is pushed back left and turns the nose into it", () => {
    const y = evaluate(state([0, 0, 0], [4, 1, 1], [0, 0, 0], [0, 0]), [0, 0, 0]).y;
    expect(y[outputIndex("beta")]).toBeGreaterThan(0);
    expect(y[outputIndex("force_canopy_y")]).toBeLessThan(0);
    expect(y[outputIndex("C_yaw_beta")]).toBeGreaterThan(0);
  });
});

describe("the corners of the model (physics of the original, checked against its code)", () => {
  it("at rest the airspeed floor leaves a residual force", () => {
    const { dx, y } = evaluate(state([0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0]), [0, 0, 0]);
    expect(y[outputIndex("specific_force_x")]).toBeCloseTo(-0.06318, 5);
    expect(y[outputIndex("specific_force_z")]).toBeCloseTo(-0.21719, 5);
    expect(dx[11]).toBeCloseTo(0.516, 3);
  });
  it("negative angles of attack do not stall", () => {
    const { dx, y } = evaluate(state([0, 0, 0], [3, 0, -3], [0, 0, 0], [0, 0]), [0, 0, 0]);
    expect(y[outputIndex("C_L")]).toBeCloseTo(-2.43, 2);
    expect(dx[11]).toBeCloseTo(61.8, 1);
  });
  it("fully stalled, lift falls to 30 % and the drag adds c_D_stall in full (erratum P1)", () => {
    const { y } = evaluate(state([0, 0, 0], [0.05, 0, 4], [0, 0, 0], [0, 0]), [0, 0, 0]);
    const alpha = y[outputIndex("alpha")];
    expect(y[outputIndex("C_L")]).toBeCloseTo(0.3 * (0.55 + 3.8 * alpha), 6);
    expect(y[outputIndex("C_D_stall")]).toBeCloseTo(0.15, 6);
  });
});
