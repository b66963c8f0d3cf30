/** Blocks done by workers anywhere, through a queue in Redis (BullMQ): each at least once; what comes twice is dropped. */
import { Queue, QueueEvents } from "bullmq";
import { InputError } from "../model/input-error.ts";
import type { BlockResult } from "./block.ts";
import type { Campaign } from "./campaign.ts";
import type { Engine } from "./engine.ts";
import { IDENTITY } from "./identity.ts";
import {
  BadResultError,
  campaignKey,
  connect,
  connectionOptions,
  isAway,
  type Job,
  KEEP_CAMPAIGN,
  NO_ANSWER,
  QUEUE,
  received,
  type SentResult,
  shownUrl,
  workerKey,
} from "./redis.ts";

/** Blocks in the queue at once: results wait in Redis until they are collected. */
const AHEAD = 256;
/** Between looks at all that is under way, besides hearing of it [ms]. */
const LOOK = 2000;
/** Without an answer from Redis for so long, it is given up [ms]. */
const GIVE_UP = 10 * 60 * 1000;

export function redisEngine(url: string, tell: (text: string) => void): Engine {
  return {
    isRemote: true,
    async run(campaign, blocks, done, stop) {
      if (blocks.length > 0) await new Collector(url, tell, campaign, done, stop).collect(blocks);
    },
  };
}

/** So often what is no result is asked for again. */
const MOST_BAD = 3;

class Collector {
  private readonly url: string;
  private readonly tell: (text: string) => void;
  private readonly campaign: Campaign;
  private readonly done: (block: number, result: BlockResult) => Promise<void>;
  private readonly stop: AbortSignal;
  private readonly queue: Queue<Job, SentResult>;
  private readonly events: QueueEvents;
  /** How often a block came back as no result. */
  private readonly bad = new Map<number, number>();
  private readonly redis;
  private readonly waiting = new Set<number>();
  private failure: Error | undefined;
  private lastAnswer = Date.now();
  private lastProgress = Date.now();
  private reported = "";

  constructor(
    url: string,
    tell: (text: string) => void,
    campaign: Campaign,
    done: (block: number, result: BlockResult) => Promise<void>,
    stop: AbortSignal,
  ) {
    this.url = url;
    this.tell = tell;
    this.campaign = campaign;
    this.done = done;
    this.stop = stop;
    this.redis = connect(url);
    this.queue = new Queue(QUEUE, { connection: connectionOptions(url) });
    this.events = new QueueEvents(QUEUE, { connection: connectionOptions(url) });
    // They reconnect by themselves; silence is noticed below.
    this.redis.on("error", () => {});
    this.queue.on("error", () => {});
    this.events.on("error", () => {});
  }

  private idOf(block: number): string {
    return `${this.campaign.hash}-${block}`;
  }

  async collect(blocks: readonly number[]): Promise<void> {
    const left = [...blocks].reverse();
    const { campaign, stop, waiting } = this;
    let wake = () => {};
    const heard = new Set<number>();
    const hear = ({ jobId }: { jobId: string }) => {
      if (!jobId.startsWith(`${campaign.hash}-`)) return;
      heard.add(Number(jobId.slice(campaign.hash.length + 1)));
      wake();
    };
    this.events.on("completed", hear);
    this.events.on("failed", hear);
    stop.addEventListener("abort", () => wake(), { once: true });
    try {
      for (let lastLook = 0; waiting.size + left.length > 0 && !stop.aborted; ) {
        const isLooking = Date.now() - lastLook > LOOK;
        let isAnswered = false;
        try {
          if (isLooking) await this.keepWords();
          while (waiting.size < AHEAD && left.length > 0) {
            const block = left[left.length - 1];
            await this.add(block);
            waiting.add(block);
            left.pop();
          }
          const look = isLooking ? [...waiting] : [...heard].filter((b) => waiting.has(b));
          heard.clear();
          for (const block of look) await this.take(block);
          if (isLooking) {
            await this.lookForWorkers();
            lastLook = Date.now();
          }
          this.answered();
          isAnswered = true;
        } catch (error) {
          this.silent(error as Error);
        }
        if (this.failure) throw this.failure;
        if (!isAnswered || (heard.size === 0 && waiting.size > 0))
          await new Promise<void>((go) => {
            const timer = setTimeout(go, LOOK);
            wake = () => {
              clearTimeout(timer);
              go();
            };
          });
      }
    } finally {
      await this.close();
    }
  }

  private async keepWords(): Promise<void> {
    const { hash, words } = this.campaign;
    await this.soon(this.redis.set(campaignKey(hash), JSON.stringify(words), "EX", KEEP_CAMPAIGN));
  }

  /** A job of this name that is there already is not added again. */
  private async add(block: number): Promise<void> {
    await this.soon(
      this.queue.add(
        "block",
        { hash: this.campaign.hash, block },
        { jobId: this.idOf(block), attempts: 3, backoff: { type: "fixed", delay: 1000 } },
      ),
    );
  }

  /** Takes a block's result, if it is there. */
  private async take(block: number): Promise<void> {
    const job = await this.soon(this.queue.getJob(this.idOf(block)));
    // Redis may have expired it, or it was deleted.
    if (job === undefined) return this.add(block);
    const state = await this.soon(job.getState());
    if (state === "failed") {
      await this.soon(job.remove());
      this.failure = new Error(`block ${block} failed at a worker: ${job.failedReason}`);
    }
    if (state !== "completed") return;
    this.lastProgress = Date.now();
    const { returnvalue } = job;
    await this.soon(job.remove());
    // Where it cannot be used, the block is missed at the next look and asked for again.
    try {
      await this.done(block, received(returnvalue));
    } catch (error) {
      if (!(error instanceof BadResultError)) throw error;
      const times = (this.bad.get(block) ?? 0) + 1;
      this.bad.set(block, times);
      if (times < MOST_BAD) {
        this.reportOnce(`${error.message} for block ${block}; it is asked for again`);
        return;
      }
      this.failure = new Error(
        `${error.message} for block ${block}, ${times} times: does another program use this Redis?`,
      );
      return;
    }
    this.waiting.delete(block);
  }

  /** Reports why there is no progress. */
  private async lookForWorkers(): Promise<void> {
    if (Date.now() - this.lastProgress < 3 * LOOK) return;
    const keys = await this.soon(this.redis.keys(workerKey("*")));
    const versions = keys.length === 0 ? [] : await this.soon(this.redis.mget(keys));
    const others = [...new Set(versions.filter((v) => v !== null && v !== IDENTITY))];
    if (versions.includes(IDENTITY)) return;
    const advice = `start some: sideslip worker --engine ${shownUrl(this.url)}`;
    this.reportOnce(
      others.length === 0
        ? `no worker is connected; ${advice}`
        : `all connected workers have another version (${others.join(", ")}; this is ${IDENTITY}) and cannot take part; ${advice}`,
    );
  }

  private reportOnce(text: string): void {
    if (text !== this.reported) this.tell(text);
    this.reported = text;
  }

  private answered(): void {
    if (this.reported.startsWith("Redis")) this.reportOnce("Redis answers again; continuing");
    this.lastAnswer = Date.now();
  }

  private silent(error: Error): void {
    if (error instanceof InputError) throw error;
    // It answered, and what it said cannot be used: waiting would not help.
    if (!isAway(error)) {
      this.failure = error;
      return;
    }
    if (Date.now() - this.lastAnswer > GIVE_UP)
      this.failure = new Error(`Redis at ${shownUrl(this.url)} has not answered for ten minutes`);
    else this.reportOnce(`Redis does not answer (${error.message}); waiting for it`);
  }

  /** Commands wait while the connection is away: too long is an answer, too. */
  private soon<T>(promise: Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new Error(NO_ANSWER)), 5 * LOOK);
      void promise.finally(() => clearTimeout(timer)).catch(() => {});
    });
    return Promise.race([promise, late]);
  }

  private async close(): Promise<void> {
    const { queue, events, redis, waiting } = this;
    // What nobody will collect should not be done; but nobody waits long for a Redis that is away.
    const left = this.stop.aborted || this.failure ? [...waiting] : [];
    const all = Promise.allSettled(left.map((block) => queue.remove(this.idOf(block)))).then(() =>
      Promise.allSettled([events.close(), queue.close()]),
    );
    await Promise.race([all, new Promise((go) => setTimeout(go, LOOK))]);
    void Promise.allSettled([events.disconnect(), queue.disconnect()]);
    redis.disconnect();
  }
}
