/** What participants say of themselves (SPDP) and of their endpoints (SEDP), as parameter lists. */
import { type Address, readLocator, writeLocator } from "./address.ts";
import { bytesOf, type Guid, guidOf, hex, PARTICIPANT, type Prefix, prefixOf } from "./ids.ts";
import { type Parameters, ParameterWriter, PID, readParameters } from "./parameters.ts";
import type { Qos } from "./qos.ts";
import { PROTOCOL, VENDOR } from "./submessages.ts";
import { Malformed, WireReader, type WireWriter } from "./wire.ts";

export interface ParticipantData {
  readonly prefix: Prefix;
  readonly vendor: number;
  readonly name: string;
  /** How long it lives without a sign of life [s]. */
  readonly lease: number;
  /** Where discovery goes, and where samples go. */
  readonly meta: readonly Address[];
  readonly user: readonly Address[];
  readonly domain?: number;
  /** Which of the endpoints for discovery it has. */
  readonly builtins: number;
  readonly userData: string;
}

export interface EndpointData {
  readonly guid: Guid;
  readonly topic: string;
  readonly type: string;
  readonly qos: Qos;
  /** Where it listens, if not where its participant does. */
  readonly unicast: readonly Address[];
  readonly userData: string;
}

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();
/** Parameter list, little-endian. */
const PL_CDR_LE = [0, 3, 0, 0];
const FOREVER = 0x7fffffff;
const LONGEST_NAME = 512;
/** Upper bound of a participant's lease [s]. */
const LONGEST_LEASE = 120;

function duration(to: WireWriter, seconds: number): void {
  const isForever = seconds >= FOREVER;
  to.i32(isForever ? FOREVER : Math.floor(seconds));
  to.u32(isForever ? 0xffffffff : Math.floor((seconds % 1) * 4294967296));
}
function readDuration(from: WireReader): number {
  const seconds = from.i32();
  const fraction = from.u32();
  return seconds === FOREVER ? Number.POSITIVE_INFINITY : seconds + fraction / 4294967296;
}

function begin(to: ParameterWriter, prefix: Prefix): ParameterWriter {
  return to.add(PID.participant, (w) => w.put(bytesOf(guidOf(prefix, PARTICIPANT))));
}

function writeText(to: ParameterWriter, text: string): void {
  const bytes = toUtf8.encode(text);
  if (bytes.length > 0)
    to.add(PID.userData, (w) => {
      w.u32(bytes.length);
      w.put(bytes);
    });
}

const encapsulated = (list: Uint8Array): Uint8Array => Uint8Array.from([...PL_CDR_LE, ...list]);

export function writeParticipant({
  prefix,
  name,
  lease,
  meta,
  user,
  domain,
  builtins,
  userData,
}: ParticipantData): Uint8Array {
  const to = new ParameterWriter();
  to.add(PID.protocol, (w) => w.put(Uint8Array.from(PROTOCOL)));
  to.add(PID.vendor, (w) => w.u16(VENDOR));
  begin(to, prefix);
  if (domain !== undefined) to.add(PID.domain, (w) => w.u32(domain));
  for (const a of meta) to.add(PID.metaUnicast, (w) => writeLocator(w, a));
  for (const a of user) to.add(PID.defaultUnicast, (w) => writeLocator(w, a));
  to.add(PID.lease, (w) => duration(w, lease));
  to.add(PID.builtins, (w) => w.u32(builtins));
  to.add(PID.name, (w) => w.text(name));
  writeText(to, userData);
  return encapsulated(to.end());
}

export function writeEndpoint({ guid, topic, type, qos, userData }: EndpointData): Uint8Array {
  const to = begin(new ParameterWriter(), prefixOf(guid));
  to.add(PID.endpoint, (w) => w.put(bytesOf(guid)));
  to.add(PID.keyHash, (w) => w.put(bytesOf(guid)));
  to.add(PID.topic, (w) => w.text(topic));
  to.add(PID.type, (w) => w.text(type));
  to.add(PID.reliability, (w) => {
    w.u32(qos.isReliable ? 2 : 1);
    duration(w, 0.1);
  });
  to.add(PID.durability, (w) => w.u32(qos.isTransientLocal ? 1 : 0));
  to.add(PID.history, (w) => {
    const keepsAll = qos.depth === Number.POSITIVE_INFINITY;
    w.u32(keepsAll ? 1 : 0);
    w.i32(keepsAll ? -1 : qos.depth);
  });
  to.add(PID.deadline, (w) => duration(w, qos.deadline));
  to.add(PID.liveliness, (w) => {
    w.u32(qos.liveliness);
    duration(w, qos.lease);
  });
  to.add(PID.ownership, (w) => w.u32(qos.isExclusive ? 1 : 0));
  if (qos.partitions.length > 0)
    to.add(PID.partition, (w) => {
      w.u32(qos.partitions.length);
      for (const p of qos.partitions) {
        w.text(p);
        w.align(4);
      }
    });
  writeText(to, userData);
  return encapsulated(to.end());
}

/** A name out of data that may hold nothing else. */
export const readGuid = (payload: Uint8Array, pid: number): Guid | undefined => new Values(payload).guid(pid);

/** The list of an encapsulated payload, with how to read its values. */
function open(payload: Uint8Array): { list: Parameters; isLittle: boolean } {
  const head = new WireReader(payload, false);
  const kind = head.u16();
  head.u16();
  if (kind !== 2 && kind !== 3) throw new Malformed(`discovery data of kind ${kind}`);
  const isLittle = kind === 3;
  return { list: readParameters(new WireReader(payload, isLittle, 4)), isLittle };
}

/** Reads single values of a list. */
class Values {
  private readonly list: Parameters;
  private readonly isLittle: boolean;

  constructor(payload: Uint8Array) {
    const { list, isLittle } = open(payload);
    this.list = list;
    this.isLittle = isLittle;
  }
  get<T>(pid: number, read: (from: WireReader) => T, otherwise: T): T {
    const bytes = this.list.get(pid)?.[0];
    return bytes === undefined ? otherwise : read(new WireReader(bytes, this.isLittle));
  }
  all<T>(pid: number, read: (from: WireReader) => T | undefined): T[] {
    const values = (this.list.get(pid) ?? []).slice(0, 16);
    return values.flatMap((bytes) => read(new WireReader(bytes, this.isLittle)) ?? []);
  }
  text(pid: number): string {
    const text = this.get(pid, (r) => r.text(), "");
    if (text.length > LONGEST_NAME) throw new Malformed("a name that is too long");
    // Names are shown in terminals.
    return text.replace(/\p{Cc}/gu, "?");
  }
  guid(pid: number): Guid | undefined {
    return this.get<Guid | undefined>(pid, (r) => hex(r.take(16)), undefined);
  }
  userData(): string {
    return this.get(
      PID.userData,
      (r) => utf8.decode(r.take(Math.min(r.u32(), r.left)).subarray(0, 1024)),
      "",
    );
  }
}

export function readParticipant(payload: Uint8Array): ParticipantData {
  const values = new Values(payload);
  const guid = values.guid(PID.participant);
  if (guid === undefined) throw new Malformed("a participant without a GUID");
  return {
    prefix: prefixOf(guid),
    vendor: values.get(PID.vendor, (r) => (r.u8() << 8) | r.u8(), 0),
    name: values.text(PID.name),
    lease: Math.min(LONGEST_LEASE, Math.max(1, values.get(PID.lease, readDuration, 100))),
    builtins: values.get(PID.builtins, (r) => r.u32(), 0),
    meta: values.all(PID.metaUnicast, readLocator),
    user: values.all(PID.defaultUnicast, readLocator),
    domain: values.get<number | undefined>(PID.domain, (r) => r.u32(), undefined),
    userData: values.userData(),
  };
}

export function readEndpoint(payload: Uint8Array): EndpointData {
  const values = new Values(payload);
  const guid = values.guid(PID.endpoint) ?? values.guid(PID.keyHash);
  if (guid === undefined) throw new Malformed("an endpoint without a GUID");
  const liveliness = values.get(PID.liveliness, (r) => [r.u32(), readDuration(r)], [
    0,
    Number.POSITIVE_INFINITY,
  ]);
  const history = values.get(PID.history, (r) => [r.u32(), r.i32()], [0, 1]);
  return {
    guid,
    topic: values.text(PID.topic),
    type: values.text(PID.type),
    qos: {
      isReliable: values.get(PID.reliability, (r) => r.u32() >= 2, false),
      isTransientLocal: values.get(PID.durability, (r) => r.u32() >= 1, false),
      isTransient: values.get(PID.durability, (r) => r.u32() >= 2, false),
      deadline: values.get(PID.deadline, readDuration, Number.POSITIVE_INFINITY),
      liveliness: Math.min(2, liveliness[0]),
      lease: liveliness[1],
      isExclusive: values.get(PID.ownership, (r) => r.u32() === 1, false),
      partitions: values.get(PID.partition, readTexts, []),
      presentation: values.get(PID.presentation, (r) => r.u32(), 0),
      isBySource: values.get(PID.destinationOrder, (r) => r.u32() === 1, false),
      representations: values.get(PID.representation, readWays, []),
      depth: history[0] === 1 ? Number.POSITIVE_INFINITY : history[1],
    },
    unicast: values.all(PID.unicast, readLocator),
    userData: values.userData(),
  };
}

function readWays(from: WireReader): number[] {
  return Array.from({ length: Math.min(16, from.u32()) }, () => from.u16());
}

function readTexts(from: WireReader): string[] {
  const count = Math.min(64, from.u32());
  const start = from.at;
  return Array.from({ length: count }, () => {
    while ((from.at - start) % 4 !== 0) from.u8();
    return from.text();
  });
}
