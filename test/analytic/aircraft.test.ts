import { describe, expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, BALL, evaluate, ROTOR } from "../support/aircraft.ts";
import { simulate } from "../support/simulate.ts";

const OPEN = { boundaries: [] };
const TIGHT = { integrator: "dopri5", tolerance: { relative: 1e-12, absolute: 1e-12 } };
const at = (s: ReturnType<typeof simulate>, name: string) =>
  s.sample()[s.channels.findIndex((c) => c.name === name)];
function flyTo(words: Record<string, unknown>, vehicle: ReturnType<typeof aircraftOf>, duration: number) {
  const s = simulate({ ...OPEN, ...TIGHT, ...words }, vehicle);
  for (let n = 0; !s.finished && s.t < duration - 1e-9 && n < 1e6; n++) s.step(duration);
  return s;
}

describe("an aircraft without rotors is a rigid body", () => {
  const TENSOR = { xx: 0.02, yy: 0.03, zz: 0.04, xy: 0.002, xz: -0.003, yz: 0.001 };

  it("falls freely: v = g t, h = g t^2 / 2", () => {
    const s = flyTo({ initial: { altitude: 100, v_north: 3 } }, aircraftOf(BALL), 2);
    expect(at(s, "v_down")).toBeCloseTo(19.62, 10);
    expect(at(s, "altitude")).toBeCloseTo(100 - 19.62, 9);
    expect(at(s, "north")).toBeCloseTo(6, 10);
  });

  it("turns without torque so that energy and angular momentum in space stay, full tensor", () => {
    const vehicle = aircraftOf({ m: 2, g: 0, I: TENSOR });
    const momentum = (s: ReturnType<typeof simulate>) => {
      const [p, q, r] = ["p", "q", "r"].map((n) => at(s, n));
      const I = TENSOR;
      const L = [
        I.xx * p + I.xy * q + I.xz * r,
        I.xy * p + I.yy * q + I.yz * r,
        I.xz * p + I.yz * q + I.zz * r,
      ];
      const [w, x, y, z] = ["q_w", "q_x", "q_y", "q_z"].map((n) => at(s, n));
      // Written out by hand, not with the code's own rotation.
      return {
        energy: 0.5 * (p * L[0] + q * L[1] + r * L[2]),
        L_N: [
          (1 - 2 * (y * y + z * z)) * L[0] + 2 * (x * y - w * z) * L[1] + 2 * (x * z + w * y) * L[2],
          2 * (x * y + w * z) * L[0] + (1 - 2 * (x * x + z * z)) * L[1] + 2 * (y * z - w * x) * L[2],
          2 * (x * z - w * y) * L[0] + 2 * (y * z + w * x) * L[1] + (1 - 2 * (x * x + y * y)) * L[2],
        ],
      };
    };
    const initial = { p: 3, q: -2, r: 1, altitude: 100 };
    const before = momentum(simulate({ ...OPEN, ...TIGHT, initial }, vehicle));
    const after = momentum(flyTo({ initial }, vehicle, 20));
    expect(after.energy / before.energy).toBeCloseTo(1, 9);
    after.L_N.forEach((L, i) => {
      expect(L).toBeCloseTo(before.L_N[i], 10);
    });
  });

  it("falls at terminal velocity where drag carries the weight", () => {
    const quadratic = flyTo({ initial: { altitude: 1e4 } }, aircraftOf({ ...BALL, drag2: [0, 0, 0.1] }), 60);
    expect(at(quadratic, "v_down")).toBeCloseTo(Math.sqrt((2 * 9.81) / 0.1), 8);
    const area = flyTo({ initial: { altitude: 1e4 } }, aircraftOf({ ...BALL, CdA: [0.1, 0.1, 0.2] }), 60);
    expect(at(area, "v_down")).toBeCloseTo(Math.sqrt((2 * 2 * 9.81) / (1.225 * 0.2)), 8);
    const linear = flyTo({ initial: { altitude: 1e4 } }, aircraftOf({ ...BALL, drag1: [0, 0, 2] }), 60);
    expect(at(linear, "v_down")).toBeCloseTo((2 * 9.81) / 2, 8);
    // On the way there: v = v_t tanh(g t / v_t).
    const early = flyTo({ initial: { altitude: 1e4 } }, aircraftOf({ ...BALL, drag2: [0, 0, 0.1] }), 1);
    const terminal = Math.sqrt((2 * 9.81) / 0.1);
    expect(at(early, "v_down")).toBeCloseTo(terminal * Math.tanh(9.81 / terminal), 9);
  });

  it("thin air takes drag and thrust in proportion", () => {
    const vehicle = aircraftOf({ ...BALL, drag1: [1, 1, 1], CdA: [0.1, 0.1, 0.1], rotors: [ROTOR] });
    const states = { q_w: 1, v_north: 5, v_down: 2, rotor_1: 500 };
    const full = evaluate(vehicle, states).y;
    const half = evaluate(vehicle, states, {}, { ratio: 0.5 }).y;
    for (const name of ["force_drag_x", "force_drag_z", "thrust_1", "torque_1"])
      expect(half[name] / full[name], name).toBeCloseTo(0.5, 12);
  });
});

describe("energy and power of rotors", () => {
  it("the energy of a climbing aircraft grows by the work of its thrust", () => {
    // One rotor above the centre of mass, no drag: d(E)/dt = T v exactly.
    const vehicle = aircraftOf({
      ...BALL,
      rotors: [{ ...ROTOR, maxRelativeAirspeed: Number.POSITIVE_INFINITY, momentConstant: 0 }],
    });
    const thrust = 1e-5 * 1600 * 1600;
    const words = {
      initial: { altitude: 10, rotor_1: 1600 },
      inputs: [{ t: 0, rotor_1_cmd: 1600 }],
    };
    const s = flyTo(words, vehicle, 3);
    const risen = at(s, "altitude") - 10;
    const kinetic = 0.5 * 2 * at(s, "v_down") ** 2;
    expect(kinetic + 2 * 9.81 * risen).toBeCloseTo(thrust * risen, 8);
    expect(risen).toBeCloseTo(0.5 * (thrust / 2 - 9.81) * 9, 8);
  });

  it("shaft power is torque times speed; a propeller's is C_P rho n^3 D^5", () => {
    const propeller = { diameter: 0.25, J: [0, 0.4, 0.8], CT: [0.1, 0.07, 0], CP: [0.05, 0.045, 0.02] };
    const vehicle = aircraftOf({
      ...BALL,
      rotors: [{ ...ROTOR, law: "propeller", propeller }, ROTOR],
    });
    const n = 80;
    const { y } = evaluate(vehicle, {
      q_w: 1,
      rotor_1: 2 * Math.PI * n,
      rotor_2: 500,
      v_down: -0.4 * n * 0.25,
    });
    expect(y.advance_ratio_1).toBeCloseTo(0.4, 12);
    expect(y.power_1).toBeCloseTo(0.045 * 1.225 * n ** 3 * 0.25 ** 5, 10);
    expect(y.thrust_1).toBeCloseTo(0.07 * 1.225 * n ** 2 * 0.25 ** 4, 10);
    for (const k of [1, 2])
      expect(y[`power_${k}`]).toBeCloseTo(y[`torque_${k}`] * (k === 1 ? 2 * Math.PI * n : 500), 10);
    expect(y.power).toBeCloseTo(y.power_1 + y.power_2, 12);
  });

  it("what a battery gives is heat, friction, aerodynamic power and spinning up", () => {
    const vehicle = preset("hakoniwa");
    const omegas = [100, 120, 140, 160];
    const duty = [0.1, 0.2, 0.3, 0.4];
    const { dx, y } = evaluate(
      vehicle,
      { q_w: 1, down: -5, ...Object.fromEntries(omegas.map((w, k) => [`rotor_${k + 1}`, w])) },
      Object.fromEntries(duty.map((d, k) => [`rotor_${k + 1}_cmd`, d])),
    );
    const { R } = { R: 0.115 };
    const spent = omegas.reduce(
      (sum, w, k) =>
        sum + y[`current_${k + 1}`] ** 2 * R + (y[`torque_${k + 1}`] + 4e-4 * dx[`rotor_${k + 1}`]) * w,
      0,
    );
    expect(y.battery_voltage * y.battery_current).toBeCloseTo(spent, 9);
    expect(y.battery_voltage).toBeCloseTo(14.8 - 0.01 * y.battery_current, 10);
    expect(dx.battery_used).toBe(y.battery_current);
  });

  it("a spinning rotor keeps the angular momentum of the whole", () => {
    // Hardly any air force; the rotor speeds up while the body turns: I w + h stays in space.
    const J = 1e-3;
    const rotor = {
      ...ROTOR,
      motorConstant: 1e-30,
      inertia: J,
      axis: [1, 0, -2],
      timeConstantUp: 0.5,
      timeConstantDown: 0.5,
    };
    const vehicle = aircraftOf({ m: 2, g: 0, I: { xx: 0.02, yy: 0.03, zz: 0.04 }, rotors: [rotor] });
    const whole = (s: ReturnType<typeof simulate>) => {
      const h = J * at(s, "rotor_1");
      const L = [
        0.02 * at(s, "p") + h / Math.sqrt(5),
        0.03 * at(s, "q"),
        0.04 * at(s, "r") - (2 * h) / Math.sqrt(5),
      ];
      return Math.hypot(...L);
    };
    const words = {
      initial: { altitude: 100, p: 1, q: 2, r: -1, rotor_1: 50 },
      inputs: [{ t: 0, rotor_1_cmd: 400 }],
    };
    const before = whole(simulate({ ...OPEN, ...TIGHT, ...words }, vehicle));
    expect(whole(flyTo(words, vehicle, 3))).toBeCloseTo(before, 9);
  });
});

describe("the propeller law", () => {
  const propeller = { diameter: 0.25, J: [0.1, 0.4, 0.8], CT: [0.1, 0.07, 0.01], CP: [0.05, 0.045, 0.02] };
  const vehicle = (more = {}) =>
    aircraftOf({ ...BALL, rotors: [{ ...ROTOR, law: "propeller", propeller: { ...propeller, ...more } }] });
  const thrustAt = (J: number, more = {}) => {
    const n = 100;
    const { y } = evaluate(vehicle(more), { q_w: 1, rotor_1: 2 * Math.PI * n, v_down: -J * n * 0.25 });
    return { CT: y.thrust_1 / (1.225 * n * n * 0.25 ** 4), beyond: y.beyond_table_1 };
  };
  it("backwards it is the static rotor", () => {
    expect(thrustAt(-0.5).CT).toBeCloseTo(0.1, 12);
  });
  it("beyond the table it goes straight on or holds, as declared, and says so", () => {
    const slope = (thrustAt(0.8).CT - thrustAt(0.8 - 1e-6).CT) / 1e-6;
    expect(slope).toBeLessThan(0);
    expect(thrustAt(1).CT).toBeCloseTo(0.01 + 0.2 * slope, 5);
    expect(thrustAt(1, { extrapolation: "hold" }).CT).toBeCloseTo(0.01, 12);
    expect(thrustAt(1).beyond).toBeCloseTo(0.2, 10);
    expect(thrustAt(0.05).beyond).toBeCloseTo(-0.05, 10);
    expect(thrustAt(0.5).beyond).toBe(0);
  });
  it("a stopped propeller makes nothing, in any wind", () => {
    const { y } = evaluate(vehicle(), { q_w: 1, v_down: -20 });
    expect(y.thrust_1).toBe(0);
    expect(y.torque_1).toBe(0);
  });
});
