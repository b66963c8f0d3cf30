/** Results of blocks on disk: each a file that is whole or not there, so that a campaign can go on whatever happened. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isSealed } from "../formats/seal.ts";
import { InputError } from "../model/input-error.ts";
import { rangeOf } from "./block.ts";
import type { Campaign } from "./campaign.ts";
import { isUnchanged } from "./merge.ts";
import { strangeColumn } from "./result.ts";
import { type Bytes, openTable } from "./table.ts";
import { bytesOf, makeFolder, writeWhole } from "./whole-file.ts";

const MANIFEST = "campaign.json";
const LOCK = "lock";
/** A lock that is older than this is of a process that is gone [ms]. */
const STALE = 30_000;
const nameOf = (block: number) => `block-${String(block).padStart(6, "0")}.parquet`;

/** The folder of a campaign that is under way. */
export class Parts {
  readonly folder: string;
  private readonly campaign: Campaign;
  /** Which share of the blocks it is for; "" for all. */
  private readonly share: string;
  private touching: NodeJS.Timeout | undefined;

  constructor(out: string, campaign: Campaign, share = "") {
    this.folder = `${out}.parts`;
    this.campaign = campaign;
    this.share = share;
  }

  /** Begins, or goes on with what is there if that is of the same campaign. */
  open(resume: boolean): void {
    const { folder, campaign } = this;
    const manifest = join(folder, MANIFEST);
    this.refuseWhileLocked();
    if (existsSync(folder) && !resume)
      throw new InputError("holds an unfinished campaign", {
        file: folder,
        allowed: "--resume continues it; remove the folder to start again",
      });
    if (!existsSync(folder)) makeFolder(folder);
    this.lock();
    if (!existsSync(manifest)) {
      const text = JSON.stringify({ hash: campaign.hash, share: this.share, words: campaign.words });
      writeWhole(manifest, (file) => file.write(new TextEncoder().encode(text)));
      return;
    }
    const there = manifestIn(manifest);
    if (there?.hash !== campaign.hash || there.share !== this.share) {
      this.close();
      const share = (name: string) => (name === "" ? "the whole" : `share ${name}`);
      throw new InputError(
        there === undefined
          ? "is not readable"
          : there.hash !== campaign.hash
            ? `is of another campaign (${there.hash}, this one is ${campaign.hash})`
            : `is of ${share(there.share)} of the campaign, not of ${share(this.share)}`,
        {
          file: manifest,
          allowed: "the command as it was, or another --out; or remove the folder to start again",
        },
      );
    }
    // What a killed process had not finished.
    for (const name of readdirSync(folder))
      if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
  }

  private refuseWhileLocked(): void {
    const path = join(this.folder, LOCK);
    const before = statSync(path, { throwIfNoEntry: false });
    if (before !== undefined && Date.now() - before.mtimeMs < STALE && isHeld(path))
      throw new InputError("another process works on this campaign", {
        file: path,
        allowed: "wait for it, or take another --out; remove the file if that process is gone",
      });
  }

  /** One process at a time: a file that is touched while it works. */
  private lock(): void {
    const path = join(this.folder, LOCK);
    const own = JSON.stringify({ pid: process.pid, host: hostname() });
    this.refuseWhileLocked();
    rmSync(path, { force: true });
    writeFileSync(path, own, { flag: "wx" });
    this.touching = setInterval(() => {
      try {
        utimesSync(path, new Date(), new Date());
      } catch {
        // The folder is gone: the campaign is over.
      }
    }, STALE / 6);
    this.touching.unref();
  }

  /** Lets others in. */
  close(): void {
    clearInterval(this.touching);
    rmSync(join(this.folder, LOCK), { force: true });
  }

  /** Blocks that are there and whole. `broken` hears of files that are not. */
  async done(broken: (file: string, problem: string) => void): Promise<Set<number>> {
    const found = new Set<number>();
    for (const name of readdirSync(this.folder)) {
      const block = /^block-(\d+)\.parquet$/.exec(name)?.[1];
      if (block === undefined || name !== nameOf(Number(block))) continue;
      const problem = await this.problemWith(Number(block));
      if (problem === undefined) found.add(Number(block));
      else broken(join(this.folder, name), problem);
    }
    return found;
  }

  private async problemWith(block: number): Promise<string | undefined> {
    const file = bytesOf(this.path(block));
    try {
      return await this.problemIn(file, block);
    } finally {
      file.close();
    }
  }

  /** The problem with the bytes of a part, if there is one. */
  async problemIn(bytes: Bytes, block: number): Promise<string | undefined> {
    const { campaign } = this;
    try {
      // Parts of ours are sealed; one that is not was written by another program.
      if ((await isSealed(bytes)) !== true) return "is damaged";
      const table = await openTable(bytes);
      if (block >= campaign.blocks || table.metadata["sideslip.block"] !== String(block))
        return "is of another block";
      if (table.metadata["sideslip.hash"] !== campaign.hash) return "is of another campaign";
      const [from, to] = rangeOf(campaign, block);
      const strange = strangeColumn(table, campaign);
      if (strange !== undefined) return strange;
      if (table.rows !== to - from) return `holds ${table.rows} runs instead of ${to - from}`;
      return (await isUnchanged(table)) ? undefined : "was changed";
    } catch (error) {
      return `cannot be read: ${(error as Error).message}`;
    }
  }

  path(block: number): string {
    return join(this.folder, nameOf(block));
  }

  save(block: number, part: Uint8Array): void {
    writeWhole(this.path(block), (file) => file.write(part));
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whether the process that locked still runs; of another machine's nobody here knows. */
function isHeld(lock: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(lock, "utf8")) as { pid: number; host: string };
    if (host !== hostname()) return true;
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function manifestIn(file: string): { readonly hash: string; readonly share: string } | undefined {
  try {
    const { hash, share } = JSON.parse(readFileSync(file, "utf8")) as { hash?: unknown; share?: unknown };
    return typeof hash === "string" && typeof share === "string" ? { hash, share } : undefined;
  } catch {
    return undefined;
  }
}
