import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { check } from "../../src/analysis/check/check.ts";
import { preset, presetNames } from "../../src/vehicle-types/index.ts";
import { allMutants, hunt, huntOne, survivorsOf } from "./hunt.ts";
import { NAMED } from "./named.ts";

/** Every so manieth: `npm run soak` tries all. */
const EVERY = 20;

describe("check", () => {
  it.each(presetNames())("finds nothing wrong with %s", (name) => {
    expect(check(preset(name)).filter((f) => f.status === "wrong")).toEqual([]);
  });
  it.each(NAMED)("finds $mistake", async ({ file, from, to, vehicles, law }) => {
    const text = readFileSync(file, "utf8");
    expect(text.split(from).length, `"${from}" stands once in ${file}`).toBe(2);
    const { found, byLaw } = await huntOne({ [resolve(file)]: text.replace(from, to) }, vehicles, true);
    expect(found).toBeDefined();
    if (law) expect(byLaw).toMatch(new RegExp(`^${law}:`));
  });
  it("finds at least 95 of 100 terms dropped, negated or doubled", async () => {
    const mutants = allMutants().filter((_, i) => i % EVERY === 0);
    expect(mutants.length).toBeGreaterThan(100);
    const hunts = await hunt(mutants);
    const survivors = survivorsOf(hunts);
    expect(survivors.length).toBeLessThanOrEqual(0.05 * hunts.length);
  }, 600_000);
});
