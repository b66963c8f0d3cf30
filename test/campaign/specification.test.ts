/** What a person writes: refused in words with its place, or understood. */
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../src/campaign/block.ts";
import { makeCampaign, openCampaign } from "../../src/campaign/campaign.ts";
import { parseExpression } from "../../src/campaign/expression.ts";
import { Meter } from "../../src/campaign/measures.ts";
import { textHash } from "../../src/campaign/text-hash.ts";
import type { Document } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import type { Simulation } from "../../src/simulation/simulation.ts";

const BASE: Record<string, string> = {
  scenario:
    "{ vehicle: parafoil, duration: 5, initial: { altitude: 3, v_north: 4.4, v_down: 0.9 }, faults: [] }",
  runs: "16",
  vary: "{ initial.altitude: { normal: { mean: 3 m, sd: 10 cm } } }",
  measure: "{ n: { final: north } }",
};
function campaign(change: Record<string, string | undefined>) {
  const text = Object.entries({ ...BASE, ...change })
    .filter(([, v]) => v !== undefined)
    .map(([key, v]) => `${key}: ${v}`)
    .join("\n");
  const source = parseYaml(text, "c.yaml");
  const words: Document = {
    file: "c.yaml",
    value: (source.value as { scenario: unknown }).scenario,
    locate: (at, key) => source.locate(["scenario", ...at], key),
  };
  return makeCampaign(source, "parafoil", words);
}
const vary = (text: string) => ({ vary: `{ ${text} }` });

describe("refuses", () => {
  it.each<[string, Record<string, string | undefined>, RegExp]>([
    [
      "a field that is not there",
      vary("initial.altitud: { normal: { mean: 3, sd: 1 } }"),
      /c\.yaml:3:.*vary\.initial\.altitud.*did you mean "altitude"/,
    ],
    [
      "a parameter that is not there",
      vary("parameters.mm: { normal: { mean: 3, sd: 1 } }"),
      /vary\.parameters\.mm.*unknown key/,
    ],
    ["another vehicle", vary("vehicle: { choice: [parafoil, iris] }"), /vary\.vehicle: cannot vary/],
    ["a wrong unit", vary("initial.altitude: { normal: { mean: 3 kg, sd: 1 kg } }"), /wrong kind of unit/],
    [
      "a wrong unit beside a bare zero",
      vary("initial.v_east: { normal: { mean: 0, sd: 3 deg } }"),
      /wrong kind of unit/,
    ],
    ["two units", vary("initial.altitude: { uniform: { from: 3 m, to: 4 kg } }"), /different kinds/],
    [
      "an end out of range",
      vary("parameters.m: { uniform: { from: -1, to: 3 } }"),
      /vary\.parameters\.m.*out of range.*> 0/,
    ],
    ["no spread", vary("parameters.m: { normal: { mean: 2, sd: 0 } }"), /sd: 0 is not a standard deviation/],
    ["an empty range", vary("parameters.m: { uniform: { from: 3, to: 2 } }"), /empty range: 3 to 2/],
    [
      "two distributions",
      vary("parameters.m: { normal: { mean: 2, sd: 1 }, uniform: { from: 1, to: 2 } }"),
      /has normal and uniform/,
    ],
    [
      "a distribution that is not known",
      vary("parameters.m: { gauss: { mean: 2, sd: 1 } }"),
      /gauss.*unknown key/,
    ],
    [
      "infinity",
      vary("parameters.m: { uniform: { from: 1, to: .inf } }"),
      /vary\.parameters\.m\.uniform\.to.*a number in SI units/,
    ],
    ["no number", vary("parameters.m: { uniform: { from: 1, to: .nan } }"), /to.*is not valid here/],
    ["weights that do not fit", vary("parameters.m: { choice: [2, 3], weights: [1] }"), /weights.*2 numbers/],
    [
      "a seed between whole numbers",
      vary("seed: { uniform: { from: 1, to: 10 } }"),
      /vary\.seed.*choice or grid/,
    ],
    [
      "a place that the scenario does not have",
      vary('"faults[0].t": { uniform: { from: 1, to: 2 } }'),
      /the scenario has no faults\[0\]/,
    ],
    [
      "a unit in an expression",
      { measure: "{ n: { time: roll > 30 deg } }" },
      /"deg" is not expected there; numbers are SI: write 30, or 30 \* deg/,
    ],
    ["a seed that is drawn", vary("seed: { choice: [-1] }"), /vary\.seed/],
    ["no runs", { runs: "0" }, /c\.yaml:2:.*runs.*0.*out of range.*1 to/],
    ["half a run", { runs: "2.5" }, /runs.*whole number/],
    ["runs left out", { runs: undefined }, /runs: is missing/],
    [
      "runs that do not fill the grid",
      { ...vary("parameters.m: { grid: [2, 2.2, 2.4] }") },
      /16 runs do not fill the grid of 3.*multiple of 3/,
    ],
    ["nothing to measure", { measure: "{}" }, /measures nothing/],
    [
      "a channel that is not there",
      { measure: "{ n: { final: nort } }" },
      /measure\.n\.final.*unknown name "nort".*did you mean "north"/,
    ],
    ["an event that is not there", { measure: "{ n: { event: lap } }" }, /there is no event "lap".*landing/],
    ["a name that is taken", { measure: "{ run: { final: north } }" }, /"run" cannot be a measure's name/],
    ["two kinds of a measure", { measure: "{ n: { final: north, max: north } }" }, /is final and max/],
    ["a chained comparison", { fail: "0 < n < 5" }, /cannot be chained/],
    ["a condition over what is not measured", { fail: "north > 5" }, /unknown name "north"/],
    ["a landing of one number", { landing: "[n]" }, /landing.*two measures/],
    ["a landing that is not measured", { landing: "[n, e]" }, /"e" is not measured/],
    [
      "too many fields for Sobol",
      {
        sampling: "sobol",
        vary: `{ ${Array.from({ length: 22 }, (_, i) => `"faults[${i}].t": { uniform: { from: 0, to: 1 } }`).join(", ")} }`,
      },
      /22 fields are too many for sobol/,
    ],
    ["a word that is not known", { sampling: "lhs" }, /sampling.*random, latin, sobol/],
    ["all traces of very many runs", { runs: "1000000", traces: "{ every: 1 }" }, /traces.*up to 10000/],
    [
      "a seed of the wind that is drawn",
      { scenario: BASE.scenario.replace("faults: []", "wind: { seed: -1, colored: { tau: 1, sigma: 1 } }") },
      /wind\.seed.*same each time/,
    ],
  ])("%s", (_what, change, words) => {
    expect(() => campaign(change)).toThrow(words);
  });
});

it("a run whose failure cannot be decided has failed", () => {
  const c = campaign({
    measure: "{ n: { final: north }, late: { first: altitude > 50 } }",
    fail: "late > 1",
  });
  expect(rowsOf(c, 0, 4).every((row) => row.failed)).toBe(true);
});

describe("understands", () => {
  it("choices of words, grids with repeats, units, lists and seeds of one's own", () => {
    const c = campaign({
      runs: "12",
      vary: `{ integrator: { choice: [rk4, euler], weights: [1, 3] }, parameters.m: { grid: [2 kg, 2.4 kg] }, initial.yaw: { grid: { from: -90 deg, to: 90 deg, count: 3 } }, seed: { choice: [5] } }`,
    });
    const rows = rowsOf(c, 0, 12);
    expect(rows.every((row) => row.error === undefined)).toBe(true);
    expect(rows.map((row) => row.drawn[1])).toEqual([2, 2, 2, 2.4, 2.4, 2.4, 2, 2, 2, 2.4, 2.4, 2.4]);
    expect(rows.slice(0, 3).map((row) => row.drawn[2])).toEqual([-Math.PI / 2, 0, Math.PI / 2]);
    expect(new Set(rows.map((row) => row.drawn[0]))).toEqual(new Set(["rk4", "euler"]));
    expect(new Set(rows.map((row) => row.seed))).toEqual(new Set([5]));
  });
  it("a run whose numbers cannot be fails with the reason, the others do not", () => {
    // A payload of next to nothing, which no mass above zero is less than.
    const scenario = BASE.scenario.replace("faults: []", "faults: [], parameters: { m_payload: 1e-6 }");
    const rows = rowsOf(
      campaign({ ...vary("parameters.m: { normal: { mean: 0.3, sd: 0.4 } }"), scenario }),
      0,
      16,
    );
    const bad = rows.filter((row) => row.end === "error");
    expect(bad.length).toBeGreaterThan(1);
    expect(bad.length).toBeLessThan(15);
    expect(bad[0].error).toMatch(/cannot begin: .*parameters\.m: -0\.\d+ is out of range/);
    expect(bad.every((row) => row.failed && Number.isNaN(row.measured[0]))).toBe(true);
  });
  it("infinite measures count for failures, and words survive JSON", () => {
    const c = campaign({
      measure: "{ k: { final: 1 / (0 * north) } }",
      fail: "k > 10",
      scenario: BASE.scenario.replace("v_down: 0.9", "v_down: 0.9, v_east: -0.0"),
    });
    const rows = rowsOf(c, 0, 4);
    expect(rows.every((row) => row.failed)).toBe(true);
    expect(rowsOf(openCampaign(JSON.parse(JSON.stringify(c.words))), 0, 4)).toEqual(rows);
  });
  it("a sample that has no number leaves none for the run's extremes", () => {
    const of = parseExpression("a", ["a"]);
    const values = (samples: number[]) => {
      const meter = new Meter([
        { name: "m", kind: "max", of },
        { name: "n", kind: "min", of },
      ]);
      for (const v of samples) meter.write(Float64Array.of(v));
      return [...meter.values({ sample: () => Float64Array.of(0), events: [] } as unknown as Simulation)];
    };
    expect(values([5, 100, 3])).toEqual([100, 3]);
    expect(values([5, 100, Number.NaN, 3])).toEqual([Number.NaN, Number.NaN]);
  });
  it("texts that differ have different hashes", () => {
    const seen = new Set<string>();
    for (let i = 0; i < 300_000; i++) seen.add(textHash(`${"x".repeat(20)}${String(i).padStart(8, "0")}`));
    expect(seen.size).toBe(300_000);
  });
});
