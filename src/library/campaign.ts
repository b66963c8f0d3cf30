/** Many runs with drawn parameters: specification, blocks of runs, results, statistics. */
export { rowsOf, runBlock } from "../campaign/block.ts";
export { type Campaign, type CampaignSpec, makeCampaign, openCampaign } from "../campaign/campaign.ts";
export { numbersOf } from "../campaign/numbers.ts";
export { type Summary, summarise } from "../campaign/summary.ts";
export { openTable } from "../campaign/table.ts";
