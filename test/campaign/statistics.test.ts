/** Estimates hold the truth as often as they say; draws have the distributions and the evenness that they promise. */
import { describe, expect, it } from "vitest";
import { type Distribution, quantileOf as drawn } from "../../src/campaign/distributions.ts";
import { normalProbability, normalQuantile } from "../../src/campaign/normal.ts";
import { permutation, uniforms } from "../../src/campaign/sampling.ts";
import { SOBOL_DIMENSIONS, sobol } from "../../src/campaign/sobol.ts";
import {
  correlation,
  histogram,
  meanOf,
  proportionOf,
  quantile,
  quantileOf,
  rankCorrelation,
  ranks,
  scatterOf,
} from "../../src/campaign/statistics.ts";
import { stream } from "../../src/math/random.ts";

describe("the normal distribution", () => {
  // Where half of the C library's erfc(-x / sqrt 2) is p, by bisection.
  it.each([
    [0.5, 0],
    [0.75, 0.6744897501960817],
    [0.9, 1.2815515655446004],
    [0.975, 1.959963984540054],
    [0.999, 3.090232306167813],
    [1e-10, -6.361340902404056],
    [1e-20, -9.262340089798407],
    [1e-300, -37.0470962993612],
  ])("quantile at %s", (p, x) => {
    expect(Math.abs(normalQuantile(p) - x)).toBeLessThan(1e-11 * Math.max(1, Math.abs(x)));
    expect(Math.abs(normalProbability(x) / p - 1)).toBeLessThan(1e-8);
  });
});

/** Numbers of a stream. */
const sample = (n: number, seed: number, f: (u: number) => number) => {
  const { uniform } = stream(seed, "test");
  return Float64Array.from({ length: n }, (_, i) => f(uniform(i)));
};

describe("intervals hold the truth in about 95 of 100 campaigns", () => {
  const CAMPAIGNS = 2000;
  /** Of so many trials with probability 0.95, five standard errors. */
  const isAbout = (hits: number, rate = 0.95) =>
    expect(Math.abs(hits / CAMPAIGNS - rate)).toBeLessThan(5 * Math.sqrt((0.95 * 0.05) / CAMPAIGNS));
  const count = (holds: (seed: number) => boolean) => {
    let hits = 0;
    for (let seed = 1; seed <= CAMPAIGNS; seed++) if (holds(seed)) hits++;
    return hits;
  };

  it.each([5, 30, 400])("the mean of %s normal numbers", (n) =>
    isAbout(
      count((seed) => {
        const { low, high } = meanOf(sample(n, seed, (u) => 3 + 2 * normalQuantile(u)));
        return low <= 3 && 3 <= high;
      }),
    ),
  );
  it.each([
    [20, 0.5],
    [300, 0.05],
    [300, 0.9],
    [2000, 0.5],
    [20000, 0.99],
  ])("of %s exponential numbers the quantile %s, never less often than they say", (n, p) => {
    const truth = -Math.log(1 - p);
    const campaigns = n > 5000 ? 300 : CAMPAIGNS;
    let hits = 0;
    for (let seed = 1; seed <= campaigns; seed++) {
      const { low, high } = quantileOf(sample(n, seed, (u) => -Math.log(1 - u)).sort(), p);
      if (low <= truth && truth <= high) hits++;
    }
    // Order statistics are discrete: the interval is at least that wide, and not much wider.
    expect(hits / campaigns).toBeGreaterThan(0.95 - 5 * Math.sqrt(0.0475 / campaigns));
    expect(hits / campaigns).toBeLessThan(0.995);
  });
  it.each([
    [40, 0.5],
    [200, 0.1],
  ])("of %s runs the share %s that fails", (n, p) => {
    const hits = count((seed) => {
      const failed = sample(n, seed, (u) => (u < p ? 1 : 0)).reduce((a, b) => a + b, 0);
      const { low, high } = proportionOf(failed, n);
      return low <= p && p <= high;
    });
    expect(Math.abs(hits / CAMPAIGNS - 0.95)).toBeLessThan(0.035);
  });
  it("too few values have no interval for a far quantile, and say so", () => {
    const { low, high } = quantileOf(
      Float64Array.from({ length: 20 }, (_, i) => i),
      0.99,
    );
    expect(low).toBeLessThan(19);
    expect(high).toBeNaN();
  });
});

describe("distributions", () => {
  const N = 20_000;
  const moments = (d: Distribution) => meanOf(sample(N, 7, (u) => drawn(d)(u) as number));
  it.each<[string, Distribution, number, number]>([
    ["normal", { kind: "normal", mean: 5, sd: 2 }, 5, 2],
    ["uniform", { kind: "uniform", from: -1, to: 3 }, 1, 4 / Math.sqrt(12)],
    // Of exp(N(0, s^2)): mean exp(s^2/2), variance (exp(s^2) - 1) exp(s^2).
    [
      "lognormal",
      { kind: "lognormal", median: 2, sigma: 0.5 },
      2 * Math.exp(0.125),
      2 * Math.sqrt((Math.exp(0.25) - 1) * Math.exp(0.25)),
    ],
    // Cut at one sd on both sides: variance 1 - 2 phi(1)/(2 Phi(1) - 1) = 0.2911.
    ["truncated", { kind: "truncated", mean: 1, sd: 1, from: 0, to: 2 }, 1, Math.sqrt(0.291125)],
  ])("%s has its mean and deviation", (_name, d, mean, sd) => {
    const found = moments(d);
    expect(Math.abs(found.value - mean)).toBeLessThan((5 * sd) / Math.sqrt(N));
    expect(Math.abs(found.sd / sd - 1)).toBeLessThan(0.05);
  });
  it("a choice comes as often as its weight", () => {
    const d: Distribution = { kind: "choice", values: ["a", "b", "c"], weights: [1, 0, 3] };
    const picks = Array.from({ length: N }, (_, i) => drawn(d)(stream(3, "c").uniform(i)));
    expect(picks.filter((p) => p === "b")).toHaveLength(0);
    expect(Math.abs(picks.filter((p) => p === "c").length / N - 0.75)).toBeLessThan(
      5 * Math.sqrt(0.1875 / N),
    );
  });
});

describe("sampling", () => {
  it("a permutation visits every place once", () => {
    for (const n of [1, 2, 3, 10, 97, 1000]) {
      const place = permutation(n, 5, "x");
      expect(Array.from({ length: n }, (_, i) => place(i)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: n }, (_, i) => i),
      );
    }
  });
  it("a Latin hypercube has one run in each slice of each field, and fields are independent", () => {
    const n = 500;
    const [a, b] = ["a", "b"].map((name, d) => {
      const u = uniforms("latin", 1, name, d, n, 1);
      return Float64Array.from({ length: n }, (_, i) => u(i));
    });
    for (const list of [a, b])
      expect(Array.from(list, (u) => Math.floor(u * n)).sort((x, y) => x - y)).toEqual(
        Array.from({ length: n }, (_, i) => i),
      );
    expect(Math.abs(correlation(a, b))).toBeLessThan(5 / Math.sqrt(n));
    // McKay, Beckman and Conover: for a sum of functions of one field each the variance of the mean falls to nearly nothing.
    expect(Math.abs(meanOf(a).value - 0.5)).toBeLessThan(1e-3);
  });
  it("Sobol's points are a net: every elementary interval has its share", () => {
    const m = 10;
    for (let d = 0; d < SOBOL_DIMENSIONS; d++) {
      const cells = Array.from({ length: 2 ** m }, (_, i) => sobol(i, d) >>> (32 - m));
      expect(new Set(cells).size, `dimension ${d}`).toBe(2 ** m);
    }
    // The first two dimensions are a (0, m, 2)-net: boxes of 2^-a by 2^-(m - a) hold one point each.
    for (let a = 0; a <= m; a++) {
      const boxes = Array.from({ length: 2 ** m }, (_, i) => {
        const x = a === 0 ? 0 : sobol(i, 0) >>> (32 - a);
        const y = a === m ? 0 : sobol(i, 1) >>> (32 - (m - a));
        return `${x} ${y}`;
      });
      expect(new Set(boxes).size, `a = ${a}`).toBe(2 ** m);
    }
  });
  it("Sobol's points integrate a smooth function far better than random ones", () => {
    const n = 4096;
    const f = (u: readonly number[]) => u.reduce((p, v, i) => p * (1 + (v - 0.5) / (i + 1)), 1);
    const error = (sampling: "random" | "sobol") => {
      const draws = Array.from({ length: 8 }, (_, d) => uniforms(sampling, 3, `f${d}`, d, n, 1));
      let sum = 0;
      for (let i = 0; i < n; i++) sum += f(draws.map((u) => u(i)));
      return Math.abs(sum / n - 1);
    };
    expect(error("sobol")).toBeLessThan(error("random") / 5);
    expect(error("sobol")).toBeLessThan(1e-3);
  });
  it("streams of different fields and of runs next to each other are not correlated", () => {
    const n = 4000;
    const of = (seed: number, name: string) =>
      Float64Array.from({ length: n }, (_, i) => stream(seed, name).uniform(i));
    const bound = 5 / Math.sqrt(n);
    expect(Math.abs(correlation(of(1, "campaign.a"), of(1, "campaign.b")))).toBeLessThan(bound);
    const seeds = [4294967296, 4294967297, 4294967298, 2 * 4294967296];
    for (const a of seeds)
      for (const b of seeds)
        if (a < b) expect(Math.abs(correlation(of(a, "wind"), of(b, "wind")))).toBeLessThan(bound);
  });
});

describe("what results tell", () => {
  it("ranks share ties, and rank correlation sees any rising relation", () => {
    expect([...ranks([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]);
    const x = sample(300, 1, (u) => u);
    expect(
      rankCorrelation(
        x,
        x.map((v) => Math.exp(9 * v)),
      ).rho,
    ).toBeCloseTo(1, 12);
    expect(
      rankCorrelation(
        x,
        sample(300, 2, (u) => u),
      ).isSignificant,
    ).toBe(false);
    // Spearman's own formula without ties: 1 - 6 sum d^2/(n (n^2 - 1)).
    const [a, b] = [
      [1, 2, 3, 4, 5],
      [2, 1, 4, 3, 5],
    ];
    expect(rankCorrelation(a, b).rho).toBeCloseTo(1 - (6 * 4) / (5 * 24), 12);
  });
  it("CEP and ellipse of a normal scatter are those of theory", () => {
    const n = 40_000;
    const north = sample(n, 11, normalQuantile).map((v) => 10 + 3 * v);
    const east = sample(n, 12, normalQuantile).map((v) => -5 + 3 * v);
    const { cep, major, minor, centre } = scatterOf(north, east);
    // Rayleigh's median: sigma sqrt(2 ln 2); 95 % within sigma sqrt(-2 ln 0.05).
    expect(Math.abs(cep.value / (3 * Math.sqrt(2 * Math.log(2))) - 1)).toBeLessThan(0.02);
    expect(Math.abs(major / (3 * Math.sqrt(-2 * Math.log(0.05))) - 1)).toBeLessThan(0.02);
    expect(major / minor).toBeLessThan(1.03);
    expect(Math.abs(centre[0] - 10)).toBeLessThan(0.08);
  });
  it("an ellipse points where the scatter does", () => {
    const along = sample(5000, 1, normalQuantile);
    const across = sample(5000, 2, normalQuantile);
    const angle = 0.6;
    const north = along.map((a, i) => 5 * a * Math.cos(angle) - across[i] * Math.sin(angle));
    const east = along.map((a, i) => 5 * a * Math.sin(angle) + across[i] * Math.cos(angle));
    const { direction, major, minor } = scatterOf(north, east);
    expect(Math.abs(direction - angle)).toBeLessThan(0.02);
    expect(Math.abs(major / minor - 5)).toBeLessThan(0.2);
  });
  it("a histogram counts all", () => {
    const sorted = sample(1000, 4, normalQuantile).sort();
    const { from, step, counts } = histogram(sorted);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(1000);
    expect(from + step * counts.length).toBeCloseTo(sorted[999], 9);
    expect(quantile(sorted, 0)).toBe(sorted[0]);
  });
});

describe("draws where they are hard", () => {
  it("a grid's cells each have the whole of Sobol's sequence", () => {
    const [cells, n] = [4, 1024];
    const u = uniforms("sobol", 1, "x", 0, n, cells);
    for (let cell = 0; cell < cells; cell++) {
      const draws = Float64Array.from({ length: n / cells }, (_, i) => u(cell + cells * i));
      expect(Math.abs(meanOf(draws).value - 0.5), `cell ${cell}`).toBeLessThan(0.01);
      expect(new Set(Array.from(draws, (v) => Math.floor(v * 256))).size).toBe(256);
    }
  });
  it.each([
    [9, 10],
    [-10, -9],
    [25, 26],
  ])("a normal distribution cut from %s to %s sd is there, and as its mirror image", (from, to) => {
    const draw = drawn({ kind: "truncated", mean: 0, sd: 1, from, to });
    const mirror = drawn({ kind: "truncated", mean: 0, sd: 1, from: -to, to: -from });
    for (const u of [1e-6, 0.2, 0.5, 0.9, 1 - 1e-6]) {
      expect(draw(u)).toBeGreaterThanOrEqual(from);
      expect(draw(u)).toBeLessThanOrEqual(to);
      expect(draw(u)).toBeCloseTo(-(mirror(1 - u) as number), 9);
    }
    // Far out the density falls as exp(-x dx): most lies within 1/x of the near end.
    const near = from > 0 ? (draw(0.5) as number) - from : to - (draw(0.5) as number);
    expect(near).toBeCloseTo(Math.log(2) / Math.min(Math.abs(from), Math.abs(to)), 1);
  });
  it("one or two values have the intervals of Student's own table", () => {
    const { low, high, sd } = meanOf([1, 3]);
    expect((high - low) / 2).toBeCloseTo((12.7062 * sd) / Math.sqrt(2), 3);
    expect(meanOf([1]).low).toBeNaN();
    expect(proportionOf(0, 320).low).toBe(0);
    expect(proportionOf(320, 320).high).toBe(1);
  });
  it("no points, or one, have no scatter", () => {
    expect(scatterOf([], []).centre[0]).toBeNaN();
    expect(scatterOf([], []).cep.value).toBeNaN();
    expect(scatterOf([3], [4]).major).toBeNaN();
  });
});
