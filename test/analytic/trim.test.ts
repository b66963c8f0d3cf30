/** Steady motion against what can be worked out by hand. */
import { describe, expect, it } from "vitest";
import { flightNumbers, stallMargin } from "../../src/analysis/flight-numbers.ts";
import { controlMargin } from "../../src/analysis/sweep.ts";
import type { Condition } from "../../src/analysis/trim.ts";
import { diagnose } from "../../src/analysis/trim-diagnosis.ts";
import { findTrim } from "../../src/analysis/trim-search.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../../src/vehicles/vehicle.ts";

const plane = preset("advanced-plane");
const value = (found: ReturnType<typeof findTrim>, name: string) =>
  found.controls.find((c) => c.control.name === name)?.value as number;
/** Whatever was asked, nothing accelerates. */
const steady = (vehicle: Vehicle, condition: Condition = {}, held = {}) => {
  const found = findTrim(vehicle, condition, held);
  expect(found.residual).toBeLessThan(1e-10);
  return found;
};

describe("trims against hand calculation", () => {
  it("x500 and iris hover: four rotors carry the weight, speeds as published", () => {
    // physics.md: iris hovers at 802.88 rad/s with 1.535 kg. x500: sqrt(m g/4k).
    const iris = steady(preset("iris"));
    for (const k of [1, 2, 3, 4]) expect(value(iris, `rotor_${k}`)).toBeCloseTo(802.88, 2);
    const x500 = preset("x500");
    const { m, g, rotors } = x500.parameters as {
      m: number;
      g: number;
      rotors: Record<number, { motorConstant: number }>;
    };
    const found = steady(x500);
    for (const k of [1, 2, 3, 4])
      expect(value(found, `rotor_${k}`)).toBeCloseTo(Math.sqrt((m * g) / 4 / rotors[k].motorConstant), 8);
    expect(found.motion.roll).toBe(0);
    expect(found.motion.pitch).toBeCloseTo(0, 12);
  });
  it("hakoniwa hovers at the speed its source states, 122.24 rad/s", () => {
    const { x } = steady(preset("hakoniwa"));
    for (const i of [13, 14, 15, 16]) expect(x[i]).toBeCloseTo(122.24, 2);
  });
  it("the plane flies level from 12 to 24 m/s, lift is weight, thrust is drag", () => {
    for (const V of [12, 15, 18, 21, 24]) {
      const { outputs, motion, x } = steady(plane, { speed: V });
      expect(motion.v_down).toBe(0);
      expect(outputs.airspeed).toBeCloseTo(V, 9);
      // Body forces turned into the world: they add up to the weight, straight up.
      const up = -(outputs.force_x * -Math.sin(motion.pitch) + outputs.force_z * Math.cos(motion.pitch));
      expect(up).toBeCloseTo(9.81 * (plane.parameters as { m: number }).m, 4);
      expect(x[3]).toBeCloseTo(Math.sqrt(V * V - motion.v_right ** 2), 9);
    }
  });
  it("25 m/s is not level flight: Gazebo's law has no thrust left there; without that law it is", () => {
    const found = findTrim(plane, { speed: 25 });
    expect(found.isTrimmed).toBe(false);
    expect(found.blocked.map((b) => b.name)).toContain("rotor_1");
    const { changed, value: nearest } = diagnose(plane, found).nearest[0];
    expect(changed).toBe("speed");
    expect(nearest).toBeGreaterThan(24);
    expect(nearest).toBeLessThan(25);
    steady(plane, { speed: nearest });
    const free = withParameters(plane, { "rotors.1.maxRelativeAirspeed": Number.POSITIVE_INFINITY });
    expect(steady(free, { speed: 25 }).outputs.airspeed).toBeCloseTo(25, 9);
  });
  it("a coordinated turn: tan(bank) = V turn/g, load factor sqrt(1 + (V turn/g)^2), nothing felt to the side", () => {
    for (const turn of [-0.8, 0.2, 0.5]) {
      const found = steady(plane, { speed: 15, turn });
      const { motion, outputs } = found;
      expect(outputs.specific_force_y).toBeCloseTo(0, 9);
      // To first order in pitch and sideslip, which are below 0.03.
      expect(Math.tan(motion.roll) / ((15 * turn) / 9.81)).toBeCloseTo(1, 2);
      const numbers = Object.fromEntries(flightNumbers(plane, found).map((q) => [q.name, q.value]));
      // What is felt is gravity and the way round.
      expect(numbers.load_factor).toBeCloseTo(Math.hypot(1, (15 * turn) / 9.81), 9);
      expect(numbers.radius).toBeCloseTo(15 / Math.abs(turn), 6);
      expect(motion.turn).toBe(turn);
    }
  });
  it("a skidding turn and a slip are what was asked", () => {
    const flat = steady(plane, { speed: 15, turn: 0.05, bank: 0 });
    expect(flat.motion.roll).toBe(0);
    expect(Math.abs(flat.outputs.specific_force_y)).toBeGreaterThan(0.5);
    const slip = steady(plane, { speed: 15, sideslip: 0.1 });
    expect(Math.asin(slip.motion.v_right / 15)).toBeCloseTo(0.1, 2);
  });
  it("climb and descent", () => {
    for (const climb of [-1, 2, 6]) expect(steady(plane, { climb }).motion.v_down).toBe(-climb);
    // Thrust beyond that of level flight is the weight's part along the path, m g climb/V, but for a little less lift to make.
    const [level, up] = [0, 3].map((climb) => steady(plane, { climb }).outputs.force_rotor_1_x);
    expect((up - level) / ((9.81 * 3) / 15)).toBeCloseTo(1, 1);
  });
  it("standard-vtol hovers on its lifters alone and cruises on wing and pusher alone", () => {
    const vtol = preset("standard-vtol");
    const hover = steady(vtol);
    expect(value(hover, "rotor_5")).toBe(0);
    expect(value(hover, "rotor_1")).toBeGreaterThan(700);
    for (const speed of [13, 16, 20, 25]) {
      const cruise = steady(vtol, { speed });
      for (const k of [1, 2, 3, 4]) expect(value(cruise, `rotor_${k}`)).toBe(0);
      expect(value(cruise, "rotor_5")).toBeGreaterThan(500);
    }
    // Too slow for the wing: on its lifters, tilted into the flight.
    expect(steady(vtol, { speed: 6 }).notes.join()).toMatch(/at rest while hovering/);
    // Three times as heavy, neither carries it alone just below the stall.
    const heavy = { ...vtol, parameters: { ...(vtol.parameters as { m: number }), m: 15 } };
    const shared = steady(heavy, { speed: 18 });
    expect(shared.notes.join()).toMatch(/share the weight/);
    expect(value(shared, "rotor_1")).toBeGreaterThan(100);
    expect(shared.motion.v_right).toBeCloseTo(0, 6);
  });
  it("a car on circles from 1 to 8 m/s^2: m a_y is what the tyres push, torque holds the speed", () => {
    const car = preset("formula-student");
    for (const [speed, a] of [8, 10, 16].flatMap((v) => [1, 2, 3, 4, 5, 6, 7, 8].map((l) => [v, l]))) {
      const { outputs, motion } = steady(car, { speed, lateral: a });
      expect(outputs.a_y).toBeCloseTo(a, 9);
      expect(Math.hypot(motion.v_x, motion.v_y)).toBeCloseTo(speed, 9);
      expect(outputs.force_y).toBeCloseTo((car.parameters as { m: number }).m * a, 6);
      expect(outputs.moment_z).toBeCloseTo(0, 8);
    }
  });
  it("a parafoil at any brakes, and by what is asked of it", () => {
    const parafoil = preset("parafoil");
    for (const [left, right] of [
      [0, 0],
      [0.5, 0.5],
      [1, 1],
      [0.7, 0.1],
      [0, 1],
    ])
      steady(parafoil, {}, { brake_left_cmd: left, brake_right_cmd: right });
    expect(steady(parafoil, { turn: 0.3 }).motion.turn).toBe(0.3);
    const slow = steady(parafoil, { speed: 4 });
    expect(value(slow, "brake_left")).toBeCloseTo(value(slow, "brake_right"), 8);
  });
});

describe("margins", () => {
  it("to the stall: onset minus angle of attack, by the published polar and by the wing's own number", () => {
    const parafoil = steady(preset("parafoil"), {}, { brake_left_cmd: 0.5, brake_right_cmd: 0.5 });
    // 0.35 rad, 0.02 less at full brake; 15.03 degrees angle of attack at half.
    expect((stallMargin(preset("parafoil"), parafoil) * 180) / Math.PI).toBeCloseTo(
      (0.34 * 180) / Math.PI - 15.03,
      2,
    );
    const slow = steady(plane, { speed: 10 });
    expect(stallMargin(plane, slow)).toBeCloseTo(0.3391428111 - slow.outputs.alpha_1, 12);
  });
  it("of a control: to the nearer limit, but not to the one it rests at", () => {
    const control = { name: "", inputs: [], min: 0, max: 10, neutral: 0 };
    expect(controlMargin(control, 1)).toBeCloseTo(0.9, 12);
    expect(controlMargin({ ...control, min: -10 }, 9)).toBeCloseTo(0.05, 12);
    expect(controlMargin({ ...control, min: -10 }, -9)).toBeCloseTo(0.05, 12);
  });
});

describe("what does not trim is diagnosed", () => {
  it("too fast: the brakes are in the way, and the speed that is possible is named", () => {
    const found = findTrim(preset("parafoil"), { speed: 10 });
    expect(found.isTrimmed).toBe(false);
    expect(found.blocked.map((b) => `${b.name} ${b.limit}`)).toEqual(["brake_left 0", "brake_right 0"]);
    // The polar's speed without brake.
    const [first] = diagnose(preset("parafoil"), found).nearest;
    expect(first).toMatchObject({ changed: "speed", asked: 10 });
    expect(first.value).toBeCloseTo(4.5318, 2);
  });
  it("a glider does not climb: what it can is its least sink", () => {
    const found = findTrim(preset("parafoil"), { climb: 1 });
    const [first] = diagnose(preset("parafoil"), found).nearest;
    expect(first.changed).toBe("climb");
    expect(first.value).toBeCloseTo(-0.9016, 2);
  });
  it("an engine too weak to hover names itself", () => {
    const weak = withParameters(
      preset("x500"),
      Object.fromEntries([1, 2, 3, 4].map((k) => [`rotors.${k}.maxRotVelocity`, 600])),
    );
    const found = findTrim(weak, {});
    expect(found.isTrimmed).toBe(false);
    expect(found.blocked.map((b) => `${b.name} ${b.limit}`)).toEqual(
      [1, 2, 3, 4].map((k) => `rotor_${k} 600`),
    );
    expect(found.residuals.find((r) => Math.abs(r.value) > 1)?.name).toBe("acceleration downward");
  });
  it("more grip than tyres have: the lateral acceleration that is left is named", () => {
    const found = findTrim(preset("formula-student"), { speed: 10, lateral: 25 });
    const nearest = diagnose(preset("formula-student"), found).nearest.find((n) => n.changed === "lateral")
      ?.value as number;
    expect(findTrim(preset("formula-student"), { speed: 10, lateral: nearest }).isTrimmed).toBe(true);
    expect(findTrim(preset("formula-student"), { speed: 10, lateral: nearest + 0.1 }).isTrimmed).toBe(false);
    // Down to straight ahead, if it must be.
    const parafoil = preset("parafoil");
    expect(diagnose(parafoil, findTrim(parafoil, { sideslip: 0.1 })).nearest).toMatchObject([
      { changed: "sideslip", value: expect.closeTo(0, 2) },
    ]);
  });
});
