import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/model/yaml.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset, readVehicle } from "../../src/vehicle-types/index.ts";
import { simulate } from "../support/simulate.ts";

const QUAD = `model: aircraft
parameters:
  m: 1.2
  I: { xx: 0.012, yy: 0.012, zz: 0.022 }
  each_rotor: { motorConstant: 8.5e-6, momentConstant: 0.016, maxRotVelocity: 1000 }
  rotors:
    - { position: [0.2, 0.2, 0], direction: ccw }
    - { position: [-0.2, -0.2, 0], direction: ccw }
    - { position: [0.2, -0.2, 0], direction: cw }
    - { position: [-0.2, 0.2, 0], direction: cw }
`;
const read = (text: string) => readVehicle(parseYaml(text, "quad.yaml"), "quad");
const changed = (from: string, to: string) => {
  expect(QUAD).toContain(from);
  return () => read(QUAD.replace(from, to));
};
const TABLE =
  "law: propeller, propeller: { diameter: 0.25, J: [0, 0.3, 0.6], CT: [0.1, 0.08, 0], CP: [0.05, 0.045, 0.02] }";
const withTable = (from: string, to: string) => {
  expect(TABLE).toContain(from);
  return changed("motorConstant: 8.5e-6, momentConstant: 0.016", TABLE.replace(from, to));
};

describe("a vehicle file of an aircraft", () => {
  it("what all rotors share stands once, and a rotor may differ", () => {
    const vehicle = read(QUAD.replace("direction: ccw }", "direction: ccw, motorConstant: 9e-6 }"));
    const p = vehicle.parameters as {
      rotors: Record<number, { motorConstant: number; axis: { z: number } }>;
    };
    expect([1, 2, 3, 4].map((k) => p.rotors[k].motorConstant)).toEqual([9e-6, 8.5e-6, 8.5e-6, 8.5e-6]);
    expect(p.rotors[1].axis.z).toBe(-1);
  });

  for (const [what, text, message] of [
    [
      "an axis of no length",
      changed("direction: cw }", "direction: cw, axis: [0, 0, 0] }"),
      /quad.yaml:9:.*rotors.3.axis: has zero length/,
    ],
    [
      "a wrong word in a rotor",
      changed("position: [0.2, -0.2, 0]", "postion: [0.2, -0.2, 0]"),
      /quad.yaml:9:.*did you mean "position"/,
    ],
    ["a missing direction", changed(", direction: cw }", " }"), /rotors.*direction: is missing.*ccw or cw/],
    [
      "a wrong turning",
      changed("direction: cw }", "direction: left }"),
      /quad.yaml:9:.*"left" is not a choice; allowed: ccw or cw/,
    ],
    [
      "a wrong unit for all rotors",
      changed("maxRotVelocity: 1000", "maxRotVelocity: 1000 kg"),
      /quad.yaml:5:.*maxRotVelocity/,
    ],
    [
      "no thrust",
      changed("motorConstant: 8.5e-6, ", ""),
      /motorConstant: is missing: this rotor has no thrust/,
    ],
    [
      "an inertia no body has",
      changed("zz: 0.022", "zz: 0.03"),
      /quad.yaml:4:.*larger than the sum of the others/,
    ],
    [
      "an inertia that is not positive",
      changed("zz: 0.022", "zz: 0.022, xy: 0.013"),
      /not positive definite/,
    ],
    ["a negative mass", changed("m: 1.2", "m: -1.2 kg"), /quad.yaml:3:.*allowed: > 0 kg/],
    [
      "one lag of two",
      changed("maxRotVelocity: 1000", "maxRotVelocity: 1000, timeConstantUp: 0"),
      /one of the two lags is 0/,
    ],
    [
      "the law propeller without a table",
      changed("motorConstant: 8.5e-6, momentConstant: 0.016", "law: propeller"),
      /needs a table/,
    ],
    [
      "a table that is not sorted",
      withTable("[0, 0.3, 0.6]", "[0, 0.6, 0.3]"),
      /quad.yaml:5:.*J.*0.3 comes after 0.6/,
    ],
    [
      "a J that appears twice",
      withTable("[0, 0.3, 0.6]", "[0, 0.3, 0.3]"),
      /quad.yaml:5:.*0.3 appears twice/,
    ],
    [
      "lists of different lengths",
      withTable("[0.1, 0.08, 0]", "[0.1, 0.08]"),
      /CT: holds 2 numbers; allowed: 3 numbers/,
    ],
    [
      "a negative diameter",
      withTable("diameter: 0.25", "diameter: -0.25"),
      /quad.yaml:5:.*diameter.*out of range; allowed: > 0 m/,
    ],
    ["a table of one row", withTable("J: [0, 0.3, 0.6]", "J: [0]"), /J: holds 1 numbers; allowed: 2 numbers/],
    ["a table that is a word", withTable("J: [0, 0.3, 0.6]", "J: many"), /quad.yaml:5:.*J/],
  ] as const)
    it(`refuses ${what}`, () => {
      expect(text).toThrow(message);
    });
});

describe("a scenario of an aircraft", () => {
  const scenario = (text: string, name = "iris") =>
    readScenario(parseYaml(`vehicle: ${name}\n${text}`, "s.yaml"), preset(name));
  for (const [text, message] of [
    ["pilot: [{ t: 0 }]", /s.yaml:2:.*has no command; allowed: one of hold, goto/],
    ["pilot: [{ t: 0, land: true, hold: true }]", /has two commands: hold, land/],
    ["pilot: [{ t: 5, land: true }, { t: 1, hold: true }]", /s.yaml:2:.*1 s comes after 5 s/],
    ["pilot: [{ t: 0, hold: { height: 3 } }]", /unknown key/],
    [
      "pilot: [{ t: 0, hold: true }]\ninputs: [{ t: 0, rotor_1_cmd: 5 }]",
      /inputs and pilot both set the inputs/,
    ],
    ["faults: [{ t: 0, rotor_5: 0 }]", /did you mean "rotor_\d"/],
    ["faults: [{ t: 0, rotor_1: 2 }]", /allowed: 0 to 1/],
    ["boundaries: [{ kind: floor }]", /s.yaml:2:/],
    ["boundaries: [{ kind: wall, point: [0, 0, 0] }]", /normal: is missing/],
    ["boundaries: [{ kind: ground, down: 0, altitude: 0 }]", /given twice/],
    ["boundaries: [{ kind: ground, size: [1, -1] }]", /allowed: above 0/],
  ] as const)
    it(`refuses ${text.replaceAll("\n", "; ")}`, () => {
      expect(() => scenario(text)).toThrow(message);
    });
  it("a parafoil has no pilot, no faults and no walls", () => {
    expect(() => scenario("pilot: [{ t: 0, hold: true }]", "parafoil")).toThrow(/unknown key/);
    expect(() => scenario("boundaries: []", "parafoil")).toThrow(/unknown key/);
  });
  it("navigation by sensors names the sensors that are missing", () => {
    const words = {
      pilot: [{ t: 0, hold: true }],
      navigation: "sensors",
      sensors: { gyro: {}, position: {} },
    };
    expect(() => simulate(words, preset("iris"))).toThrow(/needs velocity, accelerometer, magnetometer/);
  });
  it("parameters of one rotor can be changed by number", () => {
    const { changedParameters: parameters } = readScenario(
      parseYaml("vehicle: iris\nparameters: { rotors: { 2: { motorConstant: 6e-6 } } }", "s.yaml"),
      preset("iris"),
    );
    expect(parameters).toEqual({ "rotors.2.motorConstant": 6e-6 });
  });
});
