/** Files that a person opens or drops: read as text; the session recognises their kind. */
import type { CampaignSpec } from "../src/campaign/campaign.ts";
import type { Spec } from "../src/vehicles/vehicle-type.ts";
import type { FileReply, FileRequest } from "./file-worker.ts";
import { studio } from "./studio.ts";

/** A log longer than this does not fit into a page's memory with comfort; other files are written by people. */
const LARGEST_LOG = 120e6;
const LARGEST_TEXT = 1e6;
/** For a binary file [ms]; the largest takes a few seconds. */
const PATIENCE = 20_000;

export async function openFiles(files: readonly File[]): Promise<void> {
  const texts: { name: string; text: string }[] = [];
  for (const file of files) {
    const isLog = /\.(csv|mcap|part|parquet)$/i.test(file.name);
    const most = isLog ? LARGEST_LOG : LARGEST_TEXT;
    if (file.size > most) {
      const size = `${file.name} has ${(file.size / 1e6).toFixed(0)} MB`;
      studio.say(
        "error",
        isLog
          ? `${size}; this page opens logs of up to ${LARGEST_LOG / 1e6} MB. Write fewer columns or a longer control_dt, or cut it: head -n 200000 ${file.name} > part.csv`
          : `${size}; vehicles, scenarios and models are text of up to 1 MB.`,
      );
      return;
    }
    if (/\.parquet$/i.test(file.name)) return openCampaign(file);
    if (/\.mcap(\.part)?$/i.test(file.name)) {
      const { log } = (await decoded(file)) ?? {};
      if (log) studio.send({ type: "openLog", name: file.name, log });
      return;
    }
    try {
      texts.push({
        name: file.name,
        text: new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()),
      });
    } catch {
      studio.say(
        "error",
        `${file.name} is not a text file. Vehicles and scenarios (YAML), ROS 2 parameters, AVL, SDF, UIUC, CSV, MCAP and campaign results can be opened.`,
      );
      return;
    }
  }
  if (texts.length > 0) studio.send({ type: "openFiles", files: texts });
}

async function openCampaign(file: File): Promise<void> {
  const { campaign } = (await decoded(file)) ?? {};
  if (campaign === undefined) return;
  studio.set({ campaign });
  studio.say("note", `Opened ${campaign.title}: ${campaign.run.length} runs. Click one to repeat it.`);
}

/** The scenario of one run of a campaign. */
export const runScenario = async (campaign: CampaignSpec, run: number): Promise<Spec | undefined> =>
  (await ask({ campaign, run }, "the campaign"))?.scenario;

/** What a binary file holds. */
const decoded = async (file: File): Promise<FileReply | undefined> =>
  ask({ name: file.name, bytes: await file.arrayBuffer() }, file.name);

/** Asks a worker of its own, which is ended where a damaged or hostile file keeps it too long. */
async function ask(request: FileRequest, name: string): Promise<FileReply | undefined> {
  const worker = new Worker(new URL("./file-worker.ts", import.meta.url), { type: "module" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<FileReply>((resolve, reject) => {
      const end = (why: string) => reject(new Error(`${name} ${why}: it is damaged, or made to harm.`));
      timer = setTimeout(() => end(`cannot be read in ${PATIENCE / 1000} s`), PATIENCE);
      worker.addEventListener("error", (event) =>
        end(`cannot be read (${event.message || "its reader failed"})`),
      );
      worker.addEventListener(
        "message",
        ({ data }: MessageEvent<FileReply | { readonly failure: string }>) =>
          "failure" in data ? reject(new Error(data.failure)) : resolve(data),
      );
      worker.postMessage(request, "bytes" in request ? [request.bytes] : []);
    });
  } catch (error) {
    studio.say("error", (error as Error).message);
    return undefined;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}
