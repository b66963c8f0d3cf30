/** Results of a campaign, to be shown and repeated run by run. */
import { type CampaignSpec, openCampaign } from "../campaign/campaign.ts";
import { endsOf, numbersOf } from "../campaign/numbers.ts";
import { campaignIn } from "../campaign/result.ts";
import { openTable, type Table } from "../campaign/table.ts";
import { InputError } from "../model/input-error.ts";
import type { Spec, TextFile } from "../simulation/flight/action.ts";
import type { VehicleSpec } from "../vehicle-types/vehicle-spec.ts";

export interface CampaignRuns {
  readonly title: string;
  readonly vehicle: string | VehicleSpec;
  readonly files: readonly TextFile[];
  /** Indices, and whether each failed. */
  readonly run: Float64Array;
  readonly failed: Uint8Array;
  /** Measures first, then what was varied. */
  readonly names: readonly string[];
  readonly numbers: ReadonlyMap<string, Float64Array>;
  /** Two measures that are a place on the ground. */
  readonly landing?: readonly [north: string, east: string];
  /** All that a run depends on. */
  readonly words: CampaignSpec;
}

/** The scenario of one run. */
export const scenarioOfRun = (campaign: CampaignSpec, run: number): Spec =>
  openCampaign(campaign).wordsOf(run);

export async function openCampaignResult(bytes: ArrayBuffer, file: string): Promise<CampaignRuns> {
  const wrong = (problem: string) =>
    new InputError(problem, { file, allowed: "a result of `sideslip campaign`, a .parquet file" });
  try {
    return await read(await openTable(bytes), file, wrong);
  } catch (error) {
    throw error instanceof InputError ? error : wrong(`cannot be read: ${(error as Error).message}`);
  }
}

async function read(
  table: Table,
  file: string,
  wrong: (problem: string) => InputError,
): Promise<CampaignRuns> {
  const campaign = campaignIn(table, wrong);
  const { words, measures, varied, landing, description } = campaign;
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
    words,
  };
}
