/** Runs a campaign: an engine computes its blocks, parts are saved to disk and merged at the end. */

import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import type { BlockResult } from "../campaign/block.ts";
import type { Campaign } from "../campaign/campaign.ts";
import type { Engine } from "../campaign/engine.ts";
import { mergeRows } from "../campaign/merge.ts";
import { Parts } from "../campaign/parts.ts";
import { eachRow, openTable } from "../campaign/table.ts";
import { bytesOf, clearAbandoned, makeFolder, writeWhole } from "../campaign/whole-file.ts";
import { InputError } from "../model/input-error.ts";
import type { CampaignOptions } from "./campaign.ts";
import { refuseOutputs, refuseToReplace } from "./campaign-output.ts";
import { showResult } from "./campaign-show.ts";
import { findCampaign } from "./campaign-source.ts";
import { OutputError, reason } from "./files.ts";
import { Interrupted, SIGNALS, type Signal } from "./interrupted.ts";
import { wholeNumber } from "./number-flags.ts";
import { withRedis } from "./optional-packages.ts";
import { Progress } from "./progress.ts";
import { say } from "./terminal.ts";

function shardOf(text: string | undefined): { part: number; of: number } | undefined {
  if (text === undefined) return undefined;
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (part === undefined || part < 1 || of > 100_000 || part > of)
    throw new InputError(`"${text}" is not a shard`, {
      field: "--shard",
      value: text,
      allowed: "1/n to n/n, for example 3/10",
    });
  return { part, of };
}

async function engineOf({ engine, threads, plain }: CampaignOptions): Promise<Engine> {
  if (engine !== undefined) {
    const { redisEngine } = await withRedis(() => import("../campaign/redis-engine.ts"));
    const { refuseUnreachable } = await import("../campaign/redis.ts");
    await refuseUnreachable(engine);
    return redisEngine(engine, (text) => say(`note: ${text}\n`));
  }
  const { localEngine } = await import("../campaign/local-engine.ts");
  return localEngine({
    threads: threads === undefined ? availableParallelism() : wholeNumber(threads, "--threads", 1, 1024),
    isPlain: plain,
    thread: new URL("./sideslip-thread.js", import.meta.url),
  });
}

export async function flyCampaign(specification: string, options: CampaignOptions): Promise<void> {
  const shard = shardOf(options.shard);
  const campaign = findCampaign(specification, options.runs);
  const stem = basename(specification).replace(/\.ya?ml$/i, "");
  if (shard !== undefined && shard.of > campaign.blocks)
    throw new InputError(`${shard.of} shards are more than the campaign has blocks`, {
      field: "--shard",
      value: options.shard,
      allowed: `up to ${campaign.blocks} shards of ${campaign.blockSize} runs or more`,
    });
  const suffix = `${options.runs === undefined ? "" : `.runs-${campaign.runs}`}${shard === undefined ? "" : `.shard-${shard.part}-of-${shard.of}`}`;
  const out = options.out ?? `${stem}${suffix}.parquet`;
  refuseOutputs(out, options.report);
  clearAbandoned(out);
  const share = shard === undefined ? "" : `${shard.part}/${shard.of}`;
  const own = Array.from({ length: campaign.blocks }, (_, b) => b).filter(
    (b) => shard === undefined || b % shard.of === shard.part - 1,
  );
  const show = () =>
    showResult(out, {
      report: options.report,
      json: options.json,
      specification: options.runs === undefined ? specification : undefined,
    });
  const parts = new Parts(out, campaign, share);
  if (existsSync(out) && options.force !== true) {
    await refuseToReplace(out, campaign, share);
    // An earlier command was killed before it removed the parts.
    if (existsSync(parts.folder)) {
      parts.open(true);
      parts.remove();
    }
    say(`note: ${out} is complete already; --force runs it again\n`);
    return show();
  }
  const engine = await engineOf(options);
  parts.open(options.resume === true);
  if (options.resume !== true) rmSync(tracesOf(out), { recursive: true, force: true });
  const kept = await parts.done((file, problem) => say(`note: ${file} ${problem}; its runs are repeated\n`));
  const left = own.filter((b) => !kept.has(b));
  if (kept.size > 0) say(`note: resuming: ${kept.size} of ${own.length} blocks are complete\n`);
  const failure = await fly(campaign, engine, left, parts, out);
  if (failure !== undefined) {
    parts.close();
    throw failure;
  }
  await finish(campaign, parts, own, out, share);
  await show();
}

/** Runs the remaining blocks; returns the error that stopped it, if any. */
async function fly(
  campaign: Campaign,
  engine: Engine,
  left: readonly number[],
  parts: Parts,
  out: string,
): Promise<Error | undefined> {
  const stopped = new AbortController();
  let signalled: Signal | undefined;
  const interrupt = (signal: Signal) => {
    signalled = signal;
    stopped.abort();
  };
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const progress = new Progress();
  const total = left.length * campaign.blockSize;
  let [runs, failed, dropped, kept] = [0, 0, 0, 0];
  let failure: unknown;
  const done = async (block: number, result: BlockResult) => {
    const problem = engine.isRemote ? await parts.problemIn(result.part.slice().buffer, block) : undefined;
    if (problem !== undefined) {
      failure ??= new Error(`the result of block ${block} ${problem}`);
      stopped.abort();
      return;
    }
    try {
      for (const trace of result.traces) saveTrace(out, trace);
      parts.save(block, result.part);
    } catch (error) {
      failure ??= error;
      stopped.abort();
      return;
    }
    runs += result.runs;
    dropped += result.dropped;
    kept += result.traces.length;
    failed += result.failed;
    const rate = runs / progress.seconds;
    progress.update(runs, total, `${runs} runs, ${rate.toPrecision(3)} a second, ${failed} failed`);
  };
  try {
    await engine.run(campaign, left, done, stopped.signal);
  } catch (error) {
    failure ??= error;
  }
  progress.clear();
  for (const signal of SIGNALS) process.off(signal, interrupt);
  if (kept > 0) say(`note: samples of ${kept} runs are in ${tracesOf(out)}\n`);
  if (dropped > 0)
    say(
      `note: samples of ${dropped} more runs were not saved: at most 100 of each ${campaign.blockSize} runs are\n`,
    );
  const resume = `completed blocks are in ${parts.folder}: repeat the command with --resume to continue`;
  if (failure instanceof InputError) return failure;
  if (failure !== undefined) return new OutputError(`the campaign stopped: ${reason(failure)}; ${resume}`);
  return signalled === undefined ? undefined : new Interrupted(`interrupted; ${resume}`, signalled);
}

const tracesOf = (out: string) => out.replace(/\.parquet$/i, ".traces");

function saveTrace(out: string, { run, bytes }: { readonly run: number; readonly bytes: Uint8Array }): void {
  if (!Number.isInteger(run)) throw new Error(`"${run}" is not a run index`);
  const folder = tracesOf(out);
  makeFolder(folder);
  writeWhole(join(folder, `run-${String(run).padStart(8, "0")}.parquet`), (file) => file.write(bytes));
}

async function finish(
  campaign: Campaign,
  parts: Parts,
  blocks: readonly number[],
  out: string,
  share: string,
): Promise<void> {
  try {
    await mergeRows(
      campaign,
      async (take) => {
        for (const block of blocks) {
          const file = bytesOf(parts.path(block));
          try {
            await eachRow(await openTable(file), take);
          } finally {
            file.close();
          }
        }
      },
      out,
      share === "" ? {} : { "sideslip.shard": share },
    );
  } catch (error) {
    throw new OutputError(
      `${out}: could not be written: ${reason(error)}; the parts are in ${parts.folder}: use --resume to try again`,
    );
  }
  parts.remove();
}
