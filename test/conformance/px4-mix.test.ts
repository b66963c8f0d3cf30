import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { missingAxis, shaped, sticksFrom } from "../../src/control/joystick.ts";
import { mix } from "../../src/control/mixer.ts";
import { readMixers } from "../../src/formats/px4-mix.ts";
import { plainSource } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { readJoystick } from "../../src/vehicle-types/aircraft/stick-timeline-schema.ts";
import { preset } from "../../src/vehicle-types/index.ts";

const outputs = (text: string, controls: readonly number[]) =>
  mix(readMixers(text, "test.main.mix"), (group, index) => (group === 0 ? (controls[index] ?? 0) : 0));

describe("PX4 mixers, by PX4's own rules", () => {
  it("comments are all lines but definitions; a null mixer is zero", () => {
    expect(outputs("Some words about S: and M: things\n\nZ:\n  indented: no definition\nZ:\n", [])).toEqual([
      0, 0,
    ]);
  });
  it("a scaler has one factor for negative inputs and another for positive ones, an offset, and limits", () => {
    const text = "M: 1\nO: 10000 10000 0 -10000 10000\nS: 0 0 5000 20000 1000 -3000 9000\n";
    expect(outputs(text, [0.1])[0]).toBeCloseTo(0.3, 12);
    expect(outputs(text, [-0.2])[0]).toBeCloseTo(0, 12);
    expect(outputs(text, [1])[0]).toBeCloseTo(0.9, 12);
    expect(outputs(text, [-1])[0]).toBeCloseTo(-0.3, 12);
  });
  it("several inputs add up before the output's scaler, which may be left out", () => {
    const text = "M: 2\nS: 0 0 -6000 -6000 0 -10000 10000\nS: 0 1 6500 6500 0 -10000 10000\n";
    expect(outputs(text, [0.5, 0.2])[0]).toBeCloseTo(-0.6 * 0.5 + 0.65 * 0.2, 12);
    expect(outputs(text, [-1, 1])[0]).toBe(1);
  });
  it("a quad in X: the right rotors slow down to roll right, the rear ones to pitch up, the ccw ones speed up to yaw right", () => {
    const text = "R: 4x 10000 10000 10000 0\n";
    const at = (roll: number, pitch: number, yaw: number) => outputs(text, [roll, pitch, yaw, 0.5]);
    expect(at(0, 0, 0)).toEqual([0, 0, 0, 0]);
    // Order: front right (ccw), rear left (ccw), front left (cw), rear right (cw).
    const s = Math.SQRT1_2;
    const close = (v: number[], e: number[]) => {
      for (const [i, x] of v.entries()) expect(x).toBeCloseTo(e[i], 9);
    };
    close(at(0.2, 0, 0), [-0.4 * s, 0.4 * s, 0.4 * s, -0.4 * s]);
    close(at(0, 0.2, 0), [0.4 * s, -0.4 * s, 0.4 * s, -0.4 * s]);
    close(at(0, 0, 0.2), [0.4, 0.4, -0.4, -0.4]);
    expect(outputs("R: 6x 10000 10000 10000 0\n", [0, 0, 0, 0])).toEqual([-1, -1, -1, -1, -1, -1]);
  });
  it("hexa and octo geometries are balanced: no control changes the sum of thrusts", () => {
    for (const geometry of ["4x", "4+", "6x", "6+", "8x", "8+"])
      for (const controls of [
        [0.1, 0, 0, 0.5],
        [0, 0.1, 0, 0.5],
        [0, 0, 0.1, 0.5],
      ])
        expect(outputs(`R: ${geometry} 10000 10000 10000 0\n`, controls).reduce((a, b) => a + b)).toBeCloseTo(
          0,
          9,
        );
  });
  it.each([
    ["nothing", "just words", /holds no mixer/],
    ["missing inputs", "M: 2\nS: 0 0 1 1 0 -1 1\nZ:\n", /:3: the mixer of line 1 still expects 1 lines "S:"/],
    ["too many inputs", "M: 1\nS: 0 0 1 1 0 -1 1\nS: 0 0 1 1 0 -1 1\n", /:3: an input that no mixer expects/],
    ["half a scaler", "M: 1\nS: 0 0 1 1\n", /:2: "0 0 1 1" is not 7 numbers; allowed: S: <group>/],
    ["words", "M: 1\nS: 0 roll 1 1 0 -1 1\n", /:2: .* is not 7 numbers/],
    ["no such control", "M: 1\nS: 0 9 1 1 0 -1 1\n", /:2: there is no control 0 9/],
    ["another geometry", "R: 7z 1 1 1 0\n", /:1: the geometry "7z" is not known here; allowed: 4x/],
    ["another mixer", "H: 3\n", /"H:" is not a mixer that is known here/],
    ["limits the wrong way round", "M: 1\nS: 0 0 1 1 0 5 -5\n", /the lower limit 5 is above the upper -5/],
  ])("%s is refused with its line", (_, text, expected) => {
    expect(() => readMixers(text, "a.main.mix")).toThrow(expected);
  });
});

describe("joystick layouts", () => {
  const stick = { reverse: false, range: [-1, 1] as const, deadZone: 0.1, expo: 0 };
  it("dead zone, expo, reverse and range", () => {
    expect(shaped(stick, 0.1)).toBe(0);
    expect(shaped(stick, 1)).toBe(1);
    expect(shaped(stick, -0.55)).toBeCloseTo(-0.5, 12);
    expect(shaped({ ...stick, reverse: true }, 1)).toBe(-1);
    expect(shaped({ ...stick, deadZone: 0, expo: 0.5 }, 0.5)).toBeCloseTo(0.5 * 0.5 + 0.5 * 0.125, 12);
    expect(shaped({ ...stick, deadZone: 0, range: [0, 1] }, 0)).toBe(0.5);
  });
  it("the example: sticks at rest are no roll and no pitch, throttle forward is full, buttons move the flaps", () => {
    const layout = readJoystick(
      parseYaml(readFileSync("examples/manual/joystick.yaml", "utf8"), "joystick.yaml"),
    );
    expect(sticksFrom(layout, [0, 0, 1, 0], [])).toMatchObject({ roll: 0, pitch: 0, yaw: 0, throttle: 0 });
    expect(sticksFrom(layout, [1, -1, -1, 0], [0, 0, 0, 0, 0, 1])).toMatchObject({
      roll: 1,
      pitch: -1,
      throttle: 1,
      flaps: 1,
    });
  });
  it("buttons that nobody presses rest at zero", () => {
    const layout = readJoystick(
      parseYaml(readFileSync("examples/manual/joystick.yaml", "utf8"), "joystick.yaml"),
    );
    expect(sticksFrom(layout, [0, 0, 1, 0], []).flaps).toBe(0);
    expect(missingAxis(layout, 3)).toEqual(["yaw", 3]);
    expect(missingAxis(layout, 4)).toBeUndefined();
  });
  it("a stick needs an axis or two buttons", () => {
    const read = (words: unknown) => readJoystick(plainSource(words, "j.yaml"));
    expect(() => read({ roll: {} })).toThrow(/roll: has neither axis nor buttons/);
    expect(() => read({ roll: { axis: 0, buttons: [1, 2] } })).toThrow(/both/);
    expect(() => read({ rol: { axis: 0 } })).toThrow(/did you mean "roll"/);
  });
});

describe("the manual block", () => {
  const text = readFileSync("examples/manual/flying-wing.main.mix", "utf8");
  const start = (manual: Record<string, unknown>) =>
    createSimulation(
      readScenario(plainSource({ vehicle: "zephyr", duration: 1, manual }, "test"), preset("zephyr")),
    );
  const sticks = [{ t: 0, roll: 0.5, pitch: 0.5, throttle: 0.25 }];
  it("sends outputs to servos between their stops and to rotors from standing to fastest", () => {
    const s = start({ mixer: text, outputs: ["servo_1", "servo_2", "none", "rotor_1"], sticks });
    const command = (name: string) => s.u[preset("zephyr").model.inputs.findIndex((f) => f.name === name)];
    expect(command("servo_1_cmd")).toBeCloseTo(0.524 * (-0.4 * 0.5 + 0.6 * 0.5), 12);
    expect(command("servo_2_cmd")).toBeCloseTo(0.524 * (0.4 * 0.5 + 0.6 * 0.5), 12);
    expect(command("rotor_1_cmd")).toBeCloseTo(838 * 0.25, 9);
  });
  it.each([
    ["too few outputs", { outputs: ["servo_1"] }, /names 1 actuators, and the mixer has 4 outputs/],
    [
      "no such actuator",
      { outputs: ["servo_1", "servo_9", "none", "rotor_1"] },
      /there is no actuator "servo_9"; allowed: rotor_1, servo_1, servo_2, none/,
    ],
    [
      "axes without a layout",
      { sticks: [{ t: 0, axes: [0, 0] }] },
      /axes and buttons need a joystick layout/,
    ],
  ])("%s", (_, more, expected) => {
    const all = { mixer: text, outputs: ["servo_1", "servo_2", "none", "rotor_1"], sticks, ...more };
    expect(() => start(all)).toThrow(expected);
  });
});
