import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;

/** A folder that the operating system will clear. */
export const folder = () => mkdtempSync(join(tmpdir(), "sideslip-"));

/** `node`: flags of Node's own. */
export function sideslip(args: readonly string[], cwd = folder(), node: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, bin, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  return { status, stdout, stderr };
}

export function writeFile(text: string | Uint8Array, name = "scenario.yaml", at = folder()): string {
  const path = join(at, name);
  writeFileSync(path, text);
  return path;
}
