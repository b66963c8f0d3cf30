import { describe, expect, it } from "vitest";
import { leastSquares } from "./least-squares.ts";

const free = (n: number) => ({
  lower: new Array(n).fill(-1e9),
  upper: new Array(n).fill(1e9),
  scale: new Array(n).fill(1),
});

describe("least squares", () => {
  it("solves Rosenbrock's valley from the classical start", () => {
    const { x, size } = leastSquares({
      ...free(2),
      count: 2,
      start: [-1.2, 1],
      residuals: ([a, b], r) => void r.set([10 * (b - a * a), 1 - a]),
    });
    expect(size).toBeLessThan(1e-12);
    expect(x[0]).toBeCloseTo(1, 12);
    expect(x[1]).toBeCloseTo(1, 12);
  });
  it("approaches Powell's singular solution, where the derivatives vanish", () => {
    const { size } = leastSquares({
      ...free(4),
      count: 4,
      start: [3, -1, 0, 1],
      residuals: ([a, b, c, d], r) =>
        void r.set([a + 10 * b, Math.sqrt(5) * (c - d), (b - 2 * c) ** 2, Math.sqrt(10) * (a - d) ** 2]),
    });
    expect(size).toBeLessThan(1e-9);
  });
  it("stops at a bound, says which, and leaves the best that is allowed", () => {
    const { x, blocked, size } = leastSquares({
      count: 2,
      start: [0, 0],
      lower: [-1, -9],
      upper: [1, 9],
      scale: [1, 1],
      residuals: ([a, b], r) => void r.set([a - 3, a + b - 4]),
    });
    expect(x[0]).toBe(1);
    // A sum of squares that does not vanish hides half the digits.
    expect(x[1]).toBeCloseTo(3, 7);
    expect([...blocked]).toEqual([1, 0]);
    expect(size).toBeCloseTo(2, 12);
  });
  it("of many solutions takes one near the start", () => {
    const { x, size } = leastSquares({
      ...free(3),
      count: 1,
      start: [1, 2, 3],
      residuals: ([a, b, c], r) => void r.set([a + b + c - 9]),
    });
    expect(size).toBeLessThan(1e-12);
    for (let i = 0; i < 3; i++) expect(Math.abs(x[i] - [1, 2, 3][i])).toBeLessThan(3);
  });
  it("comes back from where the residuals are not defined", () => {
    const { x } = leastSquares({
      ...free(1),
      count: 1,
      start: [4],
      residuals: ([a], r) => void r.set([Math.sqrt(a) - 0.1]),
    });
    expect(x[0]).toBeCloseTo(0.01, 10);
  });
});
