import { expect, it } from "vitest";
import { allMutants, hunt } from "./hunt.ts";

it("check finds at least 95 of 100 of all mutants", async () => {
  const hunts = await hunt(allMutants());
  const survivors = hunts
    .filter((h) => h.found === undefined)
    .map(({ mutant: m }) => `${m.file}:${m.line} ${m.kind} ${m.term}`);
  console.info(
    `check found ${hunts.length - survivors.length} of ${hunts.length} mutants; survivors:\n${survivors.join("\n")}`,
  );
  expect(survivors.length).toBeLessThanOrEqual(0.05 * hunts.length);
}, 3_600_000);
