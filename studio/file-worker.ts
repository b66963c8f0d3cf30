/** Decodes a campaign's result or a log of unknown origin, apart from page and simulation: it may be ended at any time. */
import "./no-eval.ts";
import { type ChannelsLog, readChannels } from "../src/formats/mcap-channels.ts";
import { type CampaignRuns, openCampaignResult } from "../src/session/open-campaign.ts";

export interface Undecoded {
  readonly name: string;
  readonly bytes: ArrayBuffer;
}
export interface Decoded {
  readonly campaign?: CampaignRuns;
  readonly log?: ChannelsLog;
}

async function decode({ name, bytes }: Undecoded): Promise<Decoded> {
  if (/\.parquet$/i.test(name)) return { campaign: await openCampaignResult(bytes, name) };
  return { log: readChannels(new Uint8Array(bytes), name) };
}

addEventListener("message", ({ data }: MessageEvent<Undecoded>) => {
  decode(data).then(postMessage, (error: Error) => postMessage({ failure: error.message }));
});
