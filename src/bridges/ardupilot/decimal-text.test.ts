import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecimalText } from "./decimal-text.ts";

const written = (value: number) => new TextDecoder().decode(new DecimalText(64).number(value).written());

describe("numbers as text", () => {
  it("are the nearest with nine decimals, without exponent", () => {
    expect([0, -0, 1, -1, 0.1, 1e-9, 4e-10, -4e-10, 0.9999999996, 12345.678, -9.81].map(written)).toEqual([
      ...["0", "0", "1", "-1", "0.100000000", "0.000000001", "0", "0"],
      ...["1", "12345.678000000", "-9.810000000"],
    ]);
  });

  it("agree with the language's own to half a unit of the last place, up to the largest", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
        const text = written(value);
        expect(text).toMatch(/^-?\d+(\.\d{9})?$/);
        expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.5000001e-9 + Math.abs(value) * 2.3e-16);
      }),
      { numRuns: 20_000, seed: 1 },
    );
    expect(written(3e9)).toBe("3000000000");
    expect(written(-1e15)).toBe("-1000000000000000");
  });

  it("a list has commas between, and a cleared text begins anew", () => {
    const line = new DecimalText(64);
    line
      .text("old")
      .clear()
      .text("[")
      .list(Float64Array.of(9, 1, 2.5, 3), 1, 3)
      .text("]");
    expect(new TextDecoder().decode(line.written())).toBe("[1,2.500000000,3]");
  });
});
