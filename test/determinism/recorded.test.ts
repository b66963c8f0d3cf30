/**
 * Bits that must not change without a reason in the CHANGELOG: states of the examples, presets and campaigns, numbers of the analyses,
 * and the names that scripts rely on. Recorded before the second edition's rebuild, by the commands below.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { presetNames } from "../../src/vehicle-types/index.ts";
import { sideslip } from "../support/cli.ts";

const root = new URL("../..", import.meta.url).pathname;
const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), "utf8"));
const json = (...words: string[]) => {
  const { status, stdout, stderr } = sideslip([...words, "--json"]);
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
};

describe("state hashes are those that were recorded", () => {
  const { examples, presets, campaigns } = recorded("state-hashes");
  it("of every example, preset and campaign there is", () => {
    expect(Object.keys(examples).map((words) => words.split(" ")[0])).toEqual(
      readdirSync(`${root}examples`).filter((file) => file.endsWith(".yaml")),
    );
    expect(Object.keys(presets)).toEqual(presetNames().sort());
    expect(Object.keys(campaigns)).toEqual(readdirSync(`${root}examples/campaigns`));
  });
  // Scenarios with seed: -1 draw one; they are given a seed here.
  it.each(Object.entries<string>(examples))("example %s: %s", (words, hash) => {
    const [file, ...flags] = words.split(" ");
    expect(json("run", `${root}examples/${file}`, ...flags).hash).toBe(hash);
  });
  it.each(Object.entries<string>(presets))("preset %s: %s", (name, hash) => {
    expect(json("run", name).hash).toBe(hash);
  });
  it.each(Object.entries<string[]>(campaigns))("runs 0, 1 and 7 of %s", (file, hashes) => {
    const path = `${root}examples/campaigns/${file}`;
    expect([0, 1, 7].map((index) => json("run", path, "--index", String(index)).hash)).toEqual(hashes);
  });
});

describe("analyses give the numbers that were recorded", () => {
  /** All numbers of a JSON text in their order: words may change, numbers may not. */
  const digest = (result: unknown) => {
    const numbers: number[] = [];
    JSON.stringify(result, (_, value) => {
      if (typeof value === "number") numbers.push(value);
      return value;
    });
    return `${numbers.length} ${createHash("sha256").update(numbers.join(" ")).digest("hex").slice(0, 16)}`;
  };
  it.each(Object.entries<Record<string, string>>(recorded("analysis")))("%s", (name, commands) => {
    for (const [command, expected] of Object.entries(commands))
      expect(digest(json(command, name)), command).toBe(expected);
  });
});

describe("names that scripts rely on are those that were recorded", () => {
  const { commands, fields } = recorded("names");
  it.each(Object.entries<string[]>(commands))("sideslip %s keeps its flags", (command, flags) => {
    const { stdout } = sideslip([...command.split(" "), "--help"]);
    const listed = stdout.split(/\s+/);
    for (const flag of flags) expect(listed, flag).toContain(flag.split(" ")[0]);
  });
  it.each(Object.entries<Record<string, string>>(fields))(
    "%s keeps its fields, in their order",
    (name, kinds) => {
      const described = json("describe", name);
      for (const [kind, names] of Object.entries(kinds))
        expect((described[kind] ?? []).map((field: { name: string }) => field.name).join(" "), kind).toBe(
          names,
        );
    },
  );
});
