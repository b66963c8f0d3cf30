/** The MAVLink codec against node-mavlink, byte for byte, and against everything that is not MAVLink. */
import { common, type MavLinkData, type MavLinkDataConstructor, minimal } from "mavlink-mappings";
import { MavLinkProtocolV1, MavLinkProtocolV2 } from "node-mavlink";
import { describe, expect, it } from "vitest";
import { FrameReader, FrameWriter, type Received } from "../../src/bridges/mavlink/frame.ts";
import { MESSAGES, type MessageType } from "../../src/bridges/mavlink/messages.ts";

type Clazz = MavLinkDataConstructor<MavLinkData>;
const THEIRS: Readonly<Record<string, Clazz>> = {
  HEARTBEAT: minimal.Heartbeat,
  RC_CHANNELS: common.RcChannels,
  COMMAND_LONG: common.CommandLong,
  HIL_ACTUATOR_CONTROLS: common.HilActuatorControls,
  HIL_SENSOR: common.HilSensor,
  HIL_GPS: common.HilGps,
  HIL_STATE_QUATERNION: common.HilStateQuaternion,
  DISTANCE_SENSOR: common.DistanceSensor,
} as never;

/** What node-mavlink calls a field: latest_value as latestValue, and some by other names. */
function theirField(clazz: Clazz, source: string): string {
  const field = clazz.FIELDS.find((f) => f.source === source);
  if (field === undefined) throw new Error(`${clazz.MSG_NAME} has no ${source}`);
  return field.name;
}

/** Numbers that fill a field, from a seed; `zeros` leaves the end of a message empty. */
function valuesOf(type: MessageType, seed: number, zeros: number): Record<string, number | number[]> {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const one = (kind: string) => {
    if (kind === "float") return Math.fround((random() - 0.5) * 200);
    if (kind === "uint64") return Math.floor(random() * 2 ** 50);
    const bits = Number(/\d+/.exec(kind)?.[0]);
    const value = Math.floor(random() * 2 ** bits);
    return kind.startsWith("u") ? value : value - 2 ** (bits - 1);
  };
  const filled = type.fields.length - zeros;
  return Object.fromEntries(
    type.fields.map(({ name, type: kind, count }, i) => [
      name,
      i >= filled
        ? count > 0
          ? new Array(count).fill(0)
          : 0
        : count > 0
          ? Array.from({ length: count }, () => one(kind))
          : one(kind),
    ]),
  );
}

function theirs(type: MessageType, values: Record<string, number | number[]>): MavLinkData {
  const clazz = THEIRS[type.name];
  const message = new clazz() as unknown as Record<string, unknown>;
  for (const { name, type: kind } of type.fields) {
    const value = values[name];
    message[theirField(clazz, name)] = kind === "uint64" ? BigInt(value as number) : value;
  }
  return message as unknown as MavLinkData;
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const all = (reader: FrameReader, ...chunks: Uint8Array[]): Received[] =>
  chunks.flatMap((chunk) => [...reader.push(chunk)]);

describe("MAVLink frames", () => {
  it.each(MESSAGES)("$name: the same checksum seed as node-mavlink, the same length", (type) => {
    const clazz = THEIRS[type.name];
    expect(type.id).toBe(clazz.MSG_ID);
    expect(type.extra).toBe(clazz.MAGIC_NUMBER);
    const end = Math.max(...clazz.FIELDS.map((f) => f.offset + f.size * Math.max(1, f.length)));
    expect(type.length).toBe(end);
  });

  it.each(MESSAGES)("$name: byte for byte those of node-mavlink, also with zeros at the end", (type) => {
    const writer = new FrameWriter(42, 7);
    const protocol = new MavLinkProtocolV2(42, 7);
    for (let k = 0; k < 60; k++) {
      const values = valuesOf(type, 1000 + k, k % type.fields.length);
      expect(hex(writer.write(type, values)), `frame ${k}`).toBe(
        hex(protocol.serialize(theirs(type, values), k)),
      );
    }
  });

  it.each(MESSAGES)("$name: what node-mavlink writes is read, of version 2 and 1", (type) => {
    for (let k = 0; k < 30; k++) {
      const values = valuesOf(type, 5000 + k, k % type.fields.length);
      const second = new MavLinkProtocolV2(3, 9).serialize(theirs(type, values), k);
      const [message] = all(new FrameReader(), second);
      expect(message).toMatchObject({ values, system: 3, component: 9, sequence: k });
      expect(message.type.name).toBe(type.name);
    }
    const values = valuesOf(type, 77, 0);
    const [old] = all(new FrameReader(), new MavLinkProtocolV1(3, 9).serialize(theirs(type, values), 5));
    expect(old).toMatchObject({ system: 3, component: 9, sequence: 5 });
    // Version 1 has no extensions; the rest is there.
    const [first] = type.fields;
    expect(old.values[first.name]).toEqual(values[first.name]);
  });

  it.each(MESSAGES)("$name: what is written, node-mavlink reads", (type) => {
    const values = valuesOf(type, 31, 0);
    const frame = Buffer.from(new FrameWriter(1, 1).write(type, values));
    const protocol = new MavLinkProtocolV2();
    const clazz = THEIRS[type.name];
    const data = protocol.data(protocol.payload(frame), clazz) as unknown as Record<string, unknown>;
    for (const { name, type: kind } of type.fields)
      expect(data[theirField(clazz, name)], name).toEqual(
        kind === "uint64" ? BigInt(values[name] as number) : values[name],
      );
  });
});

describe("a message of nothing but zeros", () => {
  it("keeps its first byte, as the standard and the C library have it; node-mavlink leaves out that one, too", () => {
    for (const type of MESSAGES) {
      const own = new FrameWriter(1, 1).write(type, {});
      expect(own[1]).toBe(1);
      const other = new MavLinkProtocolV2(1, 1).serialize(
        theirs(type, valuesOf(type, 1, type.fields.length)),
        0,
      );
      expect(other[1]).toBe(0);
      for (const frame of [own, other])
        expect(all(new FrameReader(), frame)[0].values).toEqual(valuesOf(type, 1, type.fields.length));
    }
  });
});

const [HEARTBEAT, , , CONTROLS] = MESSAGES;
const beat = (k: number) => new FrameWriter(1, 1).write(HEARTBEAT, { custom_mode: k, type: 2 });
const modes = (messages: readonly Received[]) => messages.map(({ values }) => values.custom_mode);

describe("a stream of MAVLink", () => {
  it("in pieces of every size, and all at once", () => {
    const frames = Array.from({ length: 20 }, (_, k) => beat(k + 1));
    const whole = Buffer.concat(frames);
    const expected = frames.map((_, k) => k + 1);
    for (let size = 1; size <= whole.length; size += size < 40 ? 1 : 37) {
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size) pieces.push(whole.subarray(at, at + size));
      expect(modes(all(new FrameReader(), ...pieces)), `pieces of ${size}`).toEqual(expected);
    }
  });
  it("finds its feet after garbage and after a wrong checksum", () => {
    const broken = beat(2);
    broken[12] ^= 0x10;
    const reader = new FrameReader();
    const noise = Uint8Array.from({ length: 100 }, (_, i) => (i * 37) % 0xfd);
    expect(modes(all(reader, beat(1), noise, broken, beat(3), beat(4)))).toEqual([1, 3, 4]);
    expect(reader.skipped.checksums).toBeGreaterThan(0);
    expect(reader.skipped.bytes).toBeGreaterThan(99);
  });
  it("does not look at signatures, and passes over messages it does not know", () => {
    const signed = new Uint8Array(beat(5).length + 13);
    const plain = beat(5);
    plain[2] = 1;
    // The checksum covers the flag: made by node-mavlink's own.
    const withSum = Buffer.from(plain);
    const crc = (bytes: Uint8Array) => {
      let sum = 0xffff;
      for (const byte of [...bytes, HEARTBEAT.extra]) {
        let t = (byte ^ sum) & 0xff;
        t = (t ^ (t << 4)) & 0xff;
        sum = ((sum >> 8) ^ (t << 8) ^ (t << 3) ^ (t >> 4)) & 0xffff;
      }
      return sum;
    };
    withSum.writeUInt16LE(crc(withSum.subarray(1, -2)), withSum.length - 2);
    signed.set(withSum);
    signed.fill(0xfd, withSum.length);
    const stranger = new MavLinkProtocolV2().serialize(new common.SystemTime(), 3);
    const reader = new FrameReader();
    expect(modes(all(reader, signed, stranger, beat(6)))).toEqual([5, 6]);
    expect(reader.skipped.unknown).toBe(1);
    expect(reader.skipped.bytes).toBe(0);
  });
  it("controls that are no numbers arrive as what they are", () => {
    const frame = new FrameWriter(1, 1).write(CONTROLS, { controls: [Number.NaN, Number.POSITIVE_INFINITY] });
    const [{ values }] = all(new FrameReader(), frame);
    expect((values.controls as number[]).slice(0, 3)).toEqual([Number.NaN, Number.POSITIVE_INFINITY, 0]);
  });
});
