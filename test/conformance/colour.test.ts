/** Colour on a terminal, and nowhere else. */
import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { folder, sideslip } from "../support/cli.ts";

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;
const ESCAPE = "\u001b[";
/** As on a terminal, whose colours Node takes from the environment. */
const onTerminal = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [bin, ...args], {
    cwd: folder(),
    encoding: "utf8",
    env: { ...process.env, FORCE_COLOR: "1", ...env },
  });

describe("colour", () => {
  it("marks verdicts, headings and complaints on a terminal", () => {
    const { stdout } = onTerminal(["check", "advanced-plane", "--set", "surfaces.1.Cemq=12"]);
    expect(stdout).toContain(`${ESCAPE}32mfine${ESCAPE}39m  finite`);
    expect(stdout).toContain(`\n${ESCAPE}31mWRONG${ESCAPE}39m  `);
    expect(stdout).toContain(`${ESCAPE}1m\nIn which direction do forces and moments act?`);
    expect(onTerminal(["run", "nix"]).stderr).toMatch(/^.\[31msideslip.\[39m: there is no vehicle "nix"/);
  });

  it("adds nothing but escapes: words are those of a file", () => {
    const coloured = onTerminal(["check", "parafoil"]).stdout;
    const { stdout } = sideslip(["check", "parafoil"]);
    expect(stdout).not.toContain(ESCAPE);
    expect(stripVTControlCharacters(coloured)).toBe(stdout);
  });

  it("is not in JSON, and a name's own escapes are shown, not sent", () => {
    expect(onTerminal(["check", "parafoil", "--json"]).stdout).not.toContain(ESCAPE);
    const { stderr } = onTerminal(["run", "\u001b[5mblink"]);
    expect(stderr).toContain("\\u001b[5mblink");
    expect(stderr).not.toContain(`${ESCAPE}5m`);
  });
});
