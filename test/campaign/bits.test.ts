/** The examples: each run has the same row with machine code and without, and again by itself. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { rowsOf } from "../../src/campaign/block.ts";
import { makeCampaign, openCampaign } from "../../src/campaign/campaign.ts";
import type { Document } from "../../src/model/document.ts";
import { parseYaml } from "../../src/model/yaml.ts";
import { createSimulation } from "../../src/simulation/create.ts";
import { run } from "../../src/simulation/run.ts";

function example(name: string) {
  const path = new URL(`../../examples/campaigns/${name}.yaml`, import.meta.url).pathname;
  const source = parseYaml(readFileSync(path, "utf8"), name);
  const { scenario } = source.value as { scenario: { vehicle: string } };
  const words: Document = {
    file: name,
    value: scenario,
    locate: (at, key) => source.locate(["scenario", ...at], key),
  };
  return makeCampaign(source, scenario.vehicle, words);
}

it.each(["parafoil-landing", "quad-gust-margin", "car-lap-sensitivity"])("%s", (name) => {
  const campaign = example(name);
  // Not a multiple of the lanes, from the middle.
  const [from, to] = [37, 44];
  const rows = rowsOf(campaign, from, to);
  const plain = rowsOf(openCampaign(campaign.words, { isPlain: true }), from, to, { isPlain: true });
  expect(rows).toEqual(plain);
  expect(rows.map((row) => row.run)).toEqual([37, 38, 39, 40, 41, 42, 43]);
  expect(new Set(rows.map((row) => row.hash)).size).toBe(7);
  const { scenario } = campaign.plan(40);
  expect(run(createSimulation(scenario), scenario.duration).hash).toBe(rows[3].hash);
  // Words go through JSON to other machines.
  const sent = openCampaign(JSON.parse(JSON.stringify(campaign.words)));
  expect(sent.hash).toBe(campaign.hash);
  expect(rowsOf(sent, 40, 41)).toEqual([rows[3]]);
});
