/** Campaigns killed hundreds of times, at other moments each time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DROPS, rowsIn, surviveKills } from "../support/campaign.ts";
import { folder, sideslip } from "../support/cli.ts";

it("gives the same rows whenever it is killed", async () => {
  const at = folder();
  const spec = join(at, "drops.yaml");
  writeFileSync(spec, DROPS.replace("runs: 320", "runs: 1600"));
  expect(sideslip(["campaign", spec, "--out", "truth.parquet"], at).status).toBe(0);
  const truth = await rowsIn(join(at, "truth.parquet"));
  const seed = Date.now() % 1e6;
  for (let round = 0; round < 5; round++) {
    const out = join(at, `killed-${round}.parquet`);
    const { kills, inWrites } = await surviveKills(spec, out, at, 60, seed + round);
    console.log(`seed ${seed + round}: ${kills} kills, ${inWrites} of them with a file in the making`);
    expect(await rowsIn(out)).toEqual(truth);
  }
});
