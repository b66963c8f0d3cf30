import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";

const root = new URL("../../../shared/", import.meta.url);
const present = existsSync(root);
if (!present && process.env.CI === "true")
  throw new Error("CI without ../shared: the vector suites cannot run");
if (!present)
  console.warn("SKIPPED: ../shared is absent, so suites that compare with its vectors do not run here");

/** A suite that needs ../shared. Where that is absent its body, which reads the files, does not even run. */
export const describeWithShared = (name: string, suite: () => void): void => {
  if (present) describe(name, suite);
  else describe.skip(name, () => it("needs ../shared", () => {}));
};
export const readShared = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
export const sharedPath = (path: string) => fileURLToPath(new URL(path, root));
