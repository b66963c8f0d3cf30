/** What a thread of the local engine does. */
import { type BlockResult, runBlock } from "./block.ts";
import { type Campaign, type CampaignSpec, openCampaign } from "./campaign.ts";

export interface ThreadTask {
  readonly words: CampaignSpec;
  readonly hash: string;
  readonly block: number;
  readonly isPlain?: boolean;
}

let current: Campaign | undefined;

export default function work({ words, hash, block, isPlain }: ThreadTask): BlockResult {
  if (current?.hash !== hash) current = openCampaign(words, { isPlain });
  return runBlock(current, block, { isPlain });
}
