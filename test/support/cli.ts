import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./folder.mjs";

export { folder };

const bin = new URL("../../bin/sideslip.js", import.meta.url).pathname;

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
