/** Files that are whole or not there, and files read in pieces. */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Bytes } from "./table.ts";

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
    syncFolder(this.path);
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

/** A new name is on the disk when its folder is; systems that cannot sync folders need not. */
export function syncFolder(path: string): void {
  try {
    const fd = openSync(dirname(resolve(path)), "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {}
}

/** Removes what processes that are gone have left in the making beside a file: `<path>.<pid>.tmp` and `.try`. */
export function clearAbandoned(path: string): void {
  const folder = dirname(resolve(path));
  for (const name of readdirSync(folder)) {
    const [, own, pid] = /^(.*)\.(\d+)\.(?:tmp|try)$/.exec(name) ?? [];
    if (own !== basename(path) || isAlive(Number(pid))) continue;
    rmSync(join(folder, name), { force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
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
