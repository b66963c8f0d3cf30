/** The README and the guide do what they say: files are written, commands run, programs compile and run. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folder, sideslip } from "../support/cli.ts";

const root = new URL("../..", import.meta.url).pathname;
const pages = [
  "README.md",
  ...readdirSync(join(root, "docs/guide"))
    .filter((f) => f.endsWith(".md"))
    .map((f) => `docs/guide/${f}`),
];

/** Words of a shell's command; quotes hold them together, # begins a comment. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/\s#.*$/, "").matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);

/** A folder as a reader has it: the examples in it, and the package to import from. */
function workplace(): string {
  const at = folder("guide");
  symlinkSync(join(root, "examples"), join(at, "examples"));
  symlinkSync(join(root, "node_modules"), join(at, "node_modules"));
  writeFileSync(join(at, "package.json"), '{ "type": "module" }');
  return at;
}

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, code]) => ({
    language,
    code,
  }));
  const at = workplace();

  it("runs from its first block to its last", () => {
    for (const { language, code } of blocks) {
      if (language === "yaml") {
        const name = /^# (\S+\.yaml)$/m.exec(code)?.[1];
        expect(name, `a file without a name in ${page}:\n${code}`).toBeDefined();
        writeFileSync(join(at, name as string), code);
      } else if (language === "sh")
        for (const line of code.trim().split("\n")) {
          const [npx, command, ...args] = wordsOf(line);
          expect([npx, command]).toEqual(["npx", "sideslip"]);
          const { status, stderr } = sideslip(args, at);
          expect(status, `${line}\n${stderr}`).toBe(0);
        }
      else if (language === "ts") {
        // Self-reference: the package is found by its own name from below its folder.
        const file = join(root, "dist", `guide-${process.pid}.ts`);
        writeFileSync(file, code);
        try {
          const { status, stderr, stdout } = spawnSync(
            process.execPath,
            ["--import", import.meta.resolve("tsx"), file],
            { cwd: at, encoding: "utf8" },
          );
          expect(status, `${code}\n${stderr}`).toBe(0);
          expect(stdout).not.toMatch(/NaN|Error/);
        } finally {
          spawnSync("rm", ["-f", file]);
        }
      }
    }
  }, 240_000);

  it("leads to pages that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link);
    const missing = links.filter((link) => {
      const { status } = spawnSync("test", ["-e", join(root, page, "..", link)]);
      return status !== 0;
    });
    expect(missing).toEqual([]);
  });
});
