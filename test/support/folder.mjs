// Temporary folders of tests and benches: all below one, which goes when the run ends.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where it is, for the processes of one run. */
const ROOT = "SIDESLIP_TEST_FOLDER";

/** Makes the folder of a run; vitest calls it before all tests, and what it returns after them. */
export default function setup() {
  const root = mkdtempSync(join(tmpdir(), "sideslip-"));
  process.env[ROOT] = root;
  return () => rmSync(root, { recursive: true, force: true });
}

/** A new, empty folder. */
export function folder(name = "") {
  if (process.env[ROOT] === undefined) process.once("exit", setup());
  const root = process.env[ROOT];
  mkdirSync(root, { recursive: true });
  return mkdtempSync(join(root, `${name}-`));
}
