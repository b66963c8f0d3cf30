/** Which of several steady flights trim finds, what it says of the others, and what it does not take for flight. */
import { expect, it } from "vitest";
import { gainingDrag } from "../../src/analysis/control-drag.ts";
import { linearize } from "../../src/analysis/linearize.ts";
import { vehicleModes } from "../../src/analysis/stability.ts";
import { axisOf, sweep, valuesOf } from "../../src/analysis/sweep.ts";
import { diagnose } from "../../src/analysis/trim-diagnosis.ts";
import { findTrim, otherBranches } from "../../src/analysis/trim-search.ts";
import { stillAir } from "../../src/environment/environment.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { withParameters } from "../../src/vehicles/vehicle.ts";
import { aircraftOf } from "../support/aircraft.ts";

const base = { condition: {}, held: {} };

/** From a data sheet: 10x5 propellers by a table, motors by kv and resistance, a 4S battery, legs. */
const CdA = 0.012;
const m = 1.4;
const quad = aircraftOf(
  {
    m,
    I: { xx: 0.012, yy: 0.012, zz: 0.022 },
    CdA: [CdA, CdA, 0.02],
    battery: { capacity: "5 Ah", resistance: 0.02, used: [0, 0.9, 1], voltage: [16.8, 14.2, 12] },
    each_rotor: {
      law: "propeller",
      radius: "5 in",
      inertia: 6e-5,
      motor: { R: 0.09, K: 0.0104 },
      propeller: {
        diameter: "10 in",
        J: [0, 0.2, 0.4, 0.6, 0.75],
        CT: [0.11, 0.095, 0.07, 0.035, 0],
        CP: [0.045, 0.046, 0.04, 0.028, 0.012],
      },
    },
    rotors: [
      { position: [0.16, 0.16, -0.03], direction: "ccw" },
      { position: [-0.16, -0.16, -0.03], direction: "ccw" },
      { position: [0.16, -0.16, -0.03], direction: "cw" },
      { position: [-0.16, 0.16, -0.03], direction: "cw" },
    ],
    each_contact: { radius: 0.05 },
    contacts: [{ position: [0.16, 0.16, 0] }, { position: [-0.16, 0, 0] }, { position: [0.16, -0.16, 0] }],
  },
  { altitude: 1 },
);

it("a quadrotor from a data sheet hovers: C_T rho n^2 D^4 of four propellers is its weight", () => {
  const { x, isTrimmed, motion } = findTrim(quad, {});
  expect(isTrimmed).toBe(true);
  const n = Math.sqrt((m * 9.81) / 4 / (0.11 * 1.225 * 0.254 ** 4));
  for (const i of [13, 14, 15, 16]) expect(x[i]).toBeCloseTo(2 * Math.PI * n, 6);
  expect(motion.pitch).toBeCloseTo(0, 9);
});

it("it flies nose first at every speed until its motors give all they can: drag over weight is the tilt", () => {
  const axis = axisOf(quad, "airspeed");
  const rows = sweep(quad, axis, valuesOf(axis, 0, 40, 81), base);
  expect(rows).toHaveLength(81);
  for (const { values, found, isBreak } of rows) {
    const [V] = values;
    expect(isBreak).toBeUndefined();
    expect(found.motion.v_forward).toBeGreaterThanOrEqual(0);
    // Along the body the rotors do nothing: drag and weight balance there by themselves.
    const { pitch } = found.motion;
    expect(-0.5 * 1.225 * V * V * CdA * Math.cos(pitch) - m * 9.81 * Math.sin(pitch)).toBeCloseTo(0, 8);
  }
  const beyond = findTrim(quad, { speed: 50 });
  expect(beyond.isTrimmed).toBe(false);
  const [{ changed, value }] = diagnose(quad, beyond).nearest;
  expect(changed).toBe("speed");
  expect(findTrim(quad, { speed: value }).isTrimmed).toBe(true);
  expect(findTrim(quad, { speed: value + 0.05 }).isTrimmed).toBe(false);
});

it("tail first is another branch: found, named, and flown only when asked for", () => {
  for (const vehicle of [preset("hakoniwa"), quad])
    for (const speed of [6, 8, 12]) {
      const found = findTrim(vehicle, { speed });
      expect(found.motion.pitch).toBeLessThan(0);
      const others = otherBranches(vehicle, found);
      expect(others.map((o) => o.branch)).toEqual(["tail-first"]);
      const asked = findTrim(vehicle, { speed, branch: "tail-first" });
      expect(asked.isTrimmed).toBe(true);
      expect(asked.motion.v_forward).toBeCloseTo(-speed, 9);
    }
  // Its mirror image, where fore and aft are alike.
  const [there, back] = (["nose-first", "tail-first"] as const).map((branch) =>
    findTrim(preset("hakoniwa"), { speed: 8, branch }),
  );
  expect(back.motion.pitch).toBeCloseTo(-there.motion.pitch, 9);
});

it.each([
  ["rc-cessna", [10.5, 10.9, 11, 11.3, 11.5, 11.6, 16.7, 16.8]],
  ["advanced-plane", [4.3, 4.6, 5.1]],
  ["standard-vtol", [0.5, 1.4, 6, 9.5]],
])("%s trims at speeds between those at which it does", (name, speeds) => {
  const vehicle = preset(name);
  for (const speed of speeds) {
    const [below, here, above] = [0.995, 1, 1.005].map((part) => findTrim(vehicle, { speed: part * speed }));
    expect(here.isTrimmed, `${speed} m/s`).toBe(true);
    // And flies as its neighbours do.
    if (below.isTrimmed && above.isTrimmed)
      expect(here.motion.pitch).toBeCloseTo((below.motion.pitch + above.motion.pitch) / 2, 2);
  }
});

it("slower than its wings carry it, a standard VTOL tilts into the flight as a multirotor does", () => {
  const vehicle = preset("standard-vtol");
  const pitch = [0, 1, 2, 4, 6, 8].map((speed) => {
    const { motion, isTrimmed } = findTrim(vehicle, { speed });
    expect(isTrimmed, `${speed} m/s`).toBe(true);
    expect(Math.abs(motion.v_right)).toBeLessThan(1e-6);
    return motion.pitch;
  });
  // Drag grows with speed, and only tilting the rotors gives thrust against it.
  for (const [i, value] of pitch.slice(1).entries()) expect(value).toBeLessThan(pitch[i]);
});

it("a wing flies short of the stall, and beyond it when asked", () => {
  const plane = preset("advanced-plane");
  const usual = findTrim(plane, { speed: 8 });
  const stalled = findTrim(plane, { speed: 8, branch: "stalled" });
  const stall = 0.3391428111;
  expect(usual.outputs.alpha_1).toBeLessThan(stall);
  expect(stalled.isTrimmed).toBe(true);
  expect(stalled.outputs.alpha_1).toBeGreaterThan(stall);
});

it("surfaces do not make thrust of a drag below zero", () => {
  const plane = preset("advanced-plane");
  // Its ailerons and elevator stay small where the rotor suffices, and beyond that it does not trim.
  for (const speed of [20, 23, 24.1]) {
    const { isTrimmed, controls } = findTrim(plane, { speed });
    expect(isTrimmed).toBe(true);
    for (const { control, value } of controls)
      if (!control.isPropulsion) expect(Math.abs(value)).toBeLessThan(0.1);
  }
  const fast = findTrim(plane, { speed: 24.5 });
  expect(fast.isTrimmed).toBe(false);
  expect(fast.draggedBy).toContain("servo_1");
  // Twice the rotor's speed, and the same flight needs none of that.
  const strong = withParameters(plane, { "rotors.1.maxRotVelocity": 7000 });
  const found = findTrim(strong, { speed: 24.5 });
  expect(found.isTrimmed).toBe(true);
  for (const { control, value } of found.controls)
    if (!control.isPropulsion) expect(Math.abs(value)).toBeLessThan(0.1);
});

it("at full thrust, too, what is returned stands still", () => {
  const weak = withParameters(preset("advanced-plane"), { "rotors.1.maxRotVelocity": 639.56 });
  const { x, u, isTrimmed } = findTrim(weak, { speed: 15 });
  expect(isTrimmed).toBe(true);
  expect(u[0]).toBeGreaterThan(639.5);
  const dx = new Float64Array(x.length);
  weak.model.derivative(x, u, weak.parameters, stillAir(weak.model), dx);
  for (const i of [3, 4, 5, 10, 11, 12]) expect(Math.abs(dx[i])).toBeLessThan(1e-9);
});

it("what surfaces do for moments is no gain, what they do against each other is", () => {
  const aileron = (side: number, deflection: number) => ({
    name: side < 0 ? "left" : "right",
    moments: [side, 0, 0] as const,
    forward: 1,
    deflection,
  });
  expect(gainingDrag([aileron(-1, 0.3), aileron(1, -0.3)])).toEqual([]);
  expect(gainingDrag([aileron(-1, 0.3), aileron(1, 0.3)])).toEqual(["left", "right"]);
  expect(gainingDrag([aileron(-1, -0.3), aileron(1, -0.3)])).toEqual([]);
});

it("controls that can stand in for each other settle where their effort is least, to 1e-7, from both sides", () => {
  // Six equal rotors in hover: every one carries a sixth, whatever the start.
  const rotors = [0, 1, 2, 3, 4, 5].map((k) => ({
    position: [0.3 * Math.cos((k * Math.PI) / 3), 0.3 * Math.sin((k * Math.PI) / 3), 0],
    direction: k % 2 === 0 ? "ccw" : "cw",
    motorConstant: 1e-5,
    momentConstant: 0.02,
    maxRotVelocity: 1000,
  }));
  const { controls } = findTrim(aircraftOf({ m: 2, I: { xx: 0.02, yy: 0.02, zz: 0.03 }, rotors }), {});
  const thrusts = controls.filter((c) => c.control.isPropulsion).map((c) => c.value ** 2);
  const mean = thrusts.reduce((a, b) => a + b) / thrusts.length;
  for (const thrust of thrusts) expect(thrust / mean).toBeCloseTo(1, 7);
  const plane = preset("rc-cessna");
  const [one, other] = [undefined, { pitch: 0.1 }].map((more) => {
    const found = findTrim(plane, {});
    return findTrim(plane, {}, {}, more && { ...found.unknowns, ...more });
  });
  one.u.forEach((u, i) => {
    expect(Math.abs(u - other.u[i])).toBeLessThan(1e-7 * Math.max(1, Math.abs(u)));
  });
});

it("modes have names of their own", () => {
  for (const vehicle of [preset("x500"), preset("hakoniwa"), quad, preset("standard-vtol")]) {
    const { x, u } = findTrim(vehicle, {});
    const names = vehicleModes(vehicle, linearize(vehicle, x, u, [])).map((mode) => mode.name);
    expect(new Set(names).size).toBe(names.length);
  }
});

it("limits are named only where wider ones help, by how much they must", () => {
  const weak = withParameters(
    preset("x500"),
    Object.fromEntries([1, 2, 3, 4].map((k) => [`rotors.${k}.maxRotVelocity`, 600])),
  );
  const { needed } = diagnose(weak, findTrim(weak, {}));
  // sqrt(m g/4k) of the same vehicle (trim.test.ts).
  const {
    m: mass,
    g,
    rotors,
  } = weak.parameters as {
    m: number;
    g: number;
    rotors: Record<number, { motorConstant: number }>;
  };
  const hover = Math.sqrt((mass * g) / 4 / rotors[1].motorConstant);
  expect(needed.map((n) => n.control)).toEqual(["rotor_1", "rotor_2", "rotor_3", "rotor_4"]);
  for (const n of needed) expect(n.needed / hover).toBeCloseTo(1, 2);
});
