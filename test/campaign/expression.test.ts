import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExpressionError, parseExpression } from "../../src/campaign/expression.ts";

const known = ["a", "b", "F_aero_B_x"];
const value = (text: string, row = [2, 3, 5]) => parseExpression(text, known).evaluate(row);

describe("expressions", () => {
  it.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["-2 ^ 2", -4],
    ["2 ^ 3 ^ 2", 512],
    ["10 - 3 - 2", 5],
    ["12 / 3 / 2", 2],
    ["a < b and not b < a", 1],
    ["not a > b", 1],
    ["a > b or a == 2 and b == 3", 1],
    ["hypot(a + 1, 4)", 5],
    ["180 * deg", Math.PI],
    ["max(a, min(b, F_aero_B_x))", 3],
    ["1e3 + .5", 1000.5],
    ["missing(a)", 0],
  ])("%s", (text, expected) => expect(value(text)).toBeCloseTo(expected, 12));
  it("what is missing decides nothing, and can be asked for", () => {
    const row = [Number.NaN, 3, 5];
    expect(value("a > 0", row)).toBeNaN();
    expect(value("not a > 0", row)).toBeNaN();
    expect(value("a > 0 or b > 0", row)).toBe(1);
    expect(value("a > 0 or b > 9", row)).toBeNaN();
    expect(value("a > 0 and b > 9", row)).toBe(0);
    expect(value("missing(a) or a > 0", row)).toBe(1);
  });
  it.each([
    ["a +", /ends too early/],
    ["(a", /"\)" is missing/],
    ["aa + 1", /unknown name "aa".*did you mean "a"/],
    ["sinh(a)", /no function "sinh"/],
    ["hypot(a)", /takes two numbers/],
    ["a b", /"b" is not expected/],
    ["a $ b", /"\$" is not understood/],
    ["", /ends too early/],
    [`${"(".repeat(300)}a${")".repeat(300)}`, /nested too deeply/],
    [`${"-".repeat(5000)}a`, /nested too deeply/],
  ])("refuses %s", (text, words) => {
    expect(() => parseExpression(text, known)).toThrow(words);
  });
  it("whatever is typed is understood or refused in words", () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          parseExpression(text, known).evaluate([1, 2, 3]);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
    ));
});
