/** Inputs from a table of another file: held, in straight lines, and what is wrong in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainSource } from "../../src/model/document.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { Recorder } from "../../src/simulation/recorder.ts";
import { run } from "../../src/simulation/run.ts";
import { readScenario } from "../../src/simulation/scenario.ts";
import { preset } from "../../src/vehicle-types/index.ts";
import { folder, sideslip } from "../support/cli.ts";

const flown = (inputs: unknown, text?: string) => {
  const words = plainSource({ vehicle: "parafoil", duration: 20, control_dt: 0.1, inputs }, "test");
  const open = text === undefined ? undefined : (file: string) => ({ text, file });
  const recorder = new Recorder(["t", "brake_left_cmd", "brake_right_cmd"]);
  const { hash } = run(createSimulation(readScenario(words, preset("parafoil"), open)), 20, [recorder]);
  return { hash, column: (name: string) => Array.from(recorder.column(name)) };
};

describe("inputs from a file", () => {
  const lines = [
    { t: 0, brake_right_cmd: 0.1 },
    { t: 2, brake_left_cmd: 0.5 },
    { t: 7.5, brake_left_cmd: 0 },
  ];
  const table = "t,altitude,brake_left_cmd,brake_right_cmd\n0,9,0,0.1\n2,9,0.5,0.1\n7.5,9,0,0.1\n";

  it("gives the bits of the same lines in the scenario", () => {
    expect(flown({ file: "a.csv" }, table).hash).toBe(flown(lines).hash);
    expect(flown({ file: "a.csv", interpolate: "hold" }, table).hash).toBe(flown(lines).hash);
  });

  it("goes in straight lines between rows, and holds the last", () => {
    const { column } = flown({ file: "a.csv", interpolate: "linear" }, table);
    const [t, left] = [column("t"), column("brake_left_cmd")];
    t.forEach((now, i) => {
      const expected = now < 2 ? now / 4 : now < 7.5 ? 0.5 * (1 - (now - 2) / 5.5) : 0;
      expect(left[i]).toBeCloseTo(expected, 9);
    });
    expect(new Set(column("brake_right_cmd").map((v) => v.toFixed(12)))).toEqual(new Set(["0.100000000000"]));
  });

  it("flies a log's inputs again, to the same bits", () => {
    const at = folder();
    writeFileSync(
      join(at, "first.yaml"),
      "vehicle: parafoil\nduration: 40\ninitial: { altitude: 12 }\ninputs: [{ t: 3, brake_left_cmd: 0.3 }, { t: 6, brake_left_cmd: 0 }]\n",
    );
    writeFileSync(
      join(at, "again.yaml"),
      "vehicle: parafoil\nduration: 40\ninitial: { altitude: 12 }\ninputs: { file: first.csv }\n",
    );
    const first = JSON.parse(sideslip(["run", "first.yaml", "--out", "first.csv", "--json"], at).stdout);
    expect(readFileSync(join(at, "first.csv"), "utf8")).toMatch(/^t,/);
    const again = JSON.parse(sideslip(["run", "again.yaml", "--json"], at).stdout);
    expect(first.events).not.toEqual([]);
    expect(again.hash).toBe(first.hash);
  });

  it.each([
    ["no time", "brake_left_cmd\n1\n", /a\.csv:1: has no column "t"/],
    ["no input", "t,altitude\n1,2\n", /a\.csv:1: has no column that is an input; allowed: .*brake_left_cmd/],
    [
      "an input misspelt",
      "t,brake_lef_cmd\n1,0\n",
      /"brake_lef_cmd" is not an input; did you mean "brake_left_cmd"/,
    ],
    ["a value out of range", "t,brake_left_cmd\n1,0\n2,1.5\n", /a\.csv:3: brake_left_cmd: "1.5".*0 to 1/],
    ["a value that is none", "t,brake_left_cmd\n1,x\n", /a\.csv:2: brake_left_cmd: "x" is not a number/],
    ["a value missing", "t,brake_left_cmd\n1,\n", /a\.csv:2: brake_left_cmd: is missing/],
    ["a negative time", "t,brake_left_cmd\n-1,0\n", /a\.csv:2: t: "-1" is not a number in range/],
    ["time that goes back", "t,brake_left_cmd\n2,0\n1,0\n", /a\.csv:3: t: 1 s comes after 2 s/],
    ["a time twice", "t,brake_left_cmd\n2,0\n2,1\n", /a\.csv:3: t: the time 2 s appears twice/],
    ["no rows", "t,brake_left_cmd\n", /a\.csv: has no rows/],
  ])("refuses %s, with its place", (_, text, message) => {
    expect(() => flown({ file: "a.csv" }, text)).toThrow(message);
  });

  it("refuses a file where none can be opened, and another way of interpolating", () => {
    expect(() => flown({ file: "a.csv" })).toThrow(/inputs\.file: a\.csv cannot be opened here/);
    expect(() => flown({ file: "a.csv", interpolate: "cubic" }, table)).toThrow(/interpolate/);
  });
});
