import { describe, expect, it } from "vitest";
import { G, solveBlocks } from "../integrators/newton.ts";
import { ShiftedSystem, stronglyConnected } from "./block-triangular.ts";
import { factorise, solve } from "./lu.ts";
import { factoriseComplex, solveComplex } from "./lu-complex.ts";
import { stream } from "./random.ts";

describe("block-triangular order", () => {
  it("puts actuators before the core that they drive, and the pose last", () => {
    // 0 pose, 1 and 2 core, 3 actuator
    const pattern = [0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1];
    expect(stronglyConnected(4, pattern)).toEqual([[3], [1, 2], [0]]);
  });

  it("solves as a dense decomposition does, whatever the pattern", () => {
    const n = 9;
    const random = stream(5, "blocks");
    const system = new ShiftedSystem(n);
    let draw = 0;
    const next = () => random.uniform(draw++);
    let blocks = 0;
    for (let round = 0; round < 60; round++) {
      const density = 0.05 + 0.5 * next();
      const J = Float64Array.from({ length: n * n }, () => (next() < density ? 20 * next() - 10 : 0));
      const b = Float64Array.from({ length: n }, () => next());
      const c = Float64Array.from({ length: n }, () => next());
      expect(system.factor(J, 37, 21, 30)).toBe(true);
      blocks += system.blocks;
      const dense = J.map((v, k) => (k % (n + 1) === 0 ? 37 : 0) - v);
      const re = J.map((v, k) => (k % (n + 1) === 0 ? 21 : 0) - v);
      const im = J.map((_, k) => (k % (n + 1) === 0 ? 30 : 0));
      const pivot = new Int32Array(n);
      const [x, y, z] = [b.slice(), b.slice(), c.slice()];
      factorise(dense, n, pivot);
      solve(dense, n, pivot, x);
      factoriseComplex(re, im, n, pivot);
      solveComplex(re, im, n, pivot, y, z);
      const p = b.slice();
      system.solve(p);
      const all = new Float64Array((G + 3) * n);
      all.set([...b, ...b, ...c], G * n);
      solveBlocks(system, all, n);
      const [o, q, r] = [G, G + 1, G + 2].map((k) => all.subarray(k * n, (k + 1) * n));
      for (let i = 0; i < n; i++) {
        expect(p[i]).toBeCloseTo(x[i], 12);
        expect(o[i]).toBe(p[i]);
        expect(q[i]).toBeCloseTo(y[i], 12);
        expect(r[i]).toBeCloseTo(z[i], 12);
      }
    }
    expect(blocks).toBeGreaterThan(120);
  });

  it("says where a system is singular", () => {
    expect(new ShiftedSystem(2).factor(Float64Array.of(3, 0, 0, 5), 3, 3, 0)).toBe(false);
    expect(new ShiftedSystem(2).factor(Float64Array.of(1, 1, 1, 1), 2, 1, 1)).toBe(false);
  });
});
