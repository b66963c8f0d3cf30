/** Engines run the blocks of a campaign. */
import type { BlockResult } from "./block.ts";
import type { Campaign } from "./campaign.ts";

export interface Engine {
  /** Results come from other machines: they are looked at before they are kept. */
  readonly isRemote: boolean;
  /**
   * Does these blocks, in any order, each at least once; tells of each when it is done. Ends early when asked to stop, and throws where it cannot go on:
   * what was told of counts in any case.
   */
  run(
    campaign: Campaign,
    blocks: readonly number[],
    done: (block: number, result: BlockResult) => Promise<void>,
    stop: AbortSignal,
  ): Promise<void>;
}
