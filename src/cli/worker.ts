/** `sideslip worker`: computes blocks of campaigns that other machines started. */

import { availableParallelism } from "node:os";
import type { Command } from "commander";
import { wholeNumber } from "./number-flags.ts";
import { withRedis } from "./optional-packages.ts";
import { say } from "./terminal.ts";

interface WorkerFlags {
  readonly engine: string;
  readonly threads?: string;
  readonly plain?: boolean;
}

export function addWorker(program: Command): void {
  program
    .command("worker")
    .description("compute runs of campaigns with --engine, until stopped")
    .requiredOption("--engine <redis://...>", "the Redis server that the campaign names")
    .option("--threads <n>", "threads of this machine (default: all cores)")
    .option("--plain", "without WebAssembly kernels: slower, bit-identical results")
    .addHelpText(
      "after",
      `
Example, on as many machines as you like:
  sideslip worker --engine redis://user:password@host:6379
and on one:
  sideslip campaign my-campaign.yaml --engine redis://user:password@host:6379
`,
    )
    .action(workerCommand);
}

async function workerCommand({ engine, threads, plain }: WorkerFlags): Promise<void> {
  const count = threads === undefined ? availableParallelism() : wholeNumber(threads, "--threads", 1, 1024);
  const stopped = new AbortController();
  const line = (text: string) => say(`${text}\n`);
  const interrupt = () => {
    if (stopped.signal.aborted) process.exit(1);
    line("finishing the blocks in progress; Ctrl-C again stops at once");
    stopped.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const { serveBlocks } = await withRedis(() => import("../campaign/redis-worker.ts"));
  const { refuseUnreachable, shownUrl } = await import("../campaign/redis.ts");
  await refuseUnreachable(engine);
  let [blocks, runs, failed] = [0, 0, 0];
  let reportedAt = 0;
  const work = serveBlocks({
    url: engine,
    threads: count,
    isPlain: plain,
    thread: new URL("./sideslip-thread.js", import.meta.url),
    stop: stopped.signal,
    tell: line,
    done(result) {
      blocks++;
      runs += result.runs;
      failed += result.failed;
      if (performance.now() - reportedAt < 5000) return;
      reportedAt = performance.now();
      line(`${blocks} blocks, ${runs} runs, ${failed} of them failed`);
    },
  });
  line(`working for campaigns at ${shownUrl(engine)} with ${count} threads; Ctrl-C stops`);
  await work;
  line(`done: ${blocks} blocks, ${runs} runs, ${failed} of them failed`);
}
