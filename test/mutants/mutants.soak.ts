import { expect, it } from "vitest";
import { allMutants, hunt, survivorsOf } from "./hunt.ts";

it("check finds at least 95 of 100 of all mutants", async () => {
  const hunts = await hunt(allMutants());
  const survivors = survivorsOf(hunts);
  expect(survivors.length).toBeLessThanOrEqual(0.05 * hunts.length);
}, 3_600_000);
