import { describe, expect, it } from "vitest";
import { parseQuantity, parseUnit } from "../../src/model/units.ts";

describe("quantities with units", () => {
  const cases: [string, string, number][] = [
    ["230 mm", "m", 0.23],
    ["70 cm", "m", 0.7],
    ["9 in", "m", 0.2286],
    ["11000 rpm", "rad/s", (11000 * Math.PI) / 30],
    ["15 deg", "rad", (15 * Math.PI) / 180],
    ["2.5", "kg", 2.5],
    ["500g", "kg", 0.5],
    ["36 km/h", "m/s", 10],
    ["2 N m", "kg m^2/s^2", 2],
    ["1e-3 kg m²", "kg m^2", 0.001],
    ["5 1/deg", "1/rad", (5 * 180) / Math.PI],
    ["50 %", "1", 0.5],
    ["10 kt", "m/s", 18520 / 3600],
    ["-3 ft", "m", -0.9144],
    ["4 Ah", "A s", 14400],
    ["1 mAh", "A s", 3.6],
    ["0.115 ohm", "V/A", 0.115],
    [".5 s", "s", 0.5],
  ];
  for (const [text, si, expected] of cases)
    it(`${text} is ${expected} ${si}`, () => {
      const value = parseQuantity(text, si);
      expect(typeof value).toBe("number");
      expect(Math.abs((value as number) / expected - 1)).toBeLessThan(1e-15);
    });
  it("infinity as YAML writes it, for flags", () => {
    expect(parseQuantity(".inf", "rad/s")).toBe(Number.POSITIVE_INFINITY);
  });
  it("decimal prefixes are exact", () => {
    expect(parseQuantity("70 cm", "m")).toBe(0.7);
    expect(parseQuantity("230 mm", "m")).toBe(0.23);
  });
  for (const [text, si, why] of [
    ["2 m", "kg", /wrong kind/],
    ["3 furlongs", "m", /not a unit/],
    ["fast", "m/s", /not a number/],
    ["3 rad", "1", /wrong kind/],
    ["1 constructor", "m", /not a unit/],
  ] as const)
    it(`"${text}" for ${si} is refused`, () => {
      expect(parseQuantity(text, si)).toMatchObject({ problem: expect.stringMatching(why) });
    });
  it("every unit word in the models is known", async () => {
    const { preset, presetNames } = await import("../../src/vehicle-types/index.ts");
    for (const name of presetNames()) {
      const { model } = preset(name);
      for (const f of [
        ...model.states,
        ...model.inputs,
        ...model.outputs,
        ...model.environment,
        ...model.parameters,
      ])
        expect(parseUnit(f.unit), `${f.name} [${f.unit}]`).toBeDefined();
    }
  });
});
