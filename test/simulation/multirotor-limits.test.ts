import { describe, expect, it } from "vitest";
import { estimator } from "../../src/control/estimator.ts";
import { createSensors } from "../../src/sensors/sensors.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, BALL, evaluate, ROTOR } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

type Run = ReturnType<typeof simulate>;
const at = (s: Run, name: string) => s.sample()[s.channels.findIndex((c) => c.name === name)];
function flyTo(s: Run, t: number): Run {
  for (let n = 0; !s.finished && s.t < t - 1e-9 && n < 1e6; n++) s.step(t);
  return s;
}

describe("landing", () => {
  for (const [name, control_dt, wind] of [
    ["iris", 0.1, {}],
    ["x500", 0.1, {}],
    ["hakoniwa", 0.02, { dryden: { turbulence: "moderate", height: 20, airspeed: 5 } }],
    ["typhoon-h480", 0.05, { dryden: { turbulence: "light", height: 20, airspeed: 5 } }],
  ] as const)
    it(`${name}, commands every ${control_dt} s: rotors stop on the ground and not before`, () => {
      const s = simulate(
        {
          control_dt,
          wind,
          pilot: [
            { t: 0, hold: { altitude: 20, yaw: 0 } },
            { t: 60, land: true },
          ],
        },
        preset(name),
      );
      const { altitude: parked } = preset(name).initial;
      let fastest = 0;
      for (let n = 0; s.t < 240 && !(s.t > 70 && s.u[0] === 0) && n < 1e6; n++) {
        s.step();
        if (s.t > 62) fastest = Math.max(fastest, at(s, "v_down"));
      }
      expect(at(s, "altitude") - parked).toBeLessThan(0.05);
      expect(fastest).toBeLessThan(1.5);
    });
  it("from a fast climb it turns round and lands", () => {
    const s = simulate(
      {
        control_dt: 0.01,
        pilot: [
          { t: 1, velocity: { up: 10 } },
          { t: 4, land: true },
        ],
      },
      preset("iris"),
    );
    flyTo(s, 5);
    const highest = at(s, "altitude");
    expect(highest).toBeGreaterThan(10);
    for (let n = 0; s.u[0] > 0 && s.t < 200 && n < 1e6; n++) s.step();
    expect(at(s, "altitude")).toBeLessThan(0.1);
  });
});

it("a minute of pushing into the ground does not delay the next take-off", () => {
  const s = simulate(
    {
      control_dt: 0.01,
      pilot: [
        { t: 0, velocity: { up: -1 } },
        { t: 60, hold: { altitude: 5 } },
      ],
    },
    preset("x500"),
  );
  flyTo(s, 63);
  expect(at(s, "altitude")).toBeGreaterThan(0.5);
});

it("a quadrotor that loses a rotor comes down; the run goes on", () => {
  const s = simulate(
    { control_dt: 0.01, pilot: [{ t: 0, hold: { altitude: 5 } }], faults: [{ t: 8, rotor_1: 0 }] },
    preset("iris"),
  );
  flyTo(s, 20);
  expect(s.t).toBeCloseTo(20, 9);
  expect(at(s, "altitude")).toBeLessThan(1);
});

it("a fault that heals is forgotten", () => {
  const s = simulate(
    {
      control_dt: 0.01,
      pilot: [{ t: 0, hold: { altitude: 10, yaw: 0 } }],
      faults: [
        { t: 10, rotor_1: 0.7 },
        { t: 12, rotor_1: 1 },
      ],
    },
    preset("iris"),
  );
  flyTo(s, 11.5);
  expect(at(s, "rotor_1_health")).toBe(0.7);
  // The allocation knows: a rotor of 70 % turns faster by 1/sqrt(0.7).
  expect(at(s, "rotor_1") / at(s, "rotor_2")).toBeCloseTo(1 / Math.sqrt(0.7), 1);
  flyTo(s, 40);
  expect(at(s, "rotor_1") / 802.883).toBeCloseTo(1, 3);
});

it("an empty battery brings the vehicle down, and the run says so", () => {
  const s = simulate(
    { control_dt: 0.01, parameters: { battery: { capacity: 60 } }, pilot: [{ t: 0, hold: { altitude: 5 } }] },
    preset("hakoniwa"),
  );
  flyTo(s, 20);
  expect(at(s, "altitude")).toBeCloseTo(5, 0);
  flyTo(s, 90);
  expect(at(s, "altitude")).toBeLessThan(0.2);
  expect(at(s, "battery_overdrawn")).toBeGreaterThan(0);
  expect(at(s, "battery_voltage")).toBeLessThan(1);
});

it("planes stop the vehicle whichever is nearest when the tick begins", () => {
  const wall = { kind: "wall", point: [5, 0, 0], normal: [-1, 0, 0] };
  const s = simulate(
    {
      control_dt: 0.1,
      boundaries: [{ kind: "ground" }, wall],
      parameters: { g: 0 },
      initial: { altitude: 1, v_north: 20 },
    },
    preset("iris"),
  );
  flyTo(s, 2);
  expect(at(s, "north")).toBeLessThan(5);
});

describe("what the pilot refuses to fly", () => {
  const quad = ({ rotor, ...more }: Record<string, unknown>, directions = ["ccw", "ccw", "cw", "cw"]) =>
    aircraftOf({
      ...BALL,
      ...more,
      rotors: [
        [1, 1],
        [-1, -1],
        [1, -1],
        [-1, 1],
      ].map(([x, y], k) => ({
        ...ROTOR,
        maxRotVelocity: 1000,
        position: [0.2 * x, 0.2 * y, 0],
        direction: directions[k],
        ...(rotor as object),
      })),
    });
  const fly = (vehicle: ReturnType<typeof aircraftOf>) =>
    simulate({ initial: { altitude: 5 }, pilot: [{ t: 0, hold: true }] }, vehicle);
  it("too heavy, no weight, thrust downward, one turning the wrong way", () => {
    expect(() => fly(quad({}))).not.toThrow();
    expect(() => fly(quad({ m: 5 }))).toThrow(/lift at most 40.0 N and it weighs 49.1 N/);
    expect(() => fly(quad({ g: 0 }))).toThrow(/no weight/);
    expect(() => fly(quad({ rotor: { axis: [0, 0, 1] } }))).toThrow(/lift at most -/);
    expect(() => fly(quad({}, ["cw", "ccw", "cw", "cw"]))).toThrow(
      /rotor \d would have to stand still|cannot balance yaw/,
    );
    expect(() => fly(quad({ rotor: { installation: 0 } }))).toThrow(/no thrust at rest/);
  });
  it("steps too long for contacts on a light body, or for its drag", () => {
    const heavy = aircraftOf({
      ...BALL,
      m: 10,
      contacts: [{ position: [0.3, 0.3, 0.1] }, { position: [-0.3, -0.3, 0.1] }],
    });
    expect(() => simulate({ initial: { altitude: 5 } }, heavy)).toThrow(
      /dt: steps of 0.005 s are too long for the time constant of the contacts/,
    );
    expect(() => simulate({ initial: { altitude: 5 } }, aircraftOf({ ...BALL, drag1: [1e4, 0, 0] }))).toThrow(
      /m\/drag1/,
    );
  });
});

describe("the observer", () => {
  const vehicle = preset("iris");
  const spec = { noise: [0, 0, 0], bias: [0, 0, 0] } as const;
  const field = [2e-5, 0.5e-5, 4e-5] as const;
  const make = (bias: readonly [number, number, number]) =>
    createSensors(
      vehicle.model,
      {
        position: spec,
        velocity: spec,
        accelerometer: spec,
        gyro: { ...spec, bias },
        magnetometer: { ...spec, field },
      },
      { seed: 1, interval: 0.01, parameters: vehicle.parameters },
    );
  it("finds attitude and gyro bias of a tilted vehicle at rest, heading south-east", () => {
    const s = simulate({ initial: { altitude: 50, roll: 0.2, pitch: -0.1, yaw: 2 } }, vehicle);
    const sensors = make([0.02, -0.03, 0.01]);
    const z = new Float64Array(sensors.fields.length);
    // As if held still: specific force is minus gravity in body axes.
    const y = s.y.slice();
    const i = vehicle.model.outputs.findIndex((f) => f.name === "specific_force_x");
    const [w, a, b, c] = s.x.subarray(6, 10);
    y[i] = -9.81 * 2 * (a * c - w * b);
    y[i + 1] = -9.81 * 2 * (b * c + w * a);
    y[i + 2] = -9.81 * (1 - 2 * (a * a + b * b));
    const eyes = estimator(sensors.fields, 9.81, field, 0.01);
    let nav = new Float64Array(13);
    for (let k = 0; k < 6000; k++) {
      sensors.sample(k, 0.01 * k, s.x, y, s.e, z);
      nav = eyes.update(z) as Float64Array<ArrayBuffer>;
      if (k === 0) for (let n = 6; n < 10; n++) expect(nav[n]).toBeCloseTo(s.x[n], 2);
    }
    for (let n = 0; n < 10; n++) expect(nav[n], `component ${n}`).toBeCloseTo(s.x[n], 2);
    for (let n = 10; n < 13; n++) expect(nav[n], `rate ${n}`).toBeCloseTo(0, 2);
  });
});

describe("parts of the rotor laws", () => {
  const propeller = { diameter: 0.25, J: [0, 0.5], CT: [0.1, 0.05], CP: [0.05, 0.04] };
  const states = { q_w: 1, rotor_1: 500 };
  for (const law of ["gazebo-classic", "gz", "propeller"])
    it(`${law}: installation takes its part of thrust and body torque, not of the shaft's; health of all; density of all`, () => {
      const make = (installation: number) =>
        aircraftOf({ ...BALL, rotors: [{ ...ROTOR, law, propeller, installation }] });
      const whole = evaluate(make(1), states).y;
      const part = evaluate(make(0.6), states).y;
      expect(part.thrust_1 / whole.thrust_1).toBeCloseTo(0.6, 12);
      expect(part.moment_rotor_1_z / whole.moment_rotor_1_z).toBeCloseTo(0.6, 12);
      expect(part.torque_1).toBeCloseTo(whole.torque_1, 12);
      const sick = evaluate(make(1), states, { rotor_1_health: 0.3 }).y;
      const thin = evaluate(make(1), states, {}, { ratio: 0.3 }).y;
      for (const name of ["thrust_1", "torque_1", "moment_rotor_1_z"])
        for (const y of [sick, thin]) expect(y[name] / whole[name], name).toBeCloseTo(0.3, 12);
    });
  it("a propeller that runs down in the wind stays finite", () => {
    const vehicle = aircraftOf({ ...BALL, rotors: [{ ...ROTOR, law: "propeller", propeller }] });
    for (const omega of [1e-310, 1e-200, 1e-6, 0.5]) {
      const { y, dx } = evaluate(vehicle, { q_w: 1, v_down: -20, rotor_1: omega });
      expect(y.thrust_1 + y.torque_1 + y.advance_ratio_1, String(omega)).toBe(0);
      expect(Number.isFinite(dx.v_down)).toBe(true);
    }
  });
  it("friction slows an electric motor", () => {
    const electric = (D: number) =>
      aircraftOf({
        ...BALL,
        rotors: [
          {
            position: [0, 0, 0],
            direction: "ccw",
            motorConstant: 1e-5,
            momentConstant: 0.02,
            inertia: 1e-4,
            motor: { R: 0.1, K: 0.01, D },
          },
        ],
        battery: { capacity: 1, used: [0, 1], voltage: [12, 11] },
      });
    const spin = (D: number) =>
      evaluate(electric(D), { q_w: 1, rotor_1: 300 }, { rotor_1_cmd: 0.5 }).dx.rotor_1;
    expect(spin(0) - spin(1e-5)).toBeCloseTo((1e-5 * 300) / 1e-4, 6);
  });
  it("as a wind, in thin air, the boundary's force is still what the formula says", () => {
    const rotor = { ...ROTOR, radius: 0.1 };
    const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] } as const;
    const push = (law: string) =>
      evaluate(
        aircraftOf({ ...BALL, drag1: [0.5, 0.5, 0.5], boundary: { law }, rotors: [rotor] }),
        { q_w: 1, down: -0.2, rotor_1: 1000 },
        {},
        { ratio: 0.5, boundaries: [ground] },
      ).y;
    expect(push("wind").force_drag_z).toBeCloseTo(push("normal").force_boundary_1_z, 12);
  });
  it("Cheeseman and Bennett: walls do nothing, and do not hide the ground", () => {
    const rotor = { ...ROTOR, radius: 0.1 };
    const ground = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1] } as const;
    const wall = { name: "wall", point: [0.1, 0, 0], normal: [-1, 0, 0] } as const;
    const vehicle = aircraftOf({ ...BALL, boundary: { law: "cheeseman-bennett" }, rotors: [rotor] });
    const lift = (boundaries: readonly (typeof ground | typeof wall)[]) =>
      evaluate(
        vehicle,
        { q_w: Math.cos(0.2), q_y: -Math.sin(0.2), down: -0.2, rotor_1: 1000 },
        {},
        { boundaries },
      ).y.force_boundary_1_z;
    expect(lift([wall])).toBeCloseTo(0, 15);
    expect(lift([ground, wall])).toBeCloseTo(lift([ground]), 15);
    expect(lift([ground])).toBeLessThan(0);
  });
  it("beside a rectangle's edge there is no ground effect", () => {
    const pad = { name: "ground", point: [0, 0, 0], normal: [0, 0, -1], size: [2, 6] } as const;
    const vehicle = aircraftOf({ ...BALL, rotors: [{ ...ROTOR, radius: 0.1 }] });
    const lift = (north: number, east: number) =>
      -evaluate(vehicle, { q_w: 1, north, east, down: -0.2, rotor_1: 1000 }, {}, { boundaries: [pad] }).y
        .force_boundary_1_z;
    expect(lift(0.9, 2.9)).toBeGreaterThan(1);
    expect(lift(1.1, 0)).toBeCloseTo(0, 15);
    expect(lift(0, 3.1)).toBeCloseTo(0, 15);
  });
});
