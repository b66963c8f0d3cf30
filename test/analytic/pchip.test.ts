import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hermite, pchipSlopes, resample } from "../../src/math/pchip.ts";

describe("monotone cubic interpolation", () => {
  it("slopes are SciPy's (PchipInterpolator, typed from a run of it)", () => {
    // x = 0, 1, 2.5, 3, 5; y = 0, 2, 2.5, 2.4, 6
    const expected = [8 / 3, 0.6, 0, 0, 3.4];
    pchipSlopes([0, 1, 2.5, 3, 5], [0, 2, 2.5, 2.4, 6]).forEach((m, i) => {
      expect(m).toBeCloseTo(expected[i], 12);
    });
  });
  it("a straight line stays one", () => {
    const table = resample([0, 0.3, 1], [1, 1.6, 3], 11);
    for (let k = 0; k < 11; k++) {
      expect(table[2 * k]).toBeCloseTo(1 + 0.2 * k, 14);
      expect(table[2 * k + 1]).toBeCloseTo(2, 12);
    }
  });
  it("never leaves the range of neighbouring data, and keeps falling data falling", () => {
    const falling = fc
      .array(
        fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
        {
          minLength: 2,
          maxLength: 20,
        },
      )
      .map((steps) => {
        const x = [0];
        const y = [1];
        for (const [dx, dy] of steps) {
          x.push(x[x.length - 1] + dx);
          y.push(y[y.length - 1] - dy);
        }
        return { x, y };
      });
    fc.assert(
      fc.property(falling, ({ x, y }) => {
        const knots = 41;
        const table = resample(x, y, knots);
        const h = (x[x.length - 1] - x[0]) / (knots - 1);
        let last = Number.POSITIVE_INFINITY;
        for (let k = 0; k < knots - 1; k++)
          for (const s of [0, 0.25, 0.5, 0.75]) {
            const v = hermite(s, h, table[2 * k], table[2 * k + 2], table[2 * k + 1], table[2 * k + 3]);
            expect(v).toBeLessThanOrEqual(last + 1e-12);
            last = v;
          }
        expect(table[0]).toBe(y[0]);
        expect(table[2 * knots - 2]).toBeCloseTo(y[y.length - 1], 12);
      }),
    );
  });
});
