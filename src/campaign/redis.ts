/** What the two sides of a distributed campaign agree on: names in Redis, and how to reach it. */
import { Redis } from "ioredis";
import * as z from "zod";
import { InputError } from "../model/input-error.ts";
import type { BlockResult } from "./block.ts";
import { IDENTITY } from "./identity.ts";

/** Workers with other equations have another queue: they never see these blocks. */
export const QUEUE = `sideslip-${IDENTITY}`;
export const campaignKey = (hash: string): string => `sideslip:campaign:${hash}`;
export const workerKey = (id: string): string => `sideslip:worker:${id}`;
/** How long the spec of a campaign is kept after its last use [s]. */
export const KEEP_CAMPAIGN = 7 * 24 * 3600;
/** How long a worker is thought to be there after its last word [s]. */
export const WORKER_ALIVE = 15;

/** A block to be done. */
export interface Job {
  readonly hash: string;
  readonly block: number;
}

/** A result as JSON. */
export interface SentResult extends Omit<BlockResult, "part" | "traces"> {
  readonly part: string;
  readonly traces: readonly { readonly run: number; readonly bytes: string }[];
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const bytes = (sent: string) => new Uint8Array(Buffer.from(sent, "base64"));
export const sent = (r: BlockResult): SentResult => ({
  ...r,
  part: text(r.part),
  traces: r.traces.map((t) => ({ run: t.run, bytes: text(t.bytes) })),
});

/** A worker's bytes: somewhat more than a block of ours ever has. */
const LARGEST_SENT = 1 << 28;
const base64 = z.base64().max(LARGEST_SENT);
const count = z.int().min(0).max(1e9);
const sentSchema = z.object({
  runs: count,
  failed: count,
  dropped: count,
  part: base64,
  traces: z.array(z.object({ run: count, bytes: base64 })).max(1000),
});

/** Whoever reaches Redis may have put it there: anything but a result is rejected with a message. */
export function received(given: unknown): BlockResult {
  const { success, data } = sentSchema.safeParse(given);
  if (!success) throw new BadResultError();
  return {
    ...data,
    part: bytes(data.part),
    traces: data.traces.map((t) => ({ run: t.run, bytes: bytes(t.bytes) })),
  };
}

export class BadResultError extends Error {
  constructor() {
    super("a worker sent data that is not a result");
  }
}

/** Whether an error means that Redis is away, rather than that something is wrong with what it holds. */
export const isAway = (error: Error): boolean =>
  error.message === NO_ANSWER ||
  /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_)/.test((error as NodeJS.ErrnoException).code ?? "") ||
  /Connection is closed|ECONN|ETIMEDOUT|LOADING|MaxRetries|Stream isn't writeable/i.test(error.message);
export const NO_ANSWER = "no answer";

/** Without user and password. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname, username, password } = new URL(url);
  const who = password !== "" ? `${username}:***@` : username === "" ? "" : `${username}@`;
  return `${protocol}//${who}${host}${pathname}`;
}

/** Options of connections: user, password, database and TLS as the URL says; patient, because Redis may go away for a while. */
export function connectionOptions(url: string): {
  url: string;
  maxRetriesPerRequest: null;
  retryStrategy: (times: number) => number;
} {
  const wrong = (problem: string) =>
    new InputError(problem, {
      field: "--engine",
      allowed: "redis://[user:password@]host[:port][/database], or rediss:// with TLS",
    });
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw wrong("is not an address");
  }
  if (!/^rediss?:$/.test(parsed.protocol) || parsed.hostname === "")
    throw wrong(`"${parsed.protocol}//" is not known`);
  if (parsed.search !== "" || parsed.hash !== "")
    throw wrong("has more than user, password, host, port and database");
  return { url, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(200 * times, 2000) };
}

const PATIENCE = 5000;

/** A first request to the server, so that a wrong address or password is reported at once. */
export async function refuseUnreachable(url: string): Promise<void> {
  const { url: _, ...options } = connectionOptions(url);
  const client = new Redis(url, {
    ...options,
    lazyConnect: true,
    connectTimeout: PATIENCE,
    retryStrategy: () => null,
  });
  let problem = "";
  client.on("error", (error: Error) => {
    problem = error.message;
  });
  const wrong = (why: string) =>
    new InputError(`${shownUrl(url)} cannot be used: ${why}`, {
      field: "--engine",
      allowed: "the address of a Redis server that answers",
    });
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(wrong("it does not answer")), PATIENCE).unref();
  });
  try {
    await Promise.race([client.connect().then(() => client.ping()), late]);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw wrong(problem || (error as Error).message);
  } finally {
    client.disconnect();
  }
}

export function connect(url: string): Redis {
  const { url: _, ...options } = connectionOptions(url);
  return new Redis(url, options);
}
