/** Decodes a campaign's result or a log of unknown origin, apart from page and simulation: it may be ended at any time. */
import "./no-eval.ts";
import type { CampaignSpec } from "../src/campaign/campaign.ts";
import { type ChannelsLog, readChannels } from "../src/formats/mcap-channels.ts";
import { type CampaignRuns, openCampaignResult, scenarioOfRun } from "../src/session/open-campaign.ts";
import type { Spec } from "../src/vehicles/vehicle-type.ts";

/** A file to decode, or a run of a campaign whose scenario is wanted. */
export type FileRequest =
  | { readonly name: string; readonly bytes: ArrayBuffer }
  | { readonly campaign: CampaignSpec; readonly run: number };
export interface FileReply {
  readonly campaign?: CampaignRuns;
  readonly log?: ChannelsLog;
  readonly scenario?: Spec;
}

async function reply(request: FileRequest): Promise<FileReply> {
  if ("run" in request) return { scenario: scenarioOfRun(request.campaign, request.run) };
  const { name, bytes } = request;
  if (/\.parquet$/i.test(name)) return { campaign: await openCampaignResult(bytes, name) };
  return { log: readChannels(new Uint8Array(bytes), name) };
}

addEventListener("message", ({ data }: MessageEvent<FileRequest>) => {
  reply(data).then(postMessage, (error: Error) => postMessage({ failure: error.message }));
});
