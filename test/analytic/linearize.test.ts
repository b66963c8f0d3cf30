/** Linear models and modes against extrapolated differences of another kind, algebra and textbook cases. */
import { describe, expect, it } from "vitest";
import { linearize } from "../../src/analysis/linearize.ts";
import { modesOf } from "../../src/analysis/modes.ts";
import { growing } from "../../src/analysis/stability.ts";
import { exponential, stepResponse } from "../../src/analysis/step-response.ts";
import type { Condition } from "../../src/analysis/trim.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { stillAir } from "../../src/environment/environment.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../../src/vehicles/vehicle.ts";
import { simulate } from "../support/simulate.ts";

const about = (vehicle: Vehicle, condition: Condition = {}, held = {}) => {
  const { x, u } = findTrim(vehicle, condition, held);
  return { x, u, linear: linearize(vehicle, x, u) };
};

const vehicleState = (name: string) => preset("parafoil").model.states.findIndex((f) => f.name === name);

/** Rates of u v w p q r roll pitch at them, with the rotation as a matrix: no code in common with the coordinates. */
function bodyRates(vehicle: Vehicle, x0: Float64Array, u0: Float64Array) {
  const { model, parameters } = vehicle;
  const e = stillAir(model);
  return (c: number[], u = u0): number[] => {
    const [U, V, W, P, Q, R, phi, theta] = c;
    const [cf, sf, ct, st] = [Math.cos(phi), Math.sin(phi), Math.cos(theta), Math.sin(theta)];
    // R_NB of ZYX angles with no yaw.
    const M = [
      [ct, st * sf, st * cf],
      [0, cf, -sf],
      [-st, ct * sf, ct * cf],
    ];
    const x = x0.slice();
    for (let i = 0; i < 3; i++) x[3 + i] = M[i][0] * U + M[i][1] * V + M[i][2] * W;
    const [a, b] = [phi / 2, theta / 2];
    x.set(
      [
        Math.cos(a) * Math.cos(b),
        Math.sin(a) * Math.cos(b),
        Math.cos(a) * Math.sin(b),
        -Math.sin(a) * Math.sin(b),
      ],
      6,
    );
    x.set([P, Q, R], 10);
    c.slice(8).forEach((v, k) => {
      x[13 + k] = v;
    });
    const dx = new Float64Array(x.length);
    model.derivative(x, u, parameters, e, dx);
    const acceleration = [0, 1, 2].map((j) => M[0][j] * dx[3] + M[1][j] * dx[4] + M[2][j] * dx[5]);
    return [
      acceleration[0] - (Q * W - R * V),
      acceleration[1] - (R * U - P * W),
      acceleration[2] - (P * V - Q * U),
      dx[10],
      dx[11],
      dx[12],
      P + (st / ct) * (Q * sf + R * cf),
      Q * cf - R * sf,
      ...dx.slice(13, 13 + c.length - 8),
    ];
  };
}

/** Romberg's table of central differences, from large steps down. */
function romberg(f: (d: number) => number[], h: number): number[] {
  const levels = 5;
  const table = Array.from({ length: levels }, (_, k) => {
    const s = h / 2 ** k;
    const [up, down] = [f(s), f(-s)];
    return up.map((v, i) => (v - down[i]) / (2 * s));
  });
  for (let order = 1; order < levels; order++)
    for (let k = levels - 1; k >= order; k--)
      table[k] = table[k].map((v, i) => v + (v - table[k - 1][i]) / (4 ** order - 1));
  return table[levels - 1];
}

describe("A and B against a reference by Romberg's table in other coordinates", () => {
  const cases: [string, Condition, Record<string, number>, Record<string, number>][] = [
    ["parafoil", {}, { brake_left_cmd: 0.3, brake_right_cmd: 0.3 }, {}],
    ["parafoil", {}, { brake_left_cmd: 0.6, brake_right_cmd: 0.2 }, {}],
    // One time constant both ways: the mean of two has no derivative.
    [
      "advanced-plane",
      { speed: 15 },
      {},
      { "rotors.1.timeConstantUp": 0.02, "rotors.1.timeConstantDown": 0.02 },
    ],
    [
      "advanced-plane",
      { speed: 15, turn: 0.6 },
      {},
      { "rotors.1.timeConstantUp": 0.02, "rotors.1.timeConstantDown": 0.02 },
    ],
  ];
  it.each(cases)("%s %o %o: to 1e-7 of each row", (name, condition, held, parameters) => {
    const vehicle = withParameters(preset(name), parameters);
    const { x, u, linear } = about(vehicle, condition, held);
    const n = linear.states.length;
    const f = bodyRates(vehicle, x, u);
    const c0 = Array.from(linear.at.states);
    linear.states.forEach((state, j) => {
      const column = romberg(
        (d) => f(c0.map((v, i) => (i === j ? v + d : v))),
        state.name.startsWith("rotor") ? 5 : 0.02,
      );
      for (let i = 0; i < n; i++) {
        const largest = Math.max(...linear.A.slice(i * n, i * n + n).map(Math.abs));
        expect(Math.abs(linear.A[i * n + j] - column[i])).toBeLessThan(1e-7 * Math.max(1, largest));
      }
    });
    linear.inputs.forEach((input, j) => {
      const place = vehicle.model.inputs.findIndex((q) => q.name === input.name);
      const column = romberg(
        (d) =>
          f(
            c0,
            u.map((v, i) => (i === place ? v + d : v)),
          ),
        input.unit === "rad/s" ? 5 : 0.02,
      );
      for (let i = 0; i < n; i++) expect(linear.B[i * linear.inputs.length + j]).toBeCloseTo(column[i], 6);
    });
    expect(linear.error).toBeLessThan(1e-7);
    expect(linear.warnings).toEqual([]);
  });
  it("the car's, whose states are themselves", () => {
    const vehicle = preset("formula-student");
    const { x, u, linear } = about(vehicle, { speed: 12, lateral: 6 });
    expect(linear.states.map((f) => f.name)).toEqual([
      "v_x",
      "v_y",
      "omega",
      "delta",
      "tau_FL",
      "tau_FR",
      "tau_RL",
      "tau_RR",
    ]);
    const n = 8;
    for (let j = 0; j < n; j++) {
      const column = romberg(
        (d) => {
          const moved = x.slice();
          moved[3 + j] += d;
          const dx = new Float64Array(x.length);
          vehicle.model.derivative(moved, u, vehicle.parameters, new Float64Array(0), dx);
          return Array.from(dx.slice(3, 11));
        },
        j === 3 ? 0.002 : j > 3 ? 1 : 0.02,
      );
      for (let i = 0; i < n; i++)
        expect(Math.abs(linear.A[i * n + j] - column[i])).toBeLessThan(
          1e-7 * Math.max(1, ...column.map(Math.abs)),
        );
    }
  });
  it("at a limit the slope of the side that is allowed is taken: a free brake still brakes", () => {
    const { linear } = about(preset("parafoil"));
    const { linear: inside } = about(preset("parafoil"), {}, { brake_left_cmd: 3e-3, brake_right_cmd: 3e-3 });
    const column = (l: typeof linear) => l.states.map((_, i) => l.A[i * l.states.length + 8]);
    for (const [i, v] of column(linear).entries())
      expect(Math.abs(v - column(inside)[i])).toBeLessThan(1e-2 * Math.max(0.1, Math.abs(v)));
    expect(Math.abs(column(linear)[0])).toBeGreaterThan(0.1);
  });
  it("C and D: airspeed by velocity, glide path, and what each degree of elevator adds to lift and pitch", () => {
    const { x, u } = findTrim(preset("advanced-plane"), { speed: 15 });
    const linear = linearize(preset("advanced-plane"), x, u, ["airspeed", "sink", "CL_1", "Cem_1"]);
    const [n, m] = [linear.states.length, linear.inputs.length];
    const at = (name: string) => linear.states.findIndex((f) => f.name === name);
    const C = (row: number, name: string) => linear.C[row * n + at(name)];
    const [U, V, W, pitch] = ["u", "v", "w", "pitch"].map((name) => linear.at.states[at(name)]);
    const airspeed = Math.hypot(U, V, W);
    expect(C(0, "u")).toBeCloseTo(U / airspeed, 9);
    expect(C(0, "w")).toBeCloseTo(W / airspeed, 9);
    // Sink is -u sin(pitch) + w cos(pitch) with no bank; by pitch it is minus the speed ahead.
    expect(C(1, "u")).toBeCloseTo(-Math.sin(pitch), 9);
    expect(C(1, "w")).toBeCloseTo(Math.cos(pitch), 9);
    expect(C(1, "pitch")).toBeCloseTo(-(U * Math.cos(pitch) + W * Math.sin(pitch)), 9);
    // The elevator's servo turns the other way; the preset has coefficients per degree.
    const elevator = linear.inputs.findIndex((f) => f.name === "servo_3_cmd");
    expect(linear.D[2 * m + elevator]).toBeCloseTo((-0.010696 * 180) / Math.PI, 9);
    expect(linear.D[3 * m + elevator]).toBeCloseTo((0.025798 * 180) / Math.PI, 9);
    expect(linear.at.outputs[0]).toBeCloseTo(15, 9);
  });
  it("at the far limit the inner side counts, with its right sign", () => {
    const column = (brake: number) => {
      const { linear } = about(preset("parafoil"), {}, { brake_left_cmd: brake, brake_right_cmd: brake });
      return linear.states.map((_, i) => linear.A[i * linear.states.length + 8]);
    };
    const [end, inside] = [column(1), column(0.9999)];
    for (const [i, v] of end.entries())
      expect(Math.abs(v - inside[i])).toBeLessThan(2e-3 * Math.max(1, Math.abs(inside[i])));
  });
  it("a kink is told: rotors that speed up faster than they slow down", () => {
    const { linear } = about(preset("x500"));
    expect(linear.warnings.join()).toMatch(/kink.*rotor_1/);
  });
});

describe("modes", () => {
  const names = (vehicle: Vehicle, condition: Condition = {}) => {
    const { linear } = about(vehicle, condition);
    const { model, parameters } = vehicle;
    return modesOf(linear, model.coordination?.(parameters) !== "sideslip", model.modeNames);
  };
  it("of an oscillator: frequency, damping, period, half and double by the book", () => {
    const field = (name: string) => ({ name, unit: "1", meaning: "" });
    const oscillator = (omega: number, zeta: number) => ({
      states: [field("a"), field("b")],
      inputs: [],
      outputs: [],
      A: Float64Array.of(0, 1, -omega * omega, -2 * zeta * omega),
      B: new Float64Array(0),
      C: new Float64Array(0),
      D: new Float64Array(0),
      at: {
        states: new Float64Array(2),
        inputs: new Float64Array(0),
        outputs: new Float64Array(0),
        rates: new Float64Array(2),
      },
      error: 0,
      warnings: [],
    });
    const [fading] = modesOf(oscillator(3, 0.2), true);
    expect(fading.frequency).toBeCloseTo(3, 12);
    expect(fading.damping).toBeCloseTo(0.2, 12);
    expect(fading.period).toBeCloseTo((2 * Math.PI) / (3 * Math.sqrt(1 - 0.04)), 12);
    expect(fading.half).toBeCloseTo(Math.LN2 / 0.6, 12);
    expect(fading.double).toBeUndefined();
    const [growing] = modesOf(oscillator(2, -0.1), true);
    expect(growing.double).toBeCloseTo(Math.LN2 / 0.2, 12);
    expect(growing.damping).toBeCloseTo(-0.1, 12);
  });
  it("the one that grows fastest is told first", () => {
    const wild = withParameters(preset("parafoil"), { c_ma: 5 });
    expect(growing(wild, findTrim(wild, {}))?.name).toBe("pitch pendulum, aperiodic (2)");
    const plane = preset("advanced-plane");
    expect(growing(plane, findTrim(plane, {}))?.name).toBe("spiral");
    expect(growing(preset("parafoil"), findTrim(preset("parafoil"), {}))).toBeUndefined();
  });
  it("an aeroplane has its five, fast to slow, and the lag of its motor", () => {
    expect(names(preset("advanced-plane")).map((m) => m.name)).toEqual([
      "lag of rotor_1",
      "short period",
      "roll",
      "Dutch roll",
      "phugoid",
      "spiral",
    ]);
  });
  it("the phugoid is near Lanchester's: period pi sqrt(2) V/g", () => {
    // Thrust that does not change with speed, lift from the wing alone.
    const plane = withParameters(preset("advanced-plane"), {
      "rotors.1.maxRelativeAirspeed": Number.POSITIVE_INFINITY,
    });
    const phugoid = names(plane, { speed: 15 }).find((m) => m.name === "phugoid");
    expect(phugoid?.period).toBeGreaterThan(0.9 * ((Math.PI * Math.SQRT2 * 15) / 9.81));
    expect(phugoid?.period).toBeLessThan(1.25 * ((Math.PI * Math.SQRT2 * 15) / 9.81));
  });
  it("a servo's lag is -1/tau", () => {
    const cessna = names(preset("rc-cessna"));
    for (const m of cessna.filter((k) => k.name.startsWith("lag of servo")))
      expect(m.eigenvalue.re).toBeCloseTo(-10, 6);
    expect(cessna.filter((k) => k.name.startsWith("lag of servo")).length).toBe(4);
  });
  it("a hovering quadrotor: pitch and roll alike where it is alike, heave neutral, yaw damped", () => {
    const hover = names(preset("x500"));
    const list = hover.map((m) => m.name).filter((n) => n.startsWith("hover"));
    expect(list).toEqual([
      "hover, forward speed",
      "hover, side speed",
      "hover, pitch and speed",
      "hover, roll and side speed",
      "hover, yaw",
      "hover, heave",
    ]);
    const heave = hover[hover.length - 1];
    expect(Math.abs(heave.eigenvalue.re)).toBeLessThan(1e-9);
    expect(heave.half ?? heave.double).toBeUndefined();
  });
  it("the parafoil's pendulums, and the car's yaw and sideslip", () => {
    expect(names(preset("parafoil")).map((m) => m.name)).toEqual(
      expect.arrayContaining(["pitch pendulum", "roll pendulum, aperiodic (1)", "phugoid"]),
    );
    const car = names(preset("formula-student"), { speed: 15, lateral: 3 }).map((m) => m.name);
    expect(car).toEqual(expect.arrayContaining(["yaw", "sideslip", "speed", "lag of delta"]));
  });
  it("participation adds up to one, the trace of A is the sum of the eigenvalues", () => {
    const { linear } = about(preset("advanced-plane"), { turn: 0.5 });
    const modes = modesOf(linear, true);
    const n = linear.states.length;
    for (const m of modes) expect(m.participation.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const trace = linear.states.reduce((sum, _, i) => sum + linear.A[i * n + i], 0);
    const sum = modes.reduce((s, m) => s + m.eigenvalue.re * (m.eigenvalue.im > 0 ? 2 : 1), 0);
    expect(sum).toBeCloseTo(trace, 8);
  });
  it("each mode's shape is an eigenvector", () => {
    const { linear } = about(preset("rc-cessna"));
    const n = linear.states.length;
    for (const { eigenvalue, shape } of modesOf(linear, true)) {
      const re = shape.magnitude.map((v, i) => v * Math.cos(shape.phase[i]));
      const im = shape.magnitude.map((v, i) => v * Math.sin(shape.phase[i]));
      const size = Math.max(...shape.magnitude) * Math.max(1, Math.hypot(eigenvalue.re, eigenvalue.im));
      for (let i = 0; i < n; i++) {
        let [a, b] = [0, 0];
        for (let j = 0; j < n; j++) {
          a += linear.A[i * n + j] * re[j];
          b += linear.A[i * n + j] * im[j];
        }
        expect(Math.abs(a - (eigenvalue.re * re[i] - eigenvalue.im * im[i]))).toBeLessThan(1e-6 * size);
        expect(Math.abs(b - (eigenvalue.re * im[i] + eigenvalue.im * re[i]))).toBeLessThan(1e-6 * size);
      }
    }
  });
});

describe("step responses", () => {
  it("the exponential of a rotation, a decay and a shear", () => {
    const E = exponential(Float64Array.of(0, -2, 0, 2, 0, 0, 0, 0, -30), 3);
    const want = [Math.cos(2), -Math.sin(2), 0, Math.sin(2), Math.cos(2), 0, 0, 0, Math.exp(-30)];
    for (const [i, v] of want.entries()) expect(E[i]).toBeCloseTo(v, 13);
    expect(Array.from(exponential(Float64Array.of(0, 5, 0, 0), 2))).toEqual([1, 5, 0, 1]);
  });
  it("follows the simulation of a small step", () => {
    const held = { brake_left_cmd: 0.3, brake_right_cmd: 0.3 };
    const { x, linear } = about(preset("parafoil"), {}, held);
    const names = [
      "v_north",
      "v_east",
      "v_down",
      "q_w",
      "q_x",
      "q_y",
      "q_z",
      "p",
      "q",
      "r",
      "brake_left",
      "brake_right",
    ];
    const initial = Object.fromEntries(names.map((name, i) => [name, x[3 + i]]));
    const step = 1e-4;
    const simulation = simulate({
      initial: { ...initial, down: -1000 },
      inputs: [{ t: 0, ...held, brake_left_cmd: 0.3 + step }],
      dt: 0.005,
      duration: 2,
    });
    const rows = stepResponse(linear, 0, 0.02, 101);
    for (let n = 0; simulation.t < 2 - 1e-9 && n < 1e6; n++) simulation.step();
    for (const name of ["p", "q", "r"]) {
      const i = linear.states.findIndex((f) => f.name === name);
      const moved = simulation.x[vehicleState(name)] - x[vehicleState(name)];
      expect(moved / step / rows[100][i]).toBeCloseTo(1, 2);
    }
  });
  it("a lag of 0.2 s", () => {
    const { linear } = about(preset("parafoil"), {}, { brake_left_cmd: 0.3, brake_right_cmd: 0.3 });
    const rows = stepResponse(linear, 0, 0.01, 400);
    const brake = linear.states.findIndex((f) => f.name === "brake_left");
    // A lag of 0.2 s.
    expect(rows[20][brake]).toBeCloseTo(1 - Math.exp(-1), 10);
    expect(rows[399][brake]).toBeCloseTo(1 - Math.exp(-3.99 / 0.2), 8);
  });
});
