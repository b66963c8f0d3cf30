/** Files in and out: bounded, checked, and never left half-written. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { syncFolder } from "../campaign/whole-file.ts";
import { LARGEST_TEXT } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { say } from "./terminal.ts";

const LARGEST_TABLE = 16e6;

/** The text of an input file or of a CSV table; throws where it is too large or not UTF-8. */
export function readText(path: string): string {
  const most = /\.csv$/i.test(path) ? LARGEST_TABLE : LARGEST_TEXT;
  let bytes: Buffer;
  try {
    const found = statSync(path);
    if (found.isDirectory()) throw new InputError("cannot be read: it is a directory", { file: path });
    if (!found.isFile())
      throw new InputError("cannot be read: it is not a file but a device or a pipe", { file: path });
    const { size } = found;
    if (size > most)
      throw new InputError(`is ${(size / 1e6).toFixed(1)} MB long`, {
        file: path,
        allowed: `${most === LARGEST_TABLE ? "tables" : "text files"} up to ${most / 1e6} MB`,
      });
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot be read: ${reason(error)}`, { file: path });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new InputError("is not a text file (it is not UTF-8)", { file: path });
  }
}

export function reason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOENT: "no such file",
    EACCES: "permission denied",
    EISDIR: "it is a directory",
    ENOSPC: "the disk is full",
    EFBIG: "the file may not grow larger",
    EDQUOT: "the disk quota is used up",
    ENOTDIR: "a part of its path is not a directory",
    EROFS: "the file system is read-only",
  };
  return (code !== undefined && reasons[code]) || message;
}

/** A result could not be written. */
export class OutputError extends Error {}

const BUFFER = 1 << 16;

/** A free name for the partial file, so that files of killed and of concurrent runs are not overwritten. */
function partOf(path: string): string {
  for (let k = 1; ; k++) {
    const part = k === 1 ? `${path}.part` : `${path}.part-${k}`;
    if (!existsSync(part)) return part;
  }
}

/** The file to write, with links resolved; throws where the existing one is not a writable regular file. */
function targetOf(path: string): { readonly path: string; readonly mode?: number } {
  const wrong = (problem: string, allowed?: string) =>
    new InputError(`cannot be written: ${problem}`, { file: path, allowed });
  const named = lstatSync(path, { throwIfNoEntry: false });
  if (named === undefined) return { path };
  let real = path;
  if (named.isSymbolicLink())
    try {
      real = realpathSync(path);
    } catch {
      throw wrong("it is a broken link", "a link to an existing file, or another name");
    }
  const there = statSync(real);
  if (there.isDirectory()) throw wrong("it is a directory");
  if (!there.isFile()) throw wrong("it is a device or a pipe", "a file; standard output has --json");
  // Root may write any file, so the mode bits decide.
  if ((there.mode & 0o222) === 0) throw wrong("it is read-only", "another name, or chmod u+w");
  return { path: real, mode: there.mode & 0o777 };
}

/** Writes to `<path>.part` through a small buffer and takes its real name only when it is complete and on the disk. */
export class OutputFile {
  /** The path as given, and the file with links resolved. */
  private readonly path: string;
  private readonly target: string;
  private readonly part: string;
  private readonly fd: number;
  private readonly buffer = Buffer.allocUnsafe(BUFFER);
  private used = 0;

  constructor(path: string) {
    this.path = path;
    try {
      const { path: target, mode } = targetOf(path);
      this.target = target;
      this.part = partOf(target);
      this.fd = openSync(this.part, "wx", mode);
    } catch (error) {
      if (error instanceof InputError) throw error;
      const isMissing = ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "");
      throw new InputError(`cannot be written: ${isMissing ? "its folder does not exist" : reason(error)}`, {
        file: path,
      });
    }
    if (this.part !== `${this.target}.part`)
      say(`note: ${this.target}.part of an earlier or concurrent run exists; this run writes ${this.part}\n`);
  }

  write(text: string): void {
    // UTF-8 takes at most three bytes for each of a string's units.
    if (this.used + 3 * text.length > BUFFER) this.flush();
    if (3 * text.length > BUFFER) this.send(Buffer.from(text, "utf8"));
    else this.used += this.buffer.write(text, this.used, "utf8");
  }

  writeBytes(bytes: Uint8Array): void {
    this.flush();
    this.send(bytes);
  }

  /** Done: the file appears under its name. */
  finish(): void {
    this.flush();
    try {
      fsyncSync(this.fd);
      closeSync(this.fd);
      renameSync(this.part, this.target);
      syncFolder(this.target);
    } catch (error) {
      throw new OutputError(
        `${this.path}: could not be written: ${reason(error)}; the result is in ${this.part}`,
      );
    }
  }

  /** Removes the partial file. */
  discard(): void {
    closeSync(this.fd);
    rmSync(this.part, { force: true });
  }

  private flush(): void {
    this.send(this.buffer.subarray(0, this.used));
    this.used = 0;
  }

  private send(bytes: Uint8Array): void {
    try {
      for (let sent = 0; sent < bytes.length; ) sent += writeSync(this.fd, bytes, sent);
    } catch (error) {
      throw new OutputError(
        `${this.path}: could not be written: ${reason(error)}; what was written so far is in ${this.part}`,
      );
    }
  }
}
