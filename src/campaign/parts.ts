/** Results of blocks on disk: each a file that is whole or not there, so that a campaign can go on whatever happened. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { InputError } from "../model/input-error.ts";
import { metadataOf, rangeOf } from "./block.ts";
import type { Campaign } from "./campaign.ts";
import { RowDigest } from "./row-digest.ts";
import { type Bytes, type Cells, columnsOf, openTable, type Table, TableWriter } from "./table.ts";

/** A file in the making: under another name until it is complete and on the disk. */
export class WholeFile {
  private readonly path: string;
  private readonly making: string;
  private readonly fd: number;
  private isOpen = true;

  constructor(path: string) {
    this.path = path;
    this.making = `${path}.${process.pid}.tmp`;
    this.fd = openSync(this.making, "w");
  }
  write(bytes: Uint8Array): void {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.fd, bytes, sent);
  }
  finish(): void {
    fsyncSync(this.fd);
    this.close();
    renameSync(this.making, this.path);
  }
  private close(): void {
    if (this.isOpen) closeSync(this.fd);
    this.isOpen = false;
  }
  discard(): void {
    this.close();
    rmSync(this.making, { force: true });
  }
}

export const makeFolder = (path: string): void => void mkdirSync(path, { recursive: true });

export function writeWhole(path: string, write: (file: WholeFile) => void): void {
  const file = new WholeFile(path);
  try {
    write(file);
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}

/** A file read in pieces. */
export function bytesOf(path: string): Bytes & { close(): void } {
  const fd = openSync(path, "r");
  const { size } = statSync(path);
  return {
    byteLength: size,
    slice(start, end = size) {
      const bytes = new Uint8Array(Math.max(0, end - start));
      for (let got = 0; got < bytes.length; ) {
        const more = readSync(fd, bytes, got, bytes.length - got, start + got);
        if (more === 0) break;
        got += more;
      }
      return bytes.buffer;
    },
    close: () => closeSync(fd),
  };
}

const MANIFEST = "campaign.json";
const LOCK = "lock";
/** A lock that is older than this is of a process that is gone [ms]. */
const STALE = 30_000;
const nameOf = (block: number) => `block-${String(block).padStart(6, "0")}.parquet`;

/** The folder of a campaign that is under way. */
export class Parts {
  readonly folder: string;
  private readonly campaign: Campaign;
  private touching: NodeJS.Timeout | undefined;

  constructor(out: string, campaign: Campaign) {
    this.folder = `${out}.parts`;
    this.campaign = campaign;
  }

  /** Begins, or goes on with what is there if that is of the same campaign. */
  open(resume: boolean): void {
    const { folder, campaign } = this;
    const manifest = join(folder, MANIFEST);
    if (existsSync(folder) && !resume)
      throw new InputError("holds an unfinished campaign", {
        file: folder,
        allowed: "--resume goes on with it; remove the folder to begin anew",
      });
    if (!existsSync(folder)) makeFolder(folder);
    this.lock();
    if (!existsSync(manifest)) {
      const text = JSON.stringify({ hash: campaign.hash, words: campaign.words });
      writeWhole(manifest, (file) => file.write(new TextEncoder().encode(text)));
      return;
    }
    const there = hashIn(manifest);
    if (there !== campaign.hash)
      throw new InputError(
        there === undefined
          ? "is not readable"
          : `is of another campaign (${there}, this one is ${campaign.hash})`,
        { file: manifest, allowed: "the specification as it was; or remove the folder to begin anew" },
      );
    // What a killed process had not finished.
    for (const name of readdirSync(folder))
      if (name.endsWith(".tmp")) rmSync(join(folder, name), { force: true });
  }

  /** One process at a time: a file that is touched while it works. */
  private lock(): void {
    const path = join(this.folder, LOCK);
    const own = JSON.stringify({ pid: process.pid, host: hostname() });
    const before = statSync(path, { throwIfNoEntry: false });
    if (before !== undefined && Date.now() - before.mtimeMs < STALE && isAlive(path))
      throw new InputError("another process works on this campaign", {
        file: path,
        allowed: "wait for it; remove the file if it is gone",
      });
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
      if (block === undefined) continue;
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

  /** What is wrong with the bytes of a part, if anything. */
  async problemIn(bytes: Bytes, block: number): Promise<string | undefined> {
    const { campaign } = this;
    try {
      const table = await openTable(bytes);
      if (block >= campaign.blocks || table.metadata["sideslip.block"] !== String(block))
        return "is of another block";
      if (table.metadata["sideslip.hash"] !== campaign.hash) return "is of another campaign";
      const [from, to] = rangeOf(campaign, block);
      if (table.rows !== to - from) return `holds ${table.rows} runs instead of ${to - from}`;
      const digest = new RowDigest();
      const names = table.columns.map((c) => c.name);
      for (const row of await table.read(0, table.rows)) digest.add(names.map((n) => row[n]));
      return digest.toString() === table.metadata["sideslip.digest"] ? undefined : "was changed";
    } catch (error) {
      return `cannot be read (${(error as Error).message})`;
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
function isAlive(lock: string): boolean {
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

function hashIn(manifest: string): string | undefined {
  try {
    const { hash } = JSON.parse(readFileSync(manifest, "utf8")) as { hash?: unknown };
    return typeof hash === "string" ? hash : undefined;
  } catch {
    return undefined;
  }
}

/** Rows that are read at once. */
const PIECE = 8192;

export async function* rowsOf(table: Table): AsyncGenerator<Cells> {
  for (let from = 0; from < table.rows; from += PIECE)
    yield* await table.read(from, Math.min(table.rows, from + PIECE));
}

/** Rows of tables that are each in order of their runs, in order; a run that stands twice is taken once. */
export async function* inOrder(tables: readonly Table[]): AsyncGenerator<Cells> {
  const streams = tables.map((table) => rowsOf(table));
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (let last = -1; ; ) {
    let least = -1;
    heads.forEach(({ done, value }, k) => {
      if (!done && (least < 0 || Number(value.run) < Number(heads[least].value.run))) least = k;
    });
    if (least < 0) return;
    const row = heads[least].value as Cells;
    if (Number(row.run) > last) yield row;
    last = Number(row.run);
    heads[least] = await streams[least].next();
  }
}

/** Rows of a campaign as one table. */
export async function mergeRows(
  campaign: Campaign,
  rows: AsyncIterable<Cells>,
  out: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = columnsOf(campaign);
  const names = columns.map((c) => c.name);
  const digest = new RowDigest();
  // The digest goes into the metadata, which is written last.
  const metadata: Record<string, string> = { ...metadataOf(campaign), ...more, "sideslip.digest": "" };
  const file = new WholeFile(out);
  try {
    const writer = new TableWriter(columns, metadata, (bytes) => file.write(bytes));
    for await (const row of rows) {
      const values = names.map((name) => row[name] ?? null);
      digest.add(values);
      writer.add(values);
    }
    writer.end({ "sideslip.digest": digest.toString() });
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}
