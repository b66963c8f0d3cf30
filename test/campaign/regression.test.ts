/** Slopes and their intervals, and what a grid's cells hold. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { normalQuantile } from "../../src/campaign/normal.ts";
import { regression } from "../../src/campaign/regression.ts";
import { stream } from "../../src/math/random.ts";
import { folder, sideslip } from "../support/cli.ts";

// Longley's data with NIST's certified results (StRD, linear regression, "higher" difficulty): prices, product,
// unemployed, armed forces, population and year for employment.
const LONGLEY = [
  [60323, 83.0, 234289, 2356, 1590, 107608, 1947],
  [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
  [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
  [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
  [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
  [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
  [64989, 99.0, 365385, 1870, 3547, 115094, 1953],
  [63761, 100.0, 363112, 3578, 3350, 116219, 1954],
  [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
  [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
  [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
  [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
  [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
  [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
  [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
  [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
];
const CERTIFIED = [
  { slope: 15.0618722713733, deviation: 84.9149257747669 },
  { slope: -0.035819179292591, deviation: 0.0334910077722432 },
  { slope: -2.02022980381683, deviation: 0.488399681651699 },
  { slope: -1.03322686717359, deviation: 0.214274163161675 },
  { slope: -0.0511041056535807, deviation: 0.22607320006937 },
  { slope: 1829.15146461355, deviation: 455.478499142212 },
];
/** Student's 97.5 % point for 9 degrees of freedom. */
const T9 = 2.262157162854099;

describe("regression", () => {
  const [y, ...fields] = LONGLEY[0].map((_, j) => LONGLEY.map((row) => row[j]));

  it("gives NIST's certified slopes, deviations and R squared", () => {
    const { slopes, explained } = regression(fields, y);
    expect(explained).toBeCloseTo(0.995479004577296, 10);
    CERTIFIED.forEach(({ slope, deviation }, j) => {
      expect(Math.abs(slopes[j].value / slope - 1)).toBeLessThan(1e-6);
      expect(Math.abs((slopes[j].high - slopes[j].value) / (T9 * deviation) - 1)).toBeLessThan(1e-3);
      expect(slopes[j].high - slopes[j].value).toBeCloseTo(slopes[j].value - slopes[j].low, 6);
    });
  });

  it("leaves runs out that lack the measure, and fields that do not vary or repeat others", () => {
    const gaps = [...y, Number.NaN];
    const constant = gaps.map(() => 7.1);
    const wide = fields.map((field) => [...field, 1e9]);
    const { slopes } = regression([constant, ...wide], gaps);
    expect(slopes[0].value).toBeNaN();
    CERTIFIED.forEach(({ slope }, j) => {
      expect(Math.abs(slopes[j + 1].value / slope - 1)).toBeLessThan(1e-6);
    });
    const [first] = fields;
    for (const { value } of regression([first, first.map((v) => 3 * v + 1)], y).slopes)
      expect(value).toBeNaN();
    for (const { value } of regression(
      fields,
      y.map((v, i) => (i < 7 ? v : Number.NaN)),
    ).slopes)
      expect(value).toBeNaN();
  });

  it("holds the true slope in about 95 of 100 campaigns", () => {
    const CAMPAIGNS = 1000;
    let hits = 0;
    for (let seed = 1; seed <= CAMPAIGNS; seed++) {
      const { uniform } = stream(seed, "slopes");
      const column = (k: number) => Float64Array.from({ length: 24 }, (_, i) => uniform(100 * k + i));
      const [a, b] = [column(0), column(1)];
      const noise = column(2).map(normalQuantile);
      const [slope] = regression(
        [a, b],
        a.map((v, i) => 3 * v - 2 * b[i] + 0.7 * noise[i]),
      ).slopes;
      if (slope.low <= 3 && 3 <= slope.high) hits++;
    }
    expect(Math.abs(hits / CAMPAIGNS - 0.95)).toBeLessThan(5 * Math.sqrt((0.95 * 0.05) / CAMPAIGNS));
  });
});

describe("a campaign over a grid of one field", () => {
  const at = folder();
  // A ground speed of v carries a parafoil without any inputs v further each second.
  const spec = `
scenario: { vehicle: parafoil, duration: 10, initial: { altitude: 500 }, wind: { steady: [0, 0, 0] } }
runs: 30
vary:
  parameters.m: { uniform: { from: 2.4 kg, to: 2.5 kg } }
  wind.steady.0: { grid: [0, 2, 5] }
measure: { north: { final: north } }
fail: north > 80
`;

  it("tells each cell, in JSON, words and on the page", () => {
    writeFileSync(join(at, "c.yaml"), spec);
    const { grid } = JSON.parse(sideslip(["campaign", "c.yaml", "--json"], at).stdout);
    expect(grid.axes).toEqual([{ field: "wind.steady.0", values: [0, 2, 5] }]);
    expect(grid.cells.map((cell: { at: number[]; runs: number }) => [cell.at, cell.runs])).toEqual([
      [[0], 10],
      [[2], 10],
      [[5], 10],
    ]);
    const rows = sideslip(["campaign", "show", "c.parquet", "--report", "c.html"], at).stdout;
    expect(rows).toMatch(/^wind\.steady\.0 +runs +failed +north$/m);
    expect(rows).toMatch(/slope \(95 % interval\)/);
  });

  it("takes means of the runs in the cell", async () => {
    const { rowsIn } = await import("../support/campaign.ts");
    const { grid } = JSON.parse(sideslip(["campaign", "show", "c.parquet", "--json"], at).stdout);
    const rows = await rowsIn(join(at, "c.parquet"));
    for (const { at: place, failed, means } of grid.cells) {
      const own = rows.filter((row) => row["wind.steady.0"] === place[0]);
      const mean = own.reduce((sum, row) => sum + Number(row.north), 0) / own.length;
      expect(means.north.value).toBeCloseTo(mean, 9);
      expect(means.north.low).toBeLessThan(mean);
      expect(failed.count).toBe(own.filter((row) => Number(row.north) > 80).length);
    }
  });

  it("words as values have a table, two fields maps", () => {
    writeFileSync(
      join(at, "w.yaml"),
      spec.replace("wind.steady.0: { grid: [0, 2, 5] }", "integrator: { grid: [rk4, euler] }"),
    );
    const { grid } = JSON.parse(sideslip(["campaign", "w.yaml", "--json"], at).stdout);
    expect(grid.cells.map((cell: { at: string[]; runs: number }) => [cell.at, cell.runs])).toEqual([
      [["rk4"], 15],
      [["euler"], 15],
    ]);
    writeFileSync(
      join(at, "two.yaml"),
      spec.replace(
        "parameters.m: { uniform: { from: 2.4 kg, to: 2.5 kg } }",
        "parameters.m: { grid: [2.4, 2.5] }",
      ),
    );
    const two = JSON.parse(
      sideslip(["campaign", "two.yaml", "--json", "--report", "two.html"], at).stdout,
    ).grid;
    expect(two.cells.map((cell: { at: number[]; runs: number }) => [...cell.at, cell.runs])).toEqual(
      [0, 2, 5].flatMap((v) => [2.4, 2.5].map((m) => [m, v, 5])),
    );
  });
});
