/** RTPS messages in and out (DDSI-RTPS 2.5, 9.4): a header, and submessages that each may have another endianness. */
import { type EntityId, hex, type Prefix, UNKNOWN_PREFIX } from "./ids.ts";
import { type NumberSet, readFragments, readSequences } from "./number-set.ts";
import { type Parameters, readParameters } from "./parameters.ts";
import { Malformed, WireReader } from "./wire.ts";

/** Numbers of submessages. */
export const ID = {
  acknack: 0x06,
  heartbeat: 0x07,
  gap: 0x08,
  infoTime: 0x09,
  infoSource: 0x0c,
  infoDestination: 0x0e,
  nackFrag: 0x12,
  data: 0x15,
  dataFrag: 0x16,
} as const;

interface Ends {
  readonly reader: EntityId;
  readonly writer: EntityId;
}
export interface DataHead extends Ends {
  readonly sn: number;
  readonly inline?: Parameters;
  /** The bytes are only the key of something that is disposed of. */
  readonly isKey: boolean;
  /** When it was written [ns since 1970], where given. */
  readonly time?: bigint;
}
export type Submessage =
  | (DataHead & { readonly kind: "data"; readonly payload: Uint8Array })
  | (DataHead & {
      readonly kind: "dataFrag";
      /** Number of the first fragment in here, from 1 on. */
      readonly first: number;
      readonly count: number;
      readonly fragmentSize: number;
      readonly sampleSize: number;
      readonly payload: Uint8Array;
    })
  | (Ends & {
      readonly kind: "heartbeat";
      readonly first: number;
      readonly last: number;
      readonly count: number;
      /** No answer is needed. */
      readonly isFinal: boolean;
    })
  | (Ends & {
      readonly kind: "acknack";
      readonly set: NumberSet;
      readonly count: number;
      readonly isFinal: boolean;
    })
  | (Ends & {
      readonly kind: "nackFrag";
      readonly sn: number;
      readonly set: NumberSet;
      readonly count: number;
    })
  | (Ends & { readonly kind: "gap"; readonly start: number; readonly set: NumberSet });

export interface Message {
  readonly prefix: Prefix;
  readonly vendor: number;
  /** Those that are for everybody or for the prefix asked for. */
  readonly submessages: readonly Submessage[];
  /** What is wrong behind them, if anything is. */
  readonly problem?: string;
}

const MAGIC = [0x52, 0x54, 0x50, 0x53];
const MOST_SUBMESSAGES = 1024;

/** What a datagram says to a participant; throws `Malformed`. */
export function parseMessage(bytes: Uint8Array, own: Prefix): Message {
  const head = new WireReader(bytes, false);
  for (const byte of MAGIC) if (head.u8() !== byte) throw new Malformed("not RTPS");
  const major = head.u8();
  head.u8();
  if (major !== 2) throw new Malformed(`RTPS of version ${major}`);
  const vendor = head.u16();
  const prefix = hex(head.take(12));
  const submessages: Submessage[] = [];
  try {
    readAll(head, prefix, own, submessages);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { prefix, vendor, submessages, problem: error.message };
  }
  return { prefix, vendor, submessages };
}

function readAll(head: WireReader, sender: Prefix, own: Prefix, into: Submessage[]): void {
  let source = sender;
  let isForUs = true;
  let time: bigint | undefined;
  for (let count = 0; head.left >= 4; count++) {
    if (count >= MOST_SUBMESSAGES) throw new Malformed("too many submessages");
    const id = head.u8();
    const flags = head.u8();
    const isLittle = (flags & 1) === 1;
    head.isLittle = isLittle;
    const length = head.u16();
    // A length of zero means the rest, but for those that have nothing to say.
    const size = length === 0 && id !== ID.infoTime && id !== 0x01 ? head.left : length;
    const from = head.skip(size);
    const body = new WireReader(head.bytes, isLittle, from, from + size);
    if (id === ID.infoTime) time = (flags & 2) === 2 ? undefined : readTime(body);
    else if (id === ID.infoDestination) {
      const to = hex(body.take(12));
      isForUs = to === own || to === UNKNOWN_PREFIX;
    } else if (id === ID.infoSource) {
      body.skip(8);
      source = hex(body.take(12));
    } else if (isForUs && source === sender) {
      const submessage = readSubmessage(id, flags, body, time);
      if (submessage) into.push(submessage);
    }
  }
}

function readTime(from: WireReader): bigint {
  const seconds = from.u32();
  return BigInt(seconds) * 1_000_000_000n + ((BigInt(from.u32()) * 1_000_000_000n) >> 32n);
}

function readSubmessage(id: number, flags: number, from: WireReader, time?: bigint): Submessage | undefined {
  if (id === ID.data) return readData(flags, from, time);
  if (id === ID.dataFrag) return readDataFrag(flags, from, time);
  const isFinal = (flags & 2) === 2;
  if (id === ID.heartbeat) {
    const ends = readEnds(from);
    const [first, last] = [from.sequence(), from.sequence()];
    if (first < 1 || last < first - 1) throw new Malformed(`a heartbeat from ${first} to ${last}`);
    return { kind: "heartbeat", ...ends, first, last, count: from.u32(), isFinal };
  }
  if (id === ID.acknack)
    return { kind: "acknack", ...readEnds(from), set: readSequences(from), count: from.u32(), isFinal };
  if (id === ID.gap) {
    const ends = readEnds(from);
    const start = from.sequence();
    const set = readSequences(from);
    if (start < 1 || set.base < start) throw new Malformed(`a gap from ${start} to ${set.base}`);
    return { kind: "gap", ...ends, start, set };
  }
  if (id === ID.nackFrag)
    return {
      kind: "nackFrag",
      ...readEnds(from),
      sn: from.sequence(),
      set: readFragments(from),
      count: from.u32(),
    };
  return undefined;
}

const readEnds = (from: WireReader): Ends => ({ reader: from.entity(), writer: from.entity() });

/** What DATA and DATA_FRAG begin with: extra flags, then how far it is to what follows the fixed part. */
function readHead(from: WireReader): { ends: Ends; sn: number; after: number } {
  from.u16();
  const distance = from.u16();
  const after = from.at + distance;
  const ends = readEnds(from);
  const sn = from.sequence();
  if (sn < 1) throw new Malformed(`sample ${sn}`);
  return { ends, sn, after };
}

function readData(flags: number, from: WireReader, time?: bigint): Submessage {
  const { ends, sn, after } = readHead(from);
  from.skip(after - from.at);
  const inline = (flags & 2) === 2 ? readParameters(from) : undefined;
  const isKey = (flags & 8) === 8;
  const payload = (flags & 12) === 0 ? new Uint8Array(0) : from.take(from.left);
  return { kind: "data", ...ends, sn, inline, isKey, time, payload };
}

function readDataFrag(flags: number, from: WireReader, time?: bigint): Submessage {
  const { ends, sn, after } = readHead(from);
  const first = from.u32();
  const count = from.u16();
  const fragmentSize = from.u16();
  const sampleSize = from.u32();
  from.skip(after - from.at);
  const inline = (flags & 2) === 2 ? readParameters(from) : undefined;
  const isKey = (flags & 4) === 4;
  const payload = from.take(from.left);
  const total = Math.ceil(sampleSize / fragmentSize);
  if (first < 1 || count < 1 || fragmentSize < 1 || first + count - 1 > total)
    throw new Malformed(`fragments ${first} to ${first + count - 1} of ${total}`);
  const end = Math.min(sampleSize, (first + count - 1) * fragmentSize);
  if (payload.length < end - (first - 1) * fragmentSize) throw new Malformed("a fragment that is cut off");
  return {
    kind: "dataFrag",
    ...ends,
    sn,
    inline,
    isKey,
    time,
    first,
    count,
    fragmentSize,
    sampleSize,
    payload,
  };
}
