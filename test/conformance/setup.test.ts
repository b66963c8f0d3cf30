/** What npx and npm find in a clone and in a package. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { folder } from "../support/folder.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const node = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, SIDESLIP_BUILT: undefined, ...env },
  });

it("npx in a fresh clone: npm's own step does nothing there, and cannot break it", () => {
  const clone = folder("clone");
  for (const name of ["scripts", "bin", "package.json"])
    cpSync(join(root, name), join(clone, name), { recursive: true });
  const { status, stderr } = node([join(clone, "scripts/setup.mjs"), "prepare"], { npm_command: "exec" });
  expect(status).toBe(0);
  expect(stderr).toBe("");
});

it("what is built is not built again", () => {
  const built = ["dist/sideslip.js", "dist/index.js", "dist/studio/index.html"].map((file) =>
    join(root, file),
  );
  const times = () => built.map((file) => statSync(file).mtimeMs);
  const before = times();
  const { status, stderr } = node([join(root, "scripts/build.mjs")]);
  expect(status).toBe(0);
  expect(stderr).toBe("");
  expect(times()).toEqual(before);
});

it("a package without its build says so", () => {
  const damaged = folder("damaged");
  mkdirSync(join(damaged, "bin"));
  writeFileSync(join(damaged, "package.json"), '{ "type": "module" }');
  cpSync(join(root, "bin/sideslip.js"), join(damaged, "bin/sideslip.js"));
  const { status, stderr } = node([join(damaged, "bin/sideslip.js"), "list"]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/dist\/sideslip\.js is missing: this package is damaged, install it again/);
  expect(stderr).not.toMatch(/at .*\.js:\d/);
});
