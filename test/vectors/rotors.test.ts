import { describe, expect, it } from "vitest";
import { dopri5 } from "../../src/integrators/dopri5.ts";
import { lagAcceleration } from "../../src/parts/motor.ts";
import { gazeboConstants, staticCoefficients } from "../../src/parts/propeller-constants.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { aircraftOf, BALL, evaluate, vectorOf } from "../support/aircraft.ts";
import { describeWithShared, readShared } from "../support/shared.ts";

const close = (actual: number, expected: number, what: string) =>
  expect(Math.abs(actual - expected), what).toBeLessThan(1e-10 * Math.max(1, Math.abs(expected)));
/** Components in body axes (forward, right, down) from a link's (forward, left, up), and back. */
const FLU = ([x, y, z]: readonly number[]) => [x, -y, -z];

interface Loads {
  readonly thrust_z: number;
  readonly H_force: readonly number[];
  readonly drag_torque_z: number;
  readonly rolling_moment: readonly number[];
}
interface MotorCase {
  readonly vehicle: string;
  readonly turning: string;
  readonly omega: number;
  readonly v_rel_link_FLU: readonly number[];
  readonly params: { readonly mc: number; readonly mom: number; readonly lam: number; readonly mu: number };
  readonly classic: Loads;
  readonly gz_sim: Loads;
}

describeWithShared("vectors/gazebo-motor.json", () => {
  const file = readShared("vectors/gazebo-motor.json");
  for (const law of ["gazebo-classic", "gz"] as const)
    file.cases.forEach((c: MotorCase, i: number) => {
      it(`${law}, case ${i}: ${c.vehicle} ${c.turning} at ${c.omega} rad/s in ${c.v_rel_link_FLU}`, () => {
        const rotor = {
          law,
          position: [0, 0, 0],
          direction: c.turning,
          motorConstant: c.params.mc,
          momentConstant: c.params.mom,
          rotorDragCoefficient: c.params.lam,
          rollingMomentCoefficient: c.params.mu,
          maxRotVelocity: 1e4,
        };
        const [vx, vy, vz] = FLU(c.v_rel_link_FLU);
        const { y } = evaluate(aircraftOf({ ...BALL, rotors: [rotor] }), {
          v_north: vx,
          v_east: vy,
          v_down: vz,
          q_w: 1,
          rotor_1: c.omega,
        });
        const expected = law === "gz" ? c.gz_sim : c.classic;
        const thrust = expected.thrust_z;
        close(y.thrust_1, thrust, "thrust");
        const force = FLU(vectorOf(y, "force_rotor_1"));
        [0, 0, thrust].forEach((t, axis) => {
          close(force[axis], t + expected.H_force[axis], `force ${axis}`);
        });
        const moment = FLU(vectorOf(y, "moment_rotor_1"));
        [0, 0, expected.drag_torque_z].forEach((q, axis) => {
          close(moment[axis], q + expected.rolling_moment[axis], `moment ${axis}`);
        });
      });
    });

  it("the lag is Gazebo's filter, which is exact for a held command", () => {
    const { dt, tauUp, tauDown, output } = file.filter;
    const x = new Float64Array(1);
    const integrator = dopri5(1, { relative: 1e-13, absolute: 1e-13 });
    output.forEach((expected: number, n: number) => {
      const command = n < 25 ? 700 : 300;
      for (let t = 0; t < dt - 1e-15; )
        t += integrator.step(
          (_t, s, dx) => {
            dx[0] = lagAcceleration(1 / tauUp, 1 / tauDown, s[0], command);
          },
          t,
          dt - t,
          x,
        );
      close(x[0], expected, `step ${n}`);
    });
  });

  it("propeller coefficients and Gazebo's constants, both ways", () => {
    for (const [name, CT, CP, rho, D] of [
      ["intel_aero", 0.11, 0.051, 1.22, 0.23],
      ["generic", 0.1, 0.05, 1.225, 0.254],
    ] as const) {
      const expected = file.propeller_examples[name];
      const constants = gazeboConstants({ CT, CP }, D, rho);
      expect(constants.motorConstant / expected.motorConstant).toBeCloseTo(1, 10);
      expect(constants.momentConstant / expected.momentConstant).toBeCloseTo(1, 10);
      const back = staticCoefficients(constants, D, rho);
      expect(back.CT).toBeCloseTo(CT, 12);
      expect(back.CP).toBeCloseTo(CP, 12);
    }
    // The document multiplies by 2 pi where it must divide.
    const right = gazeboConstants({ CT: 0.11, CP: 0.051 }, 0.23, 1.22).momentConstant;
    expect(file.propeller_examples.seed_wrong.momentConstant / right).toBeCloseTo(4 * Math.PI * Math.PI, 8);
  });
});

describeWithShared("rotors with electric motors in vectors/boundary-and-rotor.json", () => {
  const file = readShared("vectors/boundary-and-rotor.json");
  const electric = (c: Record<string, number>, position = [0, 0, 0], direction = "ccw") => ({
    position,
    direction,
    motorConstant: c.Ct,
    momentConstant: c.Cq / c.Ct,
    maxRelativeAirspeed: Number.POSITIVE_INFINITY,
    inertia: c.J,
    motor: { R: c.R, K: c.K, D: c.D },
  });
  file.rotor.forEach((c: Record<string, number>, i: number) => {
    it(`case ${i}: duty ${c.duty} at ${c.omega} rad/s`, () => {
      const vehicle = aircraftOf({
        ...BALL,
        rotors: [electric(c)],
        battery: { capacity: 1, used: [0, 1], voltage: [c.Vbat, c.Vbat] },
      });
      const { dx, y } = evaluate(vehicle, { q_w: 1, rotor_1: c.omega }, { rotor_1_cmd: c.duty });
      close(dx.rotor_1, c.omega_dot, "acceleration");
      close(y.current_1, c.current, "current");
      close(y.thrust_1, c.thrust, "thrust");
      close(y.moment_rotor_1_z, c.anti_torque_ccw1, "anti-torque");
    });
  });

  it("the torque of four rotors, their spinning up included", () => {
    const c = file.body_torque;
    // Rotors without lag keep their speed; a lag of one second makes the wanted acceleration.
    const rotors = c.positions.map(([x, y, z]: number[], k: number) => ({
      position: [x, y, z ?? 0],
      direction: c.ccw[k] > 0 ? "ccw" : "cw",
      motorConstant: c.Ct,
      momentConstant: c.Cq / c.Ct,
      maxRelativeAirspeed: Number.POSITIVE_INFINITY,
      inertia: c.Jr,
      maxRotVelocity: 1e4,
      timeConstantUp: 1,
      timeConstantDown: 1,
    }));
    const named = (name: (k: number) => string, values: readonly number[]) =>
      Object.fromEntries(values.map((v, k) => [name(k + 1), v]));
    const { y } = evaluate(
      aircraftOf({ ...BALL, rotors }),
      { q_w: 1, ...named((k) => `rotor_${k}`, c.omega) },
      named(
        (k) => `rotor_${k}_cmd`,
        c.omega.map((w: number, k: number) => w + c.omega_dot[k]),
      ),
    );
    close(-y.force_z, c.thrust, "thrust");
    vectorOf(y, "moment").forEach((m, axis) => {
      close(m, c.torque[axis], `torque ${axis}`);
    });
  });
});

describe("numbers a release must hold (physics.md 002)", () => {
  it("the Intel Aero: 9.51e-6 kg m and 0.0170 m", () => {
    const { motorConstant, momentConstant } = gazeboConstants({ CT: 0.11, CP: 0.051 }, 0.23, 1.22);
    expect(motorConstant).toBeCloseTo(9.5127e-6, 10);
    expect(momentConstant).toBeCloseTo(0.016972, 6);
  });
  it("at its hover speed a preset neither climbs nor sinks", () => {
    for (const [name, speed] of [
      ["iris", 802.883022152215],
      ["x500", 769.5639822828385],
    ] as const) {
      const states = Object.fromEntries([1, 2, 3, 4].map((k) => [`rotor_${k}`, speed]));
      const { dx } = evaluate(preset(name), { q_w: 1, down: -100, ...states });
      expect(Math.abs(dx.v_down), name).toBeLessThan(1e-8);
    }
  });
});
