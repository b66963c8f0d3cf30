/** Blocks on threads of this machine. */
import { Piscina } from "piscina";
import type { BlockResult } from "./block.ts";
import type { Engine } from "./engine.ts";
import type { ThreadTask } from "./thread.ts";

export interface LocalOptions {
  readonly threads: number;
  readonly isPlain?: boolean;
  /** The compiled thread.ts. */
  readonly thread: URL;
}

export function localEngine({ threads, isPlain, thread }: LocalOptions): Engine {
  return {
    isRemote: false,
    async run(campaign, blocks, done, stop) {
      const count = Math.max(1, Math.min(threads, blocks.length));
      const pool = new Piscina({
        filename: thread.href,
        minThreads: count,
        maxThreads: count,
        concurrentTasksPerWorker: 1,
        // What runs leave behind is swept often rather than kept long: threads need 50 MB less each.
        resourceLimits: { maxYoungGenerationSizeMb: 8 },
      });
      const left = blocks.values();
      const { words, hash } = campaign;
      // Each waits for its block before it takes the next, so that results do not pile up.
      const work = async () => {
        for (const block of left) {
          if (stop.aborted) return;
          const task: ThreadTask = { words, hash, block, isPlain };
          const result = (await pool.run(task, { signal: stop })) as BlockResult;
          await done(block, result);
        }
      };
      try {
        await Promise.all(Array.from({ length: count }, work));
      } catch (error) {
        if (!stop.aborted) throw error;
      } finally {
        await pool.destroy();
      }
    },
  };
}
