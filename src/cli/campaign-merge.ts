/** `sideslip campaign merge`: merges the shards of a campaign. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { inOrder, isUnchanged, mergeRows } from "../campaign/merge.ts";
import { InputError } from "../model/input-error.ts";
import type { MergeOptions } from "./campaign.ts";
import { refuseOutputs, refuseToReplace } from "./campaign-output.ts";
import { openResult, showResult } from "./campaign-show.ts";

export async function mergeResults(paths: readonly string[], options: MergeOptions): Promise<void> {
  refuseOutputs(options.out, options.report);
  if (paths.some((path) => resolve(path) === resolve(options.out)))
    throw new InputError("is also one of the inputs", {
      field: "--out",
      file: options.out,
      allowed: "another name",
    });
  const results = [];
  try {
    for (const path of paths) results.push({ path, ...(await openResult(path)) });
    const [{ campaign }] = results;
    for (const { path, campaign: its, table } of results) {
      if (its.hash !== campaign.hash)
        throw new InputError(`is of another campaign (${its.hash}, ${paths[0]} is of ${campaign.hash})`, {
          file: path,
        });
      if (!(await isUnchanged(table)))
        throw new InputError("was changed after it was written: its rows do not match its digest", {
          file: path,
          allowed: "the file as `sideslip campaign` wrote it; run this shard again",
        });
    }
    if (existsSync(options.out) && options.force !== true) await refuseToReplace(options.out, campaign);
    // Check that every run is present before anything is written.
    const there = new Uint8Array(campaign.runs);
    for (const { table } of results)
      for await (const { columns, rows } of table.pieces(["run"]))
        for (let i = 0; i < rows; i++) there[Number(columns[0][i])] = 1;
    const missing = there.reduce((n, is) => n + 1 - is, 0);
    if (missing > 0)
      throw new InputError(
        `${missing} of ${campaign.runs} runs are missing from these files, for example run ${there.indexOf(0)}`,
        {
          field: "<results>",
          allowed: "all shards of the campaign",
        },
      );
    const tables = results.map(({ table }) => table);
    await mergeRows(campaign, (take) => inOrder(tables, take), options.out);
  } finally {
    for (const { close } of results) close();
  }
  await showResult(options.out, options);
}
