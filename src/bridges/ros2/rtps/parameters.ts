/** Parameter lists: how discovery data and inline QoS are written (DDSI-RTPS 2.5, 9.4.2.11 and 9.6.3). */
import { Malformed, type WireReader, WireWriter } from "./wire.ts";

export const PID = {
  sentinel: 0x0001,
  lease: 0x0002,
  topic: 0x0005,
  type: 0x0007,
  domain: 0x000f,
  protocol: 0x0015,
  vendor: 0x0016,
  reliability: 0x001a,
  liveliness: 0x001b,
  durability: 0x001d,
  ownership: 0x001f,
  presentation: 0x0021,
  deadline: 0x0023,
  destinationOrder: 0x0025,
  partition: 0x0029,
  userData: 0x002c,
  unicast: 0x002f,
  defaultUnicast: 0x0031,
  metaUnicast: 0x0032,
  history: 0x0040,
  participant: 0x0050,
  builtins: 0x0058,
  endpoint: 0x005a,
  name: 0x0062,
  keyHash: 0x0070,
  status: 0x0071,
  representation: 0x0073,
  relatedSample: 0x0083,
  /** The same, as Fast DDS had it before it had a number in the standard. */
  relatedSampleOld: 0x800f,
} as const;

/** What may be there more than once (locators) is a list everywhere. */
export type Parameters = ReadonlyMap<number, readonly Uint8Array[]>;

const MOST_PARAMETERS = 256;

/** Up to the sentinel. */
export function readParameters(from: WireReader): Parameters {
  const found = new Map<number, Uint8Array[]>();
  for (let count = 0; ; count++) {
    if (count > MOST_PARAMETERS) throw new Malformed("too many parameters");
    const id = from.u16();
    const length = from.u16();
    if (id === PID.sentinel) return found;
    const value = from.take(length);
    const others = found.get(id);
    if (others) others.push(value);
    else found.set(id, [value]);
  }
}

/** Writes a list; each value is padded to four bytes. */
export class ParameterWriter {
  private readonly to: WireWriter;

  constructor(to = new WireWriter()) {
    this.to = to;
  }

  add(id: number, write: (to: WireWriter) => void): this {
    const { to } = this;
    to.u16(id);
    const lengthAt = to.room(2);
    const from = to.length;
    write(to);
    while ((to.length - from) % 4 !== 0) to.u8(0);
    to.u16At(lengthAt, to.length - from);
    return this;
  }

  end(): Uint8Array {
    this.to.u16(PID.sentinel);
    this.to.u16(0);
    return this.to.done();
  }
}
