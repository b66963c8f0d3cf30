import { existsSync, readFileSync } from "node:fs";
import { describe } from "vitest";

const root = new URL("../../../shared/", import.meta.url);
const present = existsSync(root);
if (!present && process.env.CI === "true")
  throw new Error("CI without ../shared: the vector suites cannot run");
if (!present)
  console.warn("SKIPPED: ../shared is absent, so suites that compare with its vectors do not run here");

/** A suite that needs ../shared. */
export const describeWithShared = present ? describe : describe.skip;
export const readShared = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"));
