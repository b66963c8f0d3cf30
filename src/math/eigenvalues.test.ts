import { describe, expect, it } from "vitest";
import { eigenvalues, eigenvector } from "./eigenvalues.ts";
import { stream } from "./random.ts";

const sorted = (list: readonly { re: number; im: number }[]) =>
  [...list].sort((a, b) => a.re - b.re || a.im - b.im).map(({ re, im }) => [re, im]);

describe("eigenvalues", () => {
  it("of a companion matrix are the polynomial's roots: (x-1)(x-2)(x+3)(x^2+2x+5)", () => {
    // x^5 + 2x^4 - 2x^3 - 8x^2 - 23x + 30
    const c = [30, -23, -8, -2, 2];
    const A = new Float64Array(25);
    for (let i = 0; i < 5; i++) {
      if (i > 0) A[i * 5 + i - 1] = 1;
      A[i * 5 + 4] = -c[i];
    }
    const roots = sorted(eigenvalues(A, 5));
    [
      [-3, 0],
      [-1, -2],
      [-1, 2],
      [1, 0],
      [2, 0],
    ].forEach(([re, im], i) => {
      expect(roots[i][0]).toBeCloseTo(re, 12);
      expect(roots[i][1]).toBeCloseTo(im, 12);
    });
  });
  it("of random matrices have the matrix's trace and vectors that it only stretches", () => {
    const random = stream(3, "eigen");
    let k = 0;
    for (let n = 1; n <= 14; n++)
      for (let round = 0; round < 8; round++) {
        const A = Float64Array.from(
          { length: n * n },
          () => random.normal(k++) * 10 ** (3 * random.uniform(k++) - 1),
        );
        const values = eigenvalues(A, n);
        expect(values).toHaveLength(n);
        let trace = 0;
        let size = 0;
        for (let i = 0; i < n; i++) trace += A[i * n + i];
        for (const v of A) size = Math.max(size, Math.abs(v));
        expect(Math.abs(values.reduce((s, v) => s + v.re, 0) - trace)).toBeLessThan(1e-11 * n * size);
        expect(Math.abs(values.reduce((s, v) => s + v.im, 0))).toBeLessThan(1e-12 * size);
        for (const value of values) {
          const { re, im } = eigenvector(A, n, value);
          for (let i = 0; i < n; i++) {
            let [x, y] = [0, 0];
            for (let j = 0; j < n; j++) {
              x += A[i * n + j] * re[j];
              y += A[i * n + j] * im[j];
            }
            expect(Math.abs(x - value.re * re[i] + value.im * im[i])).toBeLessThan(1e-9 * size);
            expect(Math.abs(y - value.re * im[i] - value.im * re[i])).toBeLessThan(1e-9 * size);
          }
        }
      }
  });
  it("pairs stand together, the upper one first", () => {
    const values = eigenvalues([0, 1, 0, -4, -0.2, 0, 0, 0, -1], 3);
    const i = values.findIndex((v) => v.im !== 0);
    expect(values[i].im).toBeGreaterThan(0);
    expect(values[i + 1].im).toBe(-values[i].im);
  });
  it("a matrix with NaN is refused", () => {
    expect(() => eigenvalues([Number.NaN], 1)).toThrow(/undefined/);
  });
});
