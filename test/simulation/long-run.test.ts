import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, writeFile } from "../support/cli.ts";
import { peakMemory } from "../support/memory.ts";

/** So many ticks of a flight far above the ground, every column to CSV; memory must not follow its length. */
async function fly(ticks: number, fields: string[]) {
  const at = folder();
  const file = writeFile(
    `vehicle: parafoil\nduration: ${ticks * 0.02}\ndt: 0.02\ninitial: { down: -9e6 }\n`,
    "s.yaml",
    at,
  );
  const peak = await peakMemory(["run", file, "--out", "f.csv", ...fields], at);
  return { ...peak, bytes: statSync(join(at, "f.csv")).size };
}

it("a run to CSV needs the same memory whatever its length (10^4 and 10^5 ticks, all columns)", async () => {
  const short = await fly(10_000, []);
  const long = await fly(100_000, []);
  expect([short.status, long.status]).toEqual([0, 0]);
  expect(long.bytes).toBeGreaterThan(9 * short.bytes);
  expect(long.megabytes).toBeLessThan(200);
  expect(long.megabytes - short.megabytes).toBeLessThan(60); // the collector's own slack
});
