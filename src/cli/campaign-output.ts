/** Checks where a campaign's results may be written, before the runs start. */
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Campaign } from "../campaign/campaign.ts";
import { isUnchanged } from "../campaign/merge.ts";
import { InputError } from "../model/input-error.ts";
import { openResult } from "./campaign-show.ts";
import { reason } from "./files.ts";

/** A result and the page beside it. */
export function refuseOutputs(out: string, report: string | undefined): void {
  if (!/\.parquet$/i.test(out))
    throw new InputError("is not the name of a Parquet file", {
      field: "--out",
      value: out,
      file: out,
      allowed: ".parquet",
    });
  if (report !== undefined && !/\.html?$/i.test(report))
    throw new InputError("is not the name of an HTML page", {
      field: "--report",
      value: report,
      allowed: ".html",
    });
  for (const path of [out, ...(report === undefined ? [] : [report])]) refuseUnwritable(path);
}

function refuseUnwritable(path: string): void {
  const folder = dirname(resolve(path));
  const wrong = (problem: string) => new InputError(`cannot be written: ${problem}`, { file: path });
  if (!existsSync(folder)) throw wrong("its folder does not exist");
  if (!statSync(folder).isDirectory()) throw wrong(`${folder} is not a folder`);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw wrong("it is a directory");
  try {
    accessSync(folder, constants.W_OK);
    const attempt = `${path}.${process.pid}.try`;
    writeFileSync(attempt, "");
    rmSync(attempt);
  } catch (error) {
    throw wrong(reason(error));
  }
}

/** Throws unless the existing file is the same result (campaign and shard), complete and unchanged. */
export async function refuseToReplace(out: string, campaign: Campaign, share = ""): Promise<void> {
  const refuse = (problem: string) =>
    new InputError(problem, { file: out, allowed: "another --out; --force replaces it" });
  let there: Awaited<ReturnType<typeof openResult>>;
  try {
    there = await openResult(out);
  } catch (error) {
    throw refuse(`exists and is not a campaign result (${reason(error)})`);
  }
  try {
    const { table } = there;
    const its = table.metadata["sideslip.shard"] ?? "";
    if (there.campaign.hash !== campaign.hash)
      throw refuse(`holds the result of another campaign (${there.campaign.hash})`);
    if (its !== share) throw refuse(`holds ${its === "" ? "all runs" : `shard ${its}`} of this campaign`);
    if (!(await isUnchanged(table))) throw refuse("holds rows that were changed after they were written");
  } finally {
    there.close();
  }
}
