/** A worker of distributed campaigns: takes blocks from the queue and does them on threads. */
import { randomUUID } from "node:crypto";
import { UnrecoverableError, Worker } from "bullmq";
import { Piscina } from "piscina";
import type { BlockResult } from "./block.ts";
import type { CampaignSpec } from "./campaign.ts";
import { IDENTITY } from "./identity.ts";
import {
  campaignKey,
  connect,
  connectionOptions,
  isAway,
  type Job,
  QUEUE,
  type SentResult,
  sent,
  WORKER_ALIVE,
  workerKey,
} from "./redis.ts";
import { textHash } from "./text-hash.ts";
import type { ThreadTask } from "./thread.ts";

export interface WorkerOptions {
  readonly url: string;
  readonly threads: number;
  readonly isPlain?: boolean;
  readonly thread: URL;
  /** Called for every block. */
  readonly done: (result: BlockResult) => void;
  readonly tell: (text: string) => void;
  readonly stop: AbortSignal;
}

/** A worker that is not heard of for so long is thought dead, and its block given to another [ms]. */
const LOCK = 5_000;
const CAMPAIGNS = 4;

export async function serveBlocks({
  url,
  threads,
  isPlain,
  thread,
  done,
  tell,
  stop,
}: WorkerOptions): Promise<void> {
  const redis = connect(url);
  const pool = new Piscina({
    filename: thread.href,
    minThreads: 1,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
  });
  const known = new Map<string, CampaignSpec>();
  const wordsOf = async (hash: string): Promise<CampaignSpec> => {
    const there = known.get(hash);
    if (there !== undefined) return there;
    const text = await redis.get(campaignKey(hash));
    if (text === null) throw new Error(`the specification ${hash} is not in Redis`);
    if (textHash(text) !== hash)
      throw new UnrecoverableError(`the specification in Redis is not ${hash}: it was changed`);
    const words = JSON.parse(text) as CampaignSpec;
    if (known.size >= CAMPAIGNS) known.clear();
    known.set(hash, words);
    return words;
  };
  const worker = new Worker<Job, SentResult>(
    QUEUE,
    async ({ data: { hash, block } }) => {
      const task: ThreadTask = { words: await wordsOf(hash), hash, block, isPlain };
      const result = (await pool.run(task)) as BlockResult;
      done(result);
      return sent(result);
    },
    {
      connection: connectionOptions(url),
      concurrency: threads,
      lockDuration: LOCK,
      stalledInterval: LOCK / 2,
      // A block may lose many workers before one lives long enough.
      maxStalledCount: 1000,
    },
  );
  let isSilent = false;
  const silent = (error: Error) => {
    // A block that took too long, or a process that was paused: its lock went to somebody else.
    if (/lock/i.test(error.message))
      tell(`a block was given to another worker: this one was too slow, or paused (${error.message})`);
    else if (!isAway(error)) tell(`the work goes on, but: ${error.message}`);
    else {
      if (!isSilent) tell(`Redis does not answer (${error.message}); waiting for it`);
      isSilent = true;
    }
  };
  worker.on("error", silent);
  worker.on("ready", () => {
    if (isSilent) tell("Redis answers again; continuing");
    isSilent = false;
  });
  worker.on("failed", (_, error) => tell(`a block failed: ${error.message}`));
  redis.on("error", silent);
  const id = workerKey(randomUUID());
  const sign = () => void redis.set(id, IDENTITY, "EX", WORKER_ALIVE).catch(() => {});
  sign();
  const signing = setInterval(sign, (WORKER_ALIVE * 1000) / 3);
  await new Promise<void>((go) => {
    if (stop.aborted) go();
    stop.addEventListener("abort", () => go(), { once: true });
  });
  clearInterval(signing);
  // Blocks that have begun are finished, so that nobody need do them again.
  await worker.close();
  await redis.del(id).catch(() => {});
  redis.disconnect();
  await pool.destroy();
}
