/**
 * A checksum over all bytes of a Parquet file, kept in its last metadata: damage is found before anything is decoded. (The CRC that
 * the format has covers a page's body alone, and damage in headers is what hangs a reader.)
 */
import { crc32Final, crc32Init, crc32Update } from "@foxglove/crc";

export const SEAL = "sideslip.checksum";
/** Stands there until the bytes are known, and while they are summed. */
export const UNSEALED = "00000000";
/** Thrift: the key as a string; its value follows as field 2, a string of eight letters. */
const MARK = new TextEncoder().encode(`${SEAL}\u0018\u0008`);
/** The seal is the last pair: only the writer's name and the end of the file stand behind it. */
const TAIL = 96;
const PIECE = 1 << 20;

const digits = (sum: number) => (crc32Final(sum) >>> 0).toString(16).padStart(8, "0");

/** The writer's name, which follows: another program that kept our metadata has its own, and its bytes are not those. */
const WRITER = "hyparquet";

/** Where the seal's letters stand in the last bytes of a file, if they do. */
function placeIn(tail: Uint8Array): number | undefined {
  if (!new TextDecoder("latin1").decode(tail).includes(WRITER)) return undefined;
  for (let at = tail.length - MARK.length - UNSEALED.length; at >= 0; at--)
    if (MARK.every((v, i) => tail[at + i] === v)) return at + MARK.length;
  return undefined;
}

/** Sums the pieces of a file as they are written, and puts the sum into the last one. */
export class Sealing {
  private sum = crc32Init();

  take(bytes: Uint8Array): void {
    this.sum = crc32Update(this.sum, bytes);
  }

  /** The end of the file, at least its whole footer; the seal is written into it. */
  end(bytes: Uint8Array): void {
    const from = Math.max(0, bytes.length - TAIL);
    const place = placeIn(bytes.subarray(from));
    if (place === undefined) throw new Error("the checksum has no place in the footer");
    this.take(bytes);
    new TextEncoder().encodeInto(digits(this.sum), bytes.subarray(from + place));
  }
}

export interface Readable {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Whether the bytes are those that were sealed; nothing where there is no seal. */
export async function isSealed(file: Readable): Promise<boolean | undefined> {
  const { byteLength: size } = file;
  const from = Math.max(0, size - TAIL);
  const tail = new Uint8Array(await file.slice(from, size)).slice();
  const place = placeIn(tail);
  if (place === undefined) return undefined;
  let sum = crc32Init();
  for (let at = 0; at < from; at += PIECE)
    sum = crc32Update(sum, new Uint8Array(await file.slice(at, Math.min(from, at + PIECE))));
  const letters = tail.subarray(place, place + UNSEALED.length);
  const said = new TextDecoder().decode(letters);
  new TextEncoder().encodeInto(UNSEALED, letters);
  return said === digits(crc32Update(sum, tail));
}
