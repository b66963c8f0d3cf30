/** Results of a campaign, to be looked at and flown again. */
import { type CampaignWords, openCampaign } from "../campaign/campaign.ts";
import { endsOf, numbersOf } from "../campaign/numbers.ts";
import { openTable } from "../campaign/table.ts";
import type { NamedWords } from "../formats/named-vehicle.ts";
import { InputError } from "../model/input-error.ts";
import type { TextFile, Words } from "../simulation/flight/deeds.ts";

export interface CampaignRuns {
  readonly title: string;
  readonly vehicle: string | NamedWords;
  readonly files: readonly TextFile[];
  /** Indices, and whether each failed. */
  readonly run: Float64Array;
  readonly failed: Uint8Array;
  /** Measures first, then what was varied. */
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, Float64Array>;
  /** Two measures that are a place on the ground. */
  readonly landing?: readonly [north: string, east: string];
  scenarioOf(run: number): Words;
}

export async function openCampaignResult(bytes: ArrayBuffer, file: string): Promise<CampaignRuns> {
  const wrong = (problem: string) =>
    new InputError(problem, { file, allowed: "a result of `sideslip campaign`, a .parquet file" });
  const table = await openTable(bytes).catch((error: Error) => {
    throw wrong(`cannot be read as Parquet: ${error.message}`);
  });
  const text = table.metadata["sideslip.campaign"];
  if (text === undefined) throw wrong("is no result of a campaign");
  const campaign = openCampaign(JSON.parse(text) as CampaignWords);
  const { words, measures, varied, landing, description, wordsOf } = campaign;
  const names = [...measures, ...varied].map(({ name }) => name);
  const numbers = new Map<string, Float64Array>();
  for (const name of names) numbers.set(name, await numbersOf(campaign, table, name));
  return {
    title: description ?? file,
    vehicle: words.vehicle,
    files: Object.entries(words.files).map(([name, content]) => ({ name, text: content })),
    run: await numbersOf(campaign, table, "run"),
    failed: (await endsOf(table)).failed,
    names,
    numbers,
    landing,
    scenarioOf: wordsOf,
  };
}
