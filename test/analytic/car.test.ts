import { describe, expect, it } from "vitest";
import { stream } from "../../src/math/random.ts";
import { loadedMagicFormula, magicFormula } from "../../src/parts/tyre.ts";
import { envelope, steadyCircle, straightLine } from "../../src/vehicle-types/car/handling.ts";
import { asCar } from "../../src/vehicle-types/car.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { CarParameters } from "../../src/vehicles/car/parameters.ts";
import { scaledCar } from "../../src/vehicles/car/scaled.ts";
import { simulate } from "../support/simulate.ts";

const vehicle = asCar(preset("formula-student"))!;
const { model } = vehicle;
const p = vehicle.parameters as CarParameters;
const changed = (changes: Partial<CarParameters>) => ({ ...vehicle, parameters: { ...p, ...changes } });

/** Outputs and derivatives of a sliding car. */
function at(
  state: {
    v_x?: number;
    v_y?: number;
    omega?: number;
    delta?: number;
    tau?: readonly number[];
    mode?: number;
  },
  parameters: CarParameters = p,
) {
  const { v_x = 10, v_y = 0, omega = 0, delta = 0, tau = [0, 0, 0, 0], mode = 1 } = state;
  const x = Float64Array.of(0, 0, 0, v_x, v_y, omega, delta, ...tau, mode);
  const dx = new Float64Array(12);
  const y = new Float64Array(model.outputs.length);
  model.derivative(x, Float64Array.of(delta, ...tau), parameters, new Float64Array(0), dx, y);
  const value = (name: string) => y[model.outputs.findIndex((f) => f.name === name)];
  const wheels = (name: string) => ["FL", "FR", "RL", "RR"].map((w) => value(`${name}_${w}`));
  return { x, dx, y, value, wheels };
}

describe("the manoeuvres of the original, as published (physics notes on brains2, scipy Radau at 1e-11)", () => {
  const all = (tau: number) => ({ u_tau_FL: tau, u_tau_FR: tau, u_tau_RL: tau, u_tau_RR: tau });
  const run = (words: Record<string, unknown>, duration: number) => {
    const simulation = simulate(
      {
        integrator: "radau",
        tolerance: { relative: 1e-10, absolute: 1e-10 },
        dt: 0.1,
        control_dt: 0.1,
        parameters: { steering_rate_max: Number.POSITIVE_INFINITY },
        ...words,
      },
      vehicle,
    );
    for (let n = 0; simulation.t < duration - 1e-9 && n < 1e6; n++) simulation.step();
    return simulation.x;
  };
  it("launch from 3 m/s with 100 N m on every wheel", () => {
    const x = run({ initial: { phi: "90 deg", v_x: 3 }, inputs: [{ t: 0, ...all(100) }] }, 3);
    expect(x[1]).toBeCloseTo(32.4379889945, 8);
    expect(x[3]).toBeCloseTo(16.2730229674, 8);
  });
  it("steering into a bend at 10 m/s", () => {
    const torque = 42.92929292929293;
    const tau = { tau_FL: torque, tau_FR: torque, tau_RL: torque, tau_RR: torque };
    const x = run(
      {
        initial: { phi: 0, v_x: 10, ...tau },
        inputs: [
          { t: 0, ...all(torque) },
          { t: 0.5, u_delta: 0.05 },
        ],
      },
      4,
    );
    const published = [
      33.0214394047, 17.5908940583, 1.10488151479, 9.950989782, 0.171960067131, 0.320397674229,
    ];
    published.forEach((v, i) => {
      expect(Math.abs(x[i] - v)).toBeLessThan(1e-8);
    });
  });
});

describe("forces and loads", () => {
  it("the loads add up to weight and downforce, and move by m a z over wheelbase and track", () => {
    const { value, wheels } = at({ v_x: 15, v_y: -0.3, omega: 0.6, delta: 0.08, tau: [60, 60, 60, 60] });
    const [FL, FR, RL, RR] = wheels("F_z");
    expect(FL + FR + RL + RR).toBeCloseTo(230 * 9.81 + 0.5 * 3.96864 * 225, 9);
    expect(RL + RR - FL - FR).toBeCloseTo((2 * 230 * value("a_x") * 0.295) / 1.5706, 9);
    expect(FR - FL).toBeCloseTo((230 * value("a_y") * 0.295) / 1.24, 9);
    expect(RR - RL).toBeCloseTo(FR - FL, 9);
  });
  it("mass times acceleration is the sum of the forces, and the yaw rate follows the moment", () => {
    for (const options of [{}, { friction_ellipse: 1, longitudinal_limit: 1, load_sensitivity: 1 }]) {
      const parameters = { ...p, ...options };
      const { dx, value } = at(
        { v_x: 12, v_y: 0.4, omega: -0.9, delta: -0.12, tau: [150, 90, 200, 160] },
        parameters,
      );
      expect(value("force_x")).toBeCloseTo(230 * value("a_x"), 8);
      expect(value("force_y")).toBeCloseTo(230 * value("a_y"), 8);
      expect(value("moment_z")).toBeCloseTo(200 * dx[5], 8);
    }
  });
  it("more weight stands on the axle nearer to the centre of mass", () => {
    const { wheels } = at({ v_x: 0 }, { ...p, l_F: 0.6, l_R: 0.9 });
    expect(wheels("F_z")[0] / wheels("F_z")[2]).toBeCloseTo(0.9 / 0.6, 12);
  });
  it("a tyre slipping to the right pushes to the left, peaks at 1.6555 at 8.2 degrees, forward and in reverse", () => {
    const mu = (slip: number) => magicFormula(p.Ba, p.Ca, p.Da, p.Ea, slip);
    expect(mu(0.1432)).toBeCloseTo(1.655492775, 6);
    expect(mu(0.13)).toBeLessThan(mu(0.1432));
    expect(mu(0.16)).toBeLessThan(mu(0.1432));
    expect(mu(-0.05)).toBe(-mu(0.05));
    // Rolling backwards with the wheels steered left the front goes to the right.
    for (const [v_x, side] of [
      [5, 1],
      [-5, -1],
    ])
      expect(Math.sign(at({ v_x, delta: 0.05 }).wheels("F_y")[0])).toBe(side);
  });
  it("the load-dependent coefficients give the constant ones at a quarter of the weight (564.075 N)", () => {
    for (const slip of [0.02, 0.1, 0.3])
      expect(loadedMagicFormula(p, p.Ca, 564.075, slip)).toBeCloseTo(
        magicFormula(p.Ba, p.Ca, p.Da, p.Ea, slip),
        12,
      );
  });
  it("a sliding tyre never pushes along, whatever its load and coefficients", () => {
    for (const coefficients of [{}, { e1a: 0 }, { e1a: 1 }, { d1a: -0.01 }])
      for (const load of [1, 30, 200, 564, 2000])
        for (const slip of [0.01, 0.1, 0.5, 1.2, 1.57])
          expect(loadedMagicFormula({ ...p, ...coefficients }, p.Ca, load, slip)).toBeGreaterThanOrEqual(0);
  });
  it("a lifted wheel carries nothing, its partner the axle, and the other axle the rest of the roll moment", () => {
    const tall = { ...p, z_CG: 0.5, l_F: 1.1, l_R: 0.5 };
    const { value, wheels } = at({ v_x: 12, v_y: -0.35, omega: 0.2, delta: 0.04 }, tall);
    const [FL, FR, RL, RR] = wheels("F_z");
    expect(value("lifted_wheels")).toBe(1);
    expect(Math.min(FL, FR, RL, RR)).toBe(0);
    expect(FL + FR + RL + RR).toBeCloseTo(230 * 9.81 + 0.5 * p.C_downforce * 144, 8);
    expect((FR - FL + RR - RL) / 2).toBeCloseTo((230 * value("a_y") * 0.5) / 1.24, 8);
    expect(RL + RR - FL - FR).toBeCloseTo(
      (230 * 9.81 + 0.5 * p.C_downforce * 144) * ((1.1 - 0.5) / 1.6) + (2 * 230 * value("a_x") * 0.5) / 1.6,
      8,
    );
  });
  it("no load is negative and all add up, for tall cars in any state too", () => {
    const random = stream(11, "loads");
    let k = 0;
    const next = (size: number) => size * (2 * random.uniform(k++) - 1);
    let lifted = 0;
    for (const z_CG of [0.295, 0.5, 0.6])
      for (let i = 0; i < 4000; i++) {
        const state = { v_x: 12 + next(15), v_y: next(5), omega: next(3), delta: next(0.5) };
        const tau = [next(270), next(270), next(270), next(270)];
        const { value, wheels } = at({ ...state, tau }, { ...p, z_CG });
        const loads = wheels("F_z");
        const N = 230 * 9.81 + 0.5 * p.C_downforce * state.v_x * state.v_x;
        expect(loads.reduce((sum, v) => sum + v)).toBeCloseTo(N, 6);
        expect(Math.min(...loads)).toBeGreaterThan(-1e-9 * N);
        if (value("lifted_wheels") > 0) lifted++;
      }
    expect(lifted).toBeGreaterThan(500);
  });
  it("options do what they say, to the last digits where no force moves the loads (centre of mass on the ground)", () => {
    const state = { v_x: 12, v_y: -0.8, omega: 0.5, delta: 0.05, tau: [60, 150, 200, -250] };
    const with_ = (options: Partial<CarParameters>) => {
      const found = at(state, { ...p, z_CG: 0, l_F: 0.6, l_R: 0.97, ...options });
      return ["F_z", "F_x", "alpha", "F_y"].map((name) => found.wheels(name));
    };
    const plain = (slip: number) => magicFormula(p.Ba, p.Ca, p.Da, p.Ea, slip);
    const [F_z, F_x, alpha, F_y] = with_({ friction_ellipse: 1 });
    F_y.forEach((side, i) => {
      // On the ellipse (F_x/Ds F_z)^2 + (F_y/mu F_z)^2 = 1, up to the fifth that is always left.
      const along = Math.min(0.98, Math.abs(F_x[i]) / (p.Ds * F_z[i]));
      expect(along ** 2 + (side / (plain(alpha[i]) * F_z[i])) ** 2).toBeCloseTo(1, 12);
    });
    const [load, limited] = with_({ longitudinal_limit: 1 });
    state.tau.forEach((tau, i) => {
      expect(limited[i]).toBeCloseTo(Math.sign(tau) * Math.min(4.95 * Math.abs(tau), p.Ds * load[i]), 9);
    });
    expect(Math.abs(limited[3])).toBeLessThan(4.95 * 250 - 1);
    const [own, , slip, side] = with_({ load_sensitivity: 1 });
    side.forEach((v, i) => {
      expect(v / own[i]).toBeCloseTo(loadedMagicFormula(p, p.Ca, own[i], slip[i]), 12);
      expect(Math.abs(v / own[i] - plain(slip[i]))).toBeGreaterThan(1e-3);
    });
  });
});

describe("steady states", () => {
  const ideal = { C_r0: 0, C_r1: 0, C_r2: 0, C_downforce: 0, z_CG: 0 };
  it("without load sensitivity a car is neutral wherever its centre of mass lies", () => {
    const { understeer_gradient } = steadyCircle(changed({ ...ideal, l_F: 0.6, l_R: 0.97 }), 300);
    expect(Math.abs(understeer_gradient * 9.81)).toBeLessThan(2e-4);
  });
  it("with it the gradient is the difference of the axles' slip per g (Pacejka's cornering stiffness)", () => {
    const [l_F, l_R] = [0.9, 0.6706];
    const { understeer_gradient } = steadyCircle(changed({ ...ideal, l_F, l_R, load_sensitivity: 1 }), 300);
    const slope = (load: number) => (37.9 * 2 * (load / 528)) / (1 + (load / 528) ** 2);
    const weight = 230 * 9.81;
    const [front, rear] = [(weight * l_R) / (l_F + l_R) / 2, (weight * l_F) / (l_F + l_R) / 2];
    expect(understeer_gradient * 9.81).toBeCloseTo(1 / slope(front) - 1 / slope(rear), 3);
  });
  it("the lateral limit is the tyres' peak friction", () => {
    const { limit } = steadyCircle(changed(ideal), 100);
    expect(limit.a_y / (1.655492775 * 9.81)).toBeGreaterThan(0.985);
    expect(limit.a_y / (1.655492775 * 9.81)).toBeLessThan(1.001);
  });
  it("no steady circle beyond what steering, motors and four wheels on the ground allow", () => {
    expect(steadyCircle(vehicle, 50).limit.tau).toBeCloseTo(276.75, 0);
    const { a_y, v_x } = steadyCircle(changed({ z_CG: 0.7 }), 9.125).limit;
    const weight = 9.81 + (0.5 * p.C_downforce * v_x * v_x) / 230;
    expect(a_y / ((weight * 1.24) / (2 * 0.7))).toBeCloseTo(1, 3);
    expect(() => steadyCircle(changed({ steering_max: 0.05 }), 9.125)).toThrow(
      /no steady circle of 9.125 m within steering_max/,
    );
    for (const radius of [4, 300]) expect(steadyCircle(changed(ideal), radius).limit.a_y).toBeGreaterThan(14);
    expect(steadyCircle(changed({ Da: 0.1 }), 9.125).limit.a_y).toBeCloseTo(0.98, 1);
  });
  it("the g-g diagram is bounded by motors and brakes straight on, and by the tyres across", () => {
    const { points } = envelope(changed(ideal), 15);
    const most = (4 * 4.95 * 276.75) / 230;
    expect(points[0].a_x).toBeCloseTo(-most, 6);
    expect(points[points.length - 1].a_x).toBeCloseTo(most, 6);
    expect(Math.max(...points.map((q) => q.a_y))).toBeGreaterThan(0.98 * 1.655492775 * 9.81);
  });
  it("75 m without resistance take what constant acceleration takes", () => {
    const a = (4 * 4.95 * 276.75) / 230;
    const { acceleration_time, acceleration_speed, braking_distance } = straightLine(changed(ideal));
    const start = Math.sqrt((2 * 0.3) / a);
    expect(acceleration_time).toBeCloseTo(Math.sqrt((2 * 75.3) / a) - start, 2);
    // The run ends at the tick after the line.
    expect(acceleration_speed).toBeCloseTo(Math.sqrt(2 * a * 75.3), 0);
    expect(braking_distance).toBeCloseTo(400 / (2 * a), 1);
  });
});

describe("a model car of one tenth", () => {
  it("drives the same curve in a tenth of the size and the root of the time", () => {
    const scale = 0.1;
    const drive = (k: number, options: Partial<CarParameters>) => {
      const parameters = scaledCar({ ...p, ...options }, k);
      const torque = 80 * k * k * k * k;
      const inputs = {
        t: 0,
        u_delta: 0.04,
        u_tau_FL: torque,
        u_tau_FR: torque,
        u_tau_RL: torque,
        u_tau_RR: torque,
      };
      const [dt, control_dt] = [0.001 * Math.sqrt(k), 0.1 * Math.sqrt(k)];
      const words = {
        initial: { phi: 0, v_x: 12 * Math.sqrt(k) },
        inputs: [inputs],
        dt,
        control_dt,
        duration: 10,
      };
      const simulation = simulate(words, { ...vehicle, parameters });
      for (let i = 0; i < 20; i++) simulation.step();
      return simulation.x;
    };
    for (const options of [{}, { load_sensitivity: 1, friction_ellipse: 1, longitudinal_limit: 1 }]) {
      const [large, small] = [drive(1, options), drive(scale, options)];
      expect(small[0] / scale).toBeCloseTo(large[0], 6);
      expect(small[1] / scale).toBeCloseTo(large[1], 6);
      expect(small[2]).toBeCloseTo(large[2], 6);
      expect(small[3] / Math.sqrt(scale)).toBeCloseTo(large[3], 6);
    }
  });
});
