/** What can be read of a Parquet file that was cut off. */
import type { Readable } from "./seal.ts";

const MARK = [0x50, 0x41, 0x52, 0x31];
const PIECE = 1 << 20;
/** A footer ends with its length and the mark. */
const END = 8;

/** The part up to the last footer that is there, as a file; nothing where there is none. */
export async function upToLastFooter(file: Readable): Promise<Readable | undefined> {
  const { byteLength: size } = file;
  // Pieces overlap, so that no mark lies across two.
  for (let to = size; to > 0; to -= PIECE) {
    const from = Math.max(0, to - PIECE - END);
    const bytes = new Uint8Array(await file.slice(from, to));
    for (let end = bytes.length; end >= END; end--) {
      if (!MARK.every((letter, i) => bytes[end - MARK.length + i] === letter)) continue;
      if (await isFooter(file, from + end)) return prefix(file, from + end);
    }
  }
  return undefined;
}

/** Whether what ends there has its length, and begins as footers do: field 1 is a small number, the version. */
async function isFooter(file: Readable, end: number): Promise<boolean> {
  if (end < 4 + END) return false;
  const length = new DataView(await file.slice(end - END, end)).getUint32(0, true);
  const from = end - END - length;
  if (length < 8 || from < 4) return false;
  const [field, version] = new Uint8Array(await file.slice(from, from + 2));
  return field === 0x15 && version > 0 && version < 8;
}

const prefix = (file: Readable, byteLength: number): Readable => ({
  byteLength,
  slice: (start, end = byteLength) => file.slice(start, Math.min(end, byteLength)),
});
