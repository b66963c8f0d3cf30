import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder, writeFile } from "../support/cli.ts";
import { peakMemory } from "../support/memory.ts";

it("10^7 ticks to CSV stay under 200 MB of memory", async () => {
  const at = folder();
  const file = writeFile(
    "vehicle: parafoil\nduration: 200000\ndt: 0.02\ninitial: { down: -9e6 }\n",
    "s.yaml",
    at,
  );
  const { megabytes, status } = await peakMemory(
    ["run", file, "--out", "f.csv", "--fields", "altitude,airspeed"],
    at,
  );
  console.log(
    `peak ${megabytes.toFixed(0)} MB, file ${(statSync(join(at, "f.csv")).size / 1e6).toFixed(0)} MB`,
  );
  expect(status).toBe(0);
  expect(megabytes).toBeLessThan(200);
});
