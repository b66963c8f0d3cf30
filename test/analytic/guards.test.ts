/**
 * Physics that hand-made mutants could change without a test seeing it: densities, reverse and rolling motion of cars, ends of actuators and
 * batteries, surroundings and sensors, tilted ground effect. Each against what follows from the equations by hand.
 */
import { expect, it } from "vitest";
import { gusts } from "../../src/environment/gusts.ts";
import { GRID } from "../../src/environment/turbulence.ts";
import { createWind } from "../../src/environment/wind.ts";
import { fromEuler, toWorld } from "../../src/math/quaternion.ts";
import { makeSensor } from "../../src/sensors/sensor.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import type { CarParameters } from "../../src/vehicles/car/parameters.ts";
import type { ParafoilParameters } from "../../src/vehicles/parafoil/parameters.ts";
import { aircraftOf, BALL, evaluate, ROTOR } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

/** Relative to the right number, or to one where that is smaller. */
function close(a: number, b: number, tolerance: number, what = ""): void {
  expect(Math.abs(a - b), `${what}: ${a} should be ${b}`).toBeLessThanOrEqual(
    tolerance * Math.max(1, Math.abs(b)),
  );
}
const q = (roll: number, pitch: number, yaw: number) => {
  const v = new Float64Array(4);
  fromEuler(roll, pitch, yaw, v, 0);
  return { q_w: v[0], q_x: v[1], q_y: v[2], q_z: v[3] };
};
const channel = (s: Simulation, n: string) => s.sample()[s.channels.findIndex((c) => c.name === n)];

// ---- density
const PROP = { diameter: 0.25, J: [0, 0.4, 0.8], CT: [0.1, 0.07, 0.02], CP: [0.05, 0.045, 0.02] };
it("density: every force and moment of the air goes with the density (aircraft)", () => {
  const flat = { rotorDragCoefficient: 2e-4, rollingMomentCoefficient: 3e-6, maxRelativeAirspeed: 60 };
  const vehicle = aircraftOf({
    ...BALL,
    rho: 1.2,
    drag1: [0.1, 0.2, 0.3],
    drag2: [0.01, 0.02, 0.03],
    CdA: [0.01, 0.02, 0.03],
    rotors: [
      { ...ROTOR, ...flat, position: [0.2, 0.1, -0.1], axis: [0.1, 0.2, -1] },
      { ...ROTOR, ...flat, law: "gz", position: [-0.2, 0.1, 0.1], axis: [1, 0.1, 0] },
      { ...ROTOR, ...flat, law: "propeller", propeller: PROP, position: [0.1, -0.2, 0], axis: [1, 0, -0.2] },
    ],
    surfaces: [
      {
        position: [-0.1, 0.05, 0.02],
        area: 0.4,
        AR: 6,
        alpha_stall: 0.3,
        CL0: 0.2,
        CLa: 5,
        CD0: 0.03,
        Cema: -0.5,
        Cemq: -10,
        CYb: -0.3,
        Cellp: -0.5,
        CLq: 7,
        controls: [{ servo: 1, CL_ctrl: -0.01, Cem_ctrl: 0.02 }],
      },
      {
        law: "lift-drag",
        position: [-0.6, 0, -0.1],
        upward: [0, -1, 0],
        area: 0.1,
        cla: 3,
        cda: 0.1,
        servo: 1,
        chord: 0.2,
        cma: -0.3,
      },
    ],
    servos: [{ tau: 0.05 }],
  });
  const state = {
    ...q(0.2, 0.1, 0.5),
    down: -1000,
    v_north: 11,
    v_east: 8,
    v_down: 1.5,
    p: 0.4,
    q: -0.3,
    r: 0.5,
    rotor_1: 500,
    rotor_2: 600,
    rotor_3: 700,
    servo_1: 0.2,
  };
  const inputs = { rotor_1_cmd: 500, rotor_2_cmd: 600, rotor_3_cmd: 700, servo_1_cmd: 0.2 };
  const one = evaluate(vehicle, state, inputs, { ratio: 1 });
  for (const ratio of [0.37, 1.9, 0]) {
    const y = evaluate(vehicle, state, inputs, { ratio }).y;
    for (const name of Object.keys(y).filter((n) => /^(force|moment|thrust|torque)_/.test(n)))
      close(y[name], ratio * one.y[name], 1e-12, `${name} at ${ratio}`);
  }
  // Everything acts, so that nothing is proportional because it is zero.
  for (const name of [
    "force_rotor_1_y",
    "moment_rotor_2_z",
    "force_rotor_3_x",
    "force_surface_1_z",
    "moment_surface_1_y",
    "force_surface_2_y",
    "force_drag_x",
  ])
    expect(Math.abs(one.y[name]) > 1e-3, `${name} does not act`).toBe(true);
});
it("density: canopy and payload (parafoil)", () => {
  const { model } = preset("parafoil");
  const parameters = preset("parafoil").parameters as ParafoilParameters;
  const at = (ratio: number) => {
    const x = new Float64Array(15);
    x.set([0, 0, -100, 4, 1, 1.5]);
    fromEuler(0.2, -0.1, 0.3, x, 6);
    x.set([0.1, -0.2, 0.3, 0.4, 0.1], 10);
    const dx = new Float64Array(15),
      y = new Float64Array(model.outputs.length);
    model.derivative(
      x,
      Float64Array.of(0.4, 0.1),
      { ...parameters, c_n_weath: 0 },
      Float64Array.of(0, 0, 0, ratio),
      dx,
      y,
    );
    return { dx, y: Object.fromEntries(model.outputs.map((f, i) => [f.name, y[i]])) };
  };
  const one = at(1).y;
  for (const ratio of [0.37, 1.9, 0]) {
    const y = at(ratio).y;
    for (const n of Object.keys(y).filter(
      (n) => /^(force|moment)_/.test(n) && !/pendulum/.test(n) && !/^moment_[xyz]$/.test(n),
    ))
      close(y[n], ratio * one[n], 1e-12, `${n} at ${ratio}`);
  }
});
it("boundary as wind, tilted and in thin air: the same force as the formula's", () => {
  const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] } as const;
  const make = (law: string) =>
    aircraftOf({
      ...BALL,
      drag1: [0.5, 0.5, 0.5],
      boundary: { law },
      rotors: [{ ...ROTOR, radius: 0.1, axis: [0.3, -0.2, -1] }],
    });
  const at = (law: string, boundaries: readonly (typeof ground)[]) =>
    evaluate(make(law), { ...q(0.4, -0.3, 1.1), down: -0.2, rotor_1: 1000 }, {}, { ratio: 0.37, boundaries })
      .y;
  for (const a of ["x", "y", "z"])
    close(
      at("wind", [ground])[`force_drag_${a}`] - at("wind", [])[`force_drag_${a}`],
      at("full", [ground])[`force_boundary_1_${a}`],
      1e-12,
      a,
    );
  expect(
    Math.abs(at("full", [ground]).force_boundary_1_x) > 0.1 &&
      Math.abs(at("full", [ground]).force_boundary_1_y) > 0.1,
    "not oblique",
  ).toBe(true);
});
it("pitot: half rho v^2 of the air up there (ISO 2533: 0.736116 kg/m^3 at 5003.94 m)", () => {
  const s = simulate(
    {
      air: { model: "isa", origin_altitude: 0 },
      initial: { altitude: 5003.94, v_north: 15 },
      sensors: { pitot: { noise: 0 } },
    },
    preset("advanced-plane"),
  );
  close(channel(s, "diff_pressure"), 0.5 * 1.2041 * (0.736116 / 1.225) * 225, 1e-5);
});
// ---- car
const car = preset("formula-student");
/** Its axles are not equally far from the centre of mass, as the preset's are. */
const uneven = { ...(car.parameters as CarParameters), l_F: 0.6, l_R: 0.97 };
const L = 1.57;
interface CarState {
  readonly v_x?: number;
  readonly v_y?: number;
  readonly omega?: number;
  readonly delta?: number;
  readonly tau?: readonly number[];
  readonly mode?: number;
  readonly u?: number;
}
function carAt(st: CarState, p: CarParameters) {
  const { v_x = 0, v_y = 0, omega = 0, delta = 0, tau = [0, 0, 0, 0], mode = 1, u = delta } = st;
  const x = Float64Array.of(0, 0, 0, v_x, v_y, omega, delta, ...tau, mode),
    dx = new Float64Array(12),
    y = new Float64Array(car.model.outputs.length);
  car.model.derivative(x, Float64Array.of(u, ...tau), p, new Float64Array(0), dx, y);
  return { x, dx, y: Object.fromEntries(car.model.outputs.map((f, i) => [f.name, y[i]])) };
}
it("slip in reverse is the slip forward: alpha = -atan(v_y/|v_x|), the force against the slide", () => {
  const forward = carAt({ v_x: 5, v_y: 0.2 }, { ...uneven, z_CG: 0 }).y,
    back = carAt({ v_x: -5, v_y: 0.2 }, { ...uneven, z_CG: 0 }).y;
  for (const w of ["FL", "FR", "RL", "RR"]) {
    close(back[`alpha_${w}`], -Math.atan(0.04), 1e-12, w);
    close(back[`F_y_${w}`], forward[`F_y_${w}`], 1e-12, w);
  }
  // Steered and rolling backward: the wheel's own frame. v_xw = v cos d < 0, v_yw = -v sin d.
  const steered = carAt({ v_x: -5, delta: 0.1 }, { ...uneven, z_CG: 0 }).y;
  close(steered.alpha_FL, -0.1, 1e-12, "steered");
});
it("rolling wheels: the car turns about a point on the line of its rear axle, L/tan(delta) from it", () => {
  const s = simulate(
    {
      duration: 20,
      control_dt: 0.1,
      initial: { phi: 0.3, v_x: 0.05, delta: 0.3 },
      inputs: [{ t: 0, u_delta: 0.3 }],
      parameters: { l_F: 0.6, l_R: 0.97, C_r0: 0, C_r1: 0, C_r2: 0 },
    },
    car,
  );
  const R = L / Math.tan(0.3);
  const centre = () => {
    const [X, Y, phi] = s.x;
    return [X - 0.97 * Math.cos(phi) - R * Math.sin(phi), Y - 0.97 * Math.sin(phi) + R * Math.cos(phi)];
  };
  const begin = centre();
  for (let k = 0; k < 200; k++) {
    s.step();
    centre().forEach((c, i) => {
      close(c, begin[i], 1e-9, `centre at ${s.t}`);
    });
    // The rear axle does not slide, the front one goes where its wheels point.
    close(s.x[4] - 0.97 * s.x[5], 0, 1e-12, "rear axle");
    close((s.x[4] + 0.6 * s.x[5]) * Math.cos(0.3) - s.x[3] * Math.sin(0.3), 0, 1e-12, "front axle");
  }
  expect(Math.abs(s.x[2] - 0.3) > 0.1, "did not turn").toBe(true);
});
it("rolling wheels: side forces make the moment that turns it", () => {
  const delta = 0.2,
    v_x = 0.05,
    v_y = (v_x * 0.97 * Math.tan(delta)) / L;
  const { dx, y } = carAt(
    { mode: 0, v_x, v_y, omega: v_y / 0.97, delta, u: 0.21, tau: [20, 20, 20, 20] },
    uneven,
  );
  // y.moment_z itself is 1.3e-5 off here: constrain() forgets -W/2 (F_y_FR - F_y_FL) sin(delta).
  close(y.force_y, 230 * y.a_y, 1e-9, "force");
  close(dx[4] - 0.97 * dx[5], 0, 1e-12, "the rear axle begins no slide");
  const [c, sn] = [Math.cos(delta), Math.sin(delta)];
  const front = (y.F_y_FL + y.F_y_FR) * c + (y.F_x_FL + y.F_x_FR) * sn;
  close(0.6 * front - 0.97 * (y.F_y_RL + y.F_y_RR), 200 * dx[5], 1e-9, "moment of the axles");
});
const energy = (p: CarParameters, v: ArrayLike<number>) =>
  0.5 * p.m * (v[0] * v[0] + v[1] * v[1]) + 0.5 * p.I_z * v[2] * v[2];
it("hand-over: the energy lost is that of the motion lost (the tyres stop at once what does not roll)", () => {
  for (const [v_x, v_y, omega, delta] of [
    [0.06, 0.03, 0.05, 0.3],
    [0, 0, 0.1, 0.4],
    [-0.05, 0.03, 0.09, -0.4],
    [0.02, -0.05, -0.12, 0.5],
  ]) {
    const s = simulate(
      { duration: 0.1, initial: { v_x, v_y, omega, delta }, parameters: { l_F: 0.6, l_R: 0.97 } },
      car,
    );
    expect(s.x[11], "rolling").toBe(0);
    const before = [v_x, v_y, omega],
      after = [...s.x.subarray(3, 6)],
      lost = before.map((v, i) => v - after[i]);
    // Pythagoras of a projection at right angles in the metric of kinetic energy.
    close(
      (energy(uneven, before) - energy(uneven, after)) / energy(uneven, before),
      energy(uneven, lost) / energy(uneven, before),
      1e-12,
      `${before}`,
    );
  }
});
it("mode thresholds: tyres take over at 0.1 m/s and give up at 0.08 m/s, at the instants of motion in closed form", () => {
  // v = a t with a = 0.2: 0.1 m/s at 0.5 s. No drag, torque already there.
  const tau = (230 * 0.2) / (4 * 4.95);
  const all = (v: number) => ({ u_tau_FL: v, u_tau_FR: v, u_tau_RL: v, u_tau_RR: v });
  const at = (v: number) => ({ tau_FL: v, tau_FR: v, tau_RL: v, tau_RR: v });
  const free = { C_r0: 0, C_r1: 0, C_r2: 0 };
  const up = simulate(
    {
      duration: 1,
      control_dt: 0.001,
      initial: { phi: 0, ...at(tau) },
      inputs: [{ t: 0, ...all(tau) }],
      parameters: free,
    },
    car,
  );
  for (let k = 0; k < 600 && up.x[11] === 0; k++) up.step();
  close(up.t, 0.5, 0.0021, "takes over");
  // Brakes fade with tanh(10 v): sinh(10 v) = sinh(1.2) exp(-10 k t), k = 0.2: 0.08 m/s at ln(sinh 1.2/sinh 0.8)/2 s.
  const down = simulate(
    {
      duration: 1,
      control_dt: 0.001,
      initial: { phi: 0, v_x: 0.12, ...at(-tau) },
      inputs: [{ t: 0, ...all(-tau) }],
      parameters: free,
    },
    car,
  );
  for (let k = 0; k < 900 && down.x[11] === 1; k++) down.step();
  close(down.t, Math.log(Math.sinh(1.2) / Math.sinh(0.8)) / 2, 0.0021, "gives up");
});
it("a car's brake torque ends at its limit", () => {
  const x = Float64Array.of(0, 0, 0, 5, 0, 0, 0, -276.75, 0, 276.75, 0, 1),
    d = new Float64Array(12);
  car.model.derivative(
    x,
    Float64Array.of(0, -2000, -2000, 2000, 2000),
    car.parameters,
    new Float64Array(0),
    d,
  );
  close(d[7], 0, 1e-9, "at the limit it stays");
  close(d[8], -276.75 / 0.001, 1e-9, "towards it");
  close(d[9], 0, 1e-9, "at the limit it stays");
  close(d[10], 276.75 / 0.001, 1e-9, "towards it");
});
// ---- actuators
it("brakes of a parafoil go from free to full: more than full is full, in command and state", () => {
  const { model } = preset("parafoil");
  const parameters = preset("parafoil").parameters as ParafoilParameters;
  const tau = parameters.tau_act;
  const at = (x13: number, x14: number, u: number[]) => {
    const x = new Float64Array(15);
    x.set([0, 0, -100, 4, 0, 1]);
    x[6] = 1;
    x[13] = x13;
    x[14] = x14;
    const dx = new Float64Array(15);
    model.derivative(x, Float64Array.from(u), parameters, Float64Array.of(0, 0, 0, 1), dx);
    return [...dx];
  };
  for (const [out, edge] of [
    [1.7, 1],
    [-0.6, 0],
  ]) {
    const a = at(0.4, 0.2, [out, out]),
      b = at(0.4, 0.2, [edge, edge]);
    a.forEach((v, i) => {
      close(v, b[i], 1e-15, `command ${i}`);
    });
    close(a[13], (edge - 0.4) / tau, 1e-12, "lag left");
    close(a[14], (edge - 0.2) / tau, 1e-12, "lag right");
    const c = at(out, out, [0.5, 0.5]),
      d = at(edge, edge, [0.5, 0.5]);
    c.forEach((v, i) => {
      close(v, d[i], 1e-15, `state ${i}`);
    });
    const both = at(out, edge, [0.5, 0.5]);
    both.forEach((v, i) => {
      close(v, d[i], 1e-15, `left ${i}`);
    });
    const other = at(edge, out, [0.5, 0.5]);
    other.forEach((v, i) => {
      close(v, d[i], 1e-15, `right ${i}`);
    });
  }
});
it("a strong reverse command: a rotor follows it (as Gazebo's does), an electric motor takes it for none", () => {
  const vehicle = aircraftOf({
    ...BALL,
    rotors: [
      { ...ROTOR, maxRotVelocity: 1000, timeConstantUp: 0.02, timeConstantDown: 0.04, reversible: "on" },
    ],
  });
  close(
    evaluate(vehicle, { q_w: 1, down: -50, rotor_1: -900 }, { rotor_1_cmd: -1500 }).dx.rotor_1,
    -600 / 0.04,
    1e-12,
    "lag",
  );
  close(
    evaluate(vehicle, { q_w: 1, down: -50, rotor_1: 900 }, { rotor_1_cmd: 1500 }).dx.rotor_1,
    100 / 0.02,
    1e-12,
    "limit forward",
  );
  const h = preset("hakoniwa");
  const spin = (u: number) => evaluate(h, { q_w: 1, down: -50, rotor_1: 100 }, { rotor_1_cmd: u });
  const [off, back, over, full] = [spin(0), spin(-1), spin(1.8), spin(1)];
  close(back.dx.rotor_1, off.dx.rotor_1, 1e-12, "duty below none");
  close(over.dx.rotor_1, full.dx.rotor_1, 1e-12, "duty above all");
  close(off.y.current_1, (-0.0103796702 * 100) / 0.115, 1e-12, "shorted winding");
  close(back.y.battery_current, 0, 1e-12, "nothing drawn");
});
it("the end of a battery: within 2 % beyond its capacity the last voltage falls to nothing, in a straight line", () => {
  const h = preset("hakoniwa");
  const V = (part: number) =>
    evaluate(h, { q_w: 1, down: -50, battery_used: part * 14400 }).y.battery_voltage;
  close(V(1), 3, 1e-12);
  close(V(1.005), 2.25, 1e-9);
  close(V(1.01), 1.5, 1e-9);
  close(V(1.02), 0, 1e-9);
  close(V(1.5), 0, 1e-12);
  close(V(0.985), 3 + 0.5 * (11.1 - 3), 1e-9);
});
// ---- surroundings and sensors
it("wind: at its grid points' times it is the grid points', straight between", () => {
  const gust = { interval: 0.3, duration: 0.5, magnitude: 3 };
  const n = 600,
    out = new Float64Array(3 * n),
    w = new Float64Array(3),
    X = new Float64Array(15);
  gusts(gust, 9).next(0, n, out, 0);
  const wind = createWind({ gust, steady: [1, -2, 0.5] }, 9, 0.05);
  let most = 0;
  for (let t = 0; t < 5.5; t += 0.05) {
    wind.begin?.(t, t + 0.05);
    for (const f of [0, 0.25, 1, 2.5, 4]) {
      const s = Math.round(t / GRID) + f,
        i = Math.floor(s),
        part = s - i;
      wind.at(s * GRID, X, w);
      for (let a = 0; a < 3; a++) {
        const want = [1, -2, 0.5][a] + (1 - part) * out[3 * i + a] + part * out[3 * i + 3 + a];
        close(w[a], want, 1e-9, `at ${s * GRID}`);
        most = Math.max(most, Math.abs(out[3 * i + a]));
      }
    }
  }
  expect(most > 1, "no gust").toBe(true);
});
it("barometer: ISO 2533 by geometric altitude, 10 km: 26499.9 Pa, 223.252 K", () => {
  const s = simulate(
    {
      home: { latitude: 47, longitude: 8, altitude: 0 },
      initial: { altitude: 10_000 },
      sensors: { barometer: { noise: 0 } },
    },
    preset("iris"),
  );
  close(channel(s, "baro_pressure"), 26499.9, 1e-5);
  close(channel(s, "baro_temperature"), 223.252, 1e-5);
  close(channel(s, "baro_altitude"), 9984.29, 1e-5);
});
it("scale acts on what is measured, not on the bias: (1 + s) x + b", () => {
  const s = simulate(
    {
      initial: { altitude: 50, p: 2 },
      sensors: { gyro: { noise: [0, 0, 0], scale: [0.01, 0, 0], bias: [0.5, 0, 0] } },
    },
    preset("iris"),
  );
  close(channel(s, "gyro_x"), 2 * 1.01 + 0.5, 1e-12);
});
it("a wandering bias is stationary from its first sample", () => {
  const n = 4000;
  let sum = 0,
    mean = 0;
  for (let seed = 0; seed < n; seed++) {
    const sensor = makeSensor(
      {
        name: "s",
        fields: [],
        axes: ["a"],
        errors: { noise: [0], bias: [0], wander: { sigma: [0.3], tau: 50 } },
        faulty: { noise: [1], bias: 1 },
        measure(_t, out) {
          out[0] = 0;
        },
      },
      seed,
      0.01,
      [],
      0,
    );
    const z = new Float64Array(1);
    sensor.sample(0, { t: 0 } as never, z);
    sum += z[0] * z[0];
    mean += z[0];
  }
  close(sum / n / 0.09, 1, 5 * Math.sqrt(2 / n), "variance");
  close(mean / n / 0.3, 0, 5 / Math.sqrt(n), "mean");
});
it("tilted ground effect: at the hub's height, along the ground's normal, as much as the thrust meets it", () => {
  const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] } as const;
  const [ax, len] = [[0.3, -0.2, -1], Math.sqrt(1.13)],
    hub_B = [0.2, 0.15, -0.05];
  const vehicle = aircraftOf({ ...BALL, rotors: [{ ...ROTOR, radius: 0.1, axis: ax, position: hub_B }] });
  for (const [roll, pitch, yaw] of [
    [0.4, -0.3, 1.1],
    [-0.5, 0.2, -2],
  ]) {
    const state = { ...q(roll, pitch, yaw), down: -0.25, rotor_1: 1000 };
    const { y } = evaluate(vehicle, state, {}, { boundaries: [ground] });
    // Down component of a body vector: (-sin pitch, sin roll cos pitch, cos roll cos pitch).
    const down = (v: number[]) =>
      -Math.sin(pitch) * v[0] +
      Math.sin(roll) * Math.cos(pitch) * v[1] +
      Math.cos(roll) * Math.cos(pitch) * v[2];
    const z = 0.25 - down(hub_B),
      T = 10;
    const taper = z < 0.4 ? 1 : z > 0.5 ? 0 : ((s) => s * s * (3 - 2 * s))(5 - z / 0.1);
    const up = taper * (1 + z / 0.1) ** -1.5 * T * (-down(ax) / len);
    const Q = Float64Array.of(state.q_w, state.q_x, state.q_y, state.q_z),
      F = Float64Array.of(y.force_boundary_1_x, y.force_boundary_1_y, y.force_boundary_1_z),
      W = new Float64Array(3);
    toWorld(Q, 0, F, 0, W, 0);
    expect(up > 0.3, `too far: ${up} at ${z}`).toBe(true);
    close(W[0], 0, 1e-12, "north");
    close(W[1], 0, 1e-12, "east");
    close(W[2], -up, 1e-12, "down");
    const M = [1, 2, 0].map((i, k) => hub_B[i] * F[[2, 0, 1][k]] - hub_B[[2, 0, 1][k]] * F[i]);
    ["x", "y", "z"].forEach((a, k) => {
      close(y[`moment_boundary_1_${a}`], M[k], 1e-12, `moment ${a}`);
    });
    // And it moves the whole: with the effect less without it.
    const none = evaluate(vehicle, state, {}, { boundaries: [] });
    const w = evaluate(vehicle, state, {}, { boundaries: [ground] });
    close(w.dx.v_down - none.dx.v_down, -up / 2, 1e-12, "acceleration");
    close(w.dx.v_north - none.dx.v_north, 0, 1e-12, "no push aside");
    close(w.dx.p - none.dx.p, M[0] / 0.02, 1e-11, "turns");
  }
});
