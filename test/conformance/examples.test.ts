import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { preset } from "../../src/vehicle-types/index.ts";
import { folder, sideslip } from "../support/cli.ts";

const root = new URL("../..", import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), "utf8");

describe("examples", () => {
  const programs = readdirSync(join(root, "examples")).filter((f) => f.endsWith(".ts"));
  it("there are three, of at most 60 lines", () => {
    expect(programs.length).toBe(3);
    for (const f of programs) expect(read(`examples/${f}`).split("\n").length).toBeLessThanOrEqual(60);
  });
  for (const file of programs)
    it(`${file} runs and prints a result`, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ["--import", import.meta.resolve("tsx"), join(root, "examples", file)],
        { cwd: folder(), encoding: "utf8" },
      );
      expect(stderr).toBe("");
      expect(status).toBe(0);
      expect(stdout).toMatch(/\d/);
    });
  for (const file of readdirSync(join(root, "examples")).filter((f) => f.endsWith(".yaml")))
    it(`${file} runs without complaint, a parafoil to the ground, a car to its finish`, () => {
      const { stdout, stderr } = sideslip(["run", join(root, "examples", file), "--json"]);
      expect(stderr).toBe("");
      const { vehicle, events } = JSON.parse(stdout);
      const names = events.map((e: { name: string }) => e.name);
      const { name } = preset(vehicle).model;
      if (name === "car") expect(names.filter((n: string) => n !== "lap")).toEqual(["start", "finish"]);
      else if (name === "parafoil") expect(names).toEqual(["landing"]);
      // In the room it shall bump into things.
      else if (file !== "iris-room.yaml")
        expect(names.filter((n: string) => /impact|tip_over/.test(n))).toEqual([]);
    });
});
