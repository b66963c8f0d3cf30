import { describe, expect, it } from "vitest";
import { stream, threefry } from "../../src/math/random.ts";

describe("counter-based random numbers", () => {
  it("Threefry-2x32-20 gives the known answers of Random123", () => {
    const out = new Uint32Array(2);
    const answer = (k0: number, k1: number, c0: number, c1: number) => {
      threefry(k0, k1, c0, c1, out);
      return [...out];
    };
    expect(answer(0, 0, 0, 0)).toEqual([0x6b200159, 0x99ba4efe]);
    expect(answer(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff)).toEqual([0x1cb996fc, 0xbb002be7]);
    expect(answer(0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3)).toEqual([0xc4923a9c, 0x483df7a0]);
  });

  it("a draw depends on seed, name and index alone", () => {
    const a = stream(5, "wind");
    const forwards = [0, 1, 2, 3].map((i) => a.normal(i));
    const b = stream(5, "wind");
    expect([3, 2, 1, 0].map((i) => b.normal(i)).reverse()).toEqual(forwards);
    expect(stream(6, "wind").normal(0)).not.toBe(forwards[0]);
    expect(stream(5, "wind2").normal(0)).not.toBe(forwards[0]);
    expect(stream(5 + 2 ** 32, "wind").normal(0)).not.toBe(forwards[0]);
    expect(a.uniform(2 ** 32)).not.toBe(a.uniform(0));
  });

  const N = 200_000;
  const draws = (f: (i: number) => number) => Float64Array.from({ length: N }, (_, i) => f(i));
  const moment = (list: Float64Array, k: number) => list.reduce((s, v) => s + v ** k, 0) / N;
  const s = stream(2024, "moments");

  // Five standard errors of each sample moment: a right generator fails once in two million seeds.
  it("uniform: moments, range, and the Kolmogorov-Smirnov distance", () => {
    const u = draws(s.uniform);
    expect(Math.min(...u.slice(0, 1000))).toBeGreaterThan(0);
    expect(Math.abs(moment(u, 1) - 1 / 2)).toBeLessThan((5 * Math.sqrt(1 / 12)) / Math.sqrt(N));
    expect(Math.abs(moment(u, 2) - 1 / 3)).toBeLessThan((5 * Math.sqrt(4 / 45)) / Math.sqrt(N));
    const sorted = u.slice().sort();
    const distance = sorted.reduce(
      (d, v, i) => Math.max(d, Math.abs(v - i / N), Math.abs(v - (i + 1) / N)),
      0,
    );
    expect(distance * Math.sqrt(N)).toBeLessThan(1.95);
  });
  it("normal: first four moments and the share beyond three sigma", () => {
    const z = draws(s.normal);
    expect(Math.abs(moment(z, 1))).toBeLessThan(5 / Math.sqrt(N));
    expect(Math.abs(moment(z, 2) - 1)).toBeLessThan((5 * Math.sqrt(2)) / Math.sqrt(N));
    expect(Math.abs(moment(z, 3))).toBeLessThan((5 * Math.sqrt(15)) / Math.sqrt(N));
    expect(Math.abs(moment(z, 4) - 3)).toBeLessThan((5 * Math.sqrt(96)) / Math.sqrt(N));
    const share = z.filter((v) => Math.abs(v) > 3).length / N;
    expect(Math.abs(share - 0.0026998)).toBeLessThan((5 * Math.sqrt(0.0027)) / Math.sqrt(N));
  });
  it("exponential: mean 1, variance 1", () => {
    const w = draws(s.exponential);
    expect(Math.abs(moment(w, 1) - 1)).toBeLessThan(5 / Math.sqrt(N));
    expect(Math.abs(moment(w, 2) - 2)).toBeLessThan((5 * Math.sqrt(20)) / Math.sqrt(N));
  });
  it("neighbouring indices and neighbouring streams are uncorrelated", () => {
    const a = draws(s.normal);
    const b = draws(stream(2024, "moments2").normal);
    const c = draws(stream(2025, "moments").normal);
    const correlation = (p: Float64Array, q: Float64Array, lag: number) => {
      let sum = 0;
      for (let i = 0; i + lag < N; i++) sum += p[i] * q[i + lag];
      return sum / N;
    };
    for (const r of [correlation(a, a, 1), correlation(a, a, 2), correlation(a, b, 0), correlation(a, c, 0)])
      expect(Math.abs(r)).toBeLessThan(5 / Math.sqrt(N));
  });
});
