/**
 * What comes from outside may be anything. Messages of all kinds, mutated: nothing is thrown, nothing grows without bound, nothing
 * is answered by a storm, and afterwards everything still works. Ten thousand each here, a million in `npm run soak`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBinary } from "../../src/bridges/foxglove/protocol.ts";
import { readRequest } from "../../src/bridges/foxglove/read-request.ts";
import { codecFor } from "../../src/bridges/messages/codec.ts";
import { RosNode } from "../../src/bridges/ros2/node.ts";
import { MULTICAST_GROUP, multicastPort } from "../../src/bridges/ros2/rtps/address.ts";
import { PUBLICATIONS_WRITER, SPDP_WRITER, UNKNOWN_PREFIX } from "../../src/bridges/ros2/rtps/ids.ts";
import { parseMessage } from "../../src/bridges/ros2/rtps/message.ts";
import { Participant } from "../../src/bridges/ros2/rtps/participant.ts";
import { readPageMessage } from "../../src/bridges/studio/read-command.ts";
import { readChannels } from "../../src/formats/mcap-channels.ts";
import { InputError } from "../../src/model/input-error.ts";
import { decode } from "../../src/session/encoding.ts";
import { folder, sideslip } from "../support/cli.ts";
import { bytes, upTo, vector } from "../support/dds/samples.ts";
import { COUNT, dice, mutate, SEED } from "../support/mutate.ts";

interface Wire {
  join(name: string, number: number): Participant;
  /** Delivers what is on its way until nothing is. */
  settle(): Promise<void>;
  readonly sent: Uint8Array[];
  now: number;
  /** One of so many datagrams is lost; 0 loses none. */
  loss: number;
  /** Datagrams that were sent, ever. */
  said: number;
}
/** Participants without sockets: every datagram goes to whom it is for, and is kept. */
function network(): Wire {
  const group = { host: MULTICAST_GROUP, port: multicastPort(0) };
  const members = new Map<string, Participant>();
  let queue: { bytes: Uint8Array; to: string; from: number }[] = [];
  const sent: Uint8Array[] = [];
  let count = 0;
  const roll = dice(SEED);
  const wire: Wire = {
    sent,
    now: 0,
    loss: 0,
    said: 0,
    join(name, number) {
      const own = { host: "127.0.0.1", port: 7410 + 2 * number };
      const participant = new Participant({
        prefix: number.toString(16).padStart(24, "0"),
        domain: 0,
        name,
        own,
        announce: [group],
        now: () => wire.now,
        time: () => BigInt(Math.floor(wire.now)) * 1_000_000n,
        random: () => roll(2 ** 30) / 2 ** 30,
        report: () => {},
        mayReach: (host) => host.startsWith("127."),
        send: (data, to) => {
          wire.said++;
          if (sent.length < 5000) sent.push(data);
          queue.push({ bytes: data, to: `${to.host}:${to.port}`, from: number });
        },
      });
      members.set(`127.0.0.1:${own.port}`, participant);
      return participant;
    },
    async settle() {
      for (let round = 0; round < 100; round++) {
        wire.now += 20;
        for (const p of members.values()) p.tick();
        await new Promise((go) => setImmediate(go));
        const now = queue;
        queue = [];
        for (const { bytes: data, to } of now)
          if (wire.loss > 0 && ++count % wire.loss === 0) continue;
          else if (to.startsWith(MULTICAST_GROUP)) for (const p of members.values()) p.receive(data);
          else members.get(to)?.receive(data);
        await Promise.resolve();
        if (round > 20 && queue.length === 0) return;
      }
    },
  };
  return wire;
}

const VECTOR = "geometry_msgs/Vector3Stamped";
const BYTES = "std_msgs/UInt8MultiArray";

/** Two nodes that have said everything there is to say to each other, and what they said. */
async function conversation() {
  const wire = network();
  const a = new RosNode(wire.join("a", 1), "a");
  const heard: unknown[] = [];
  const b = new RosNode(wire.join("b", 2), "b");
  b.subscribe("/x", VECTOR, {}, (m) => heard.push(m));
  b.subscribe("/big", BYTES, {}, (m) => heard.push(m));
  b.subscribe("/latched", VECTOR, { isTransientLocal: true }, (m) => heard.push(m));
  b.serve("/reset", () => {});
  const small = a.advertise("/x", VECTOR);
  const big = a.advertise("/big", BYTES);
  a.advertise("/latched", VECTOR, { isTransientLocal: true }).publish(vector(1));
  await wire.settle();
  for (const n of upTo(20)) small.publish(vector(n));
  big.publish(bytes(1, 30_000));
  await wire.settle();
  // One that comes late is told what is not for it.
  b.subscribe("/x", VECTOR, {}, () => {});
  await wire.settle();
  // Lost datagrams bring out what is said of them.
  wire.loss = 3;
  for (const n of upTo(60)) {
    small.publish(vector(n));
    if (n % 20 === 0) big.publish(bytes(n, 60_000));
    if (n % 4 === 0) await wire.settle();
  }
  wire.loss = 0;
  await wire.settle();
  return { wire, a, b, heard };
}

describe("RTPS", () => {
  it("works in memory as on a wire", async () => {
    const { heard, wire } = await conversation();
    expect(heard.length).toBe(22 + 63);
    const kinds = new Set<string>();
    for (const datagram of wire.sent)
      for (const { kind } of parseMessage(datagram, UNKNOWN_PREFIX).submessages) kinds.add(kind);
    for (const prefix of ["1", "2"])
      for (const datagram of wire.sent)
        for (const { kind } of parseMessage(datagram, prefix.padStart(24, "0")).submessages) kinds.add(kind);
    expect([...kinds].sort()).toEqual(["acknack", "data", "dataFrag", "gap", "heartbeat", "nackFrag"]);
  });

  it(`${COUNT} mutated datagrams do no harm`, async () => {
    const { wire, b } = await conversation();
    const corpus = wire.sent.slice();
    expect(corpus.length).toBeGreaterThan(50);
    const roll = dice(SEED);
    const before = wire.said;
    for (let k = 0; k < COUNT; k++) {
      b.participant.receive(mutate(corpus[roll(corpus.length)], roll, corpus));
      if (k % 500 === 0) {
        wire.now += 5;
        b.participant.tick();
        await new Promise((go) => setImmediate(go));
      }
    }
    expect(b.participant.counts.total).toBeGreaterThan(COUNT / 20);
    expect(b.participant.remotes.size).toBeLessThanOrEqual(256);
    expect(b.participant.endpoints.size).toBeLessThanOrEqual(4096);
    // No storm: less is said than was heard, and when nothing comes any more it becomes quiet.
    expect(wire.said - before).toBeLessThan(COUNT);
    for (let k = 0; k < 2000; k++) {
      wire.now += 5;
      b.participant.tick();
      await Promise.resolve();
    }
    const later = wire.said;
    for (let k = 0; k < 2000; k++) {
      wire.now += 5;
      b.participant.tick();
      await Promise.resolve();
    }
    // Announcements every 3 s to each that is known, and questions to writers at most once a second.
    const { remotes } = b.participant;
    expect(wire.said - later).toBeLessThan(10 * (10 * remotes.size + 20));

    // Somebody new is served as if nothing had been.
    const fresh = new RosNode(wire.join("fresh", 99), "fresh");
    const heard: unknown[] = [];
    b.subscribe("/after", VECTOR, {}, (m) => heard.push(m));
    const publisher = fresh.advertise("/after", VECTOR);
    await wire.settle();
    await wire.settle();
    publisher.publish(vector(5));
    await wire.settle();
    expect(heard).toEqual([vector(5)]);
  });

  it("samples that are announced by many and never come take little room", async () => {
    const { wire, b } = await conversation();
    const corpus = wire.sent.filter(
      (d) =>
        d.length > 6000 &&
        parseMessage(d, "2".padStart(24, "0")).submessages.some((m) => m.kind === "dataFrag"),
    );
    expect(corpus.length).toBeGreaterThan(3);
    const announcement = wire.sent.find((d) =>
      parseMessage(d, "2".padStart(24, "0")).submessages.some((m) => m.writer === SPDP_WRITER),
    ) as Uint8Array;
    const before = process.memoryUsage().arrayBuffers;
    for (let who = 0; who < 200; who++) {
      // Somebody new, by his name in the header and in what he says of himself.
      const fake = (packet: Uint8Array) => {
        const name = Uint8Array.of(9, 9, 9, 9, 0, 0, 0, 0, 0, 0, who >> 8, who & 255);
        const made = packet.slice();
        const old = [...packet.subarray(8, 20)];
        for (let at = 0; at + 12 <= made.length; at++)
          if (old.every((v, i) => made[at + i] === v)) made.set(name, at);
        return made;
      };
      b.participant.receive(fake(announcement), "127.0.0.1");
      for (let k = 0; k < 8; k++) {
        const packet = fake(corpus[k % corpus.length]);
        const view = new DataView(packet.buffer);
        for (let at = 20; at + 4 < packet.length; at += 4 + view.getUint16(at + 2, true))
          if (packet[at] === 0x16) {
            // Of the built-in writer that everybody has, of up to 16 MB.
            view.setUint32(at + 12, PUBLICATIONS_WRITER);
            view.setUint32(at + 20, 1000 + k, true);
            view.setUint32(at + 32, 16 << 20, true);
          }
        b.participant.receive(packet, "127.0.0.1");
      }
    }
    expect(b.participant.remotes.size).toBeGreaterThan(150);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  });

  it("one heartbeat of nonsense does not make it ask for ever", async () => {
    const { wire, b } = await conversation();
    const nonsense = wire.sent.find((d) =>
      parseMessage(d, "2".padStart(24, "0")).submessages.some(
        (m) => m.kind === "heartbeat" && (m.writer & 255) === 3,
      ),
    ) as Uint8Array;
    const packet = nonsense.slice();
    const view = new DataView(packet.buffer);
    for (let at = 20; at + 4 < packet.length; at += 4 + view.getUint16(at + 2, true))
      if (packet[at] === 0x07) {
        view.setUint32(at + 4 + 16, 200, true); // the last sample is number 200 * 2^32
        view.setUint32(at + 4 + 24, 1e9, true); // a heartbeat of later
      }
    b.participant.receive(packet, "127.0.0.1");
    const begun = wire.said;
    for (let k = 0; k < 4000; k++) {
      wire.now += 5;
      b.participant.tick();
      await Promise.resolve();
    }
    expect(wire.said - begun).toBeLessThan(20 * 8);
  });

  it("who announces himself for ever goes when others come", async () => {
    const { wire, b } = await conversation();
    const announcement = wire.sent.find((d) =>
      parseMessage(d, "2".padStart(24, "0")).submessages.some((m) => m.writer === SPDP_WRITER),
    ) as Uint8Array;
    for (let who = 0; who < 600; who++) {
      const made = announcement.slice();
      const old = [...announcement.subarray(8, 20)];
      const name = Uint8Array.of(7, 7, 7, 7, 0, 0, 0, 0, 0, 0, who >> 8, who & 255);
      for (let at = 0; at + 12 <= made.length; at++)
        if (old.every((v, i) => made[at + i] === v)) made.set(name, at);
      b.participant.receive(made, "127.0.0.1");
    }
    expect(b.participant.remotes.size).toBe(256);
    const real = new RosNode(wire.join("real", 50), "real");
    await wire.settle();
    expect([...b.participant.remotes.values()].map((r) => r.name)).toContain("real");
    expect(real.participant.remotes.size).toBeGreaterThan(0);
    wire.now += 130_000;
    b.participant.tick();
    await wire.settle();
    expect(b.participant.remotes.size).toBeLessThan(5);
  });
});

describe("CDR", () => {
  it(`${COUNT} mutated messages of each command's type do no harm`, () => {
    const types: Readonly<Record<string, object>> = {
      [VECTOR]: vector(3),
      "sensor_msgs/Joy": { header: vector(1).header, axes: [0.1, 0.2, 0.3, 0.4], buttons: [1, 0] },
      "std_msgs/Float64MultiArray": {
        layout: { dim: [{ label: "a", size: 1, stride: 1 }], data_offset: 0 },
        data: [1, 2, 3],
      },
      "brains2/Controls": { header: vector(1).header, delta: 1, tau_fl: 2, tau_fr: 3, tau_rl: 4, tau_rr: 5 },
    };
    for (const [type, message] of Object.entries(types)) {
      const codec = codecFor(type);
      const whole = codec.encode(message);
      const roll = dice(SEED + whole.length);
      for (let k = 0; k < COUNT; k++) {
        const bad = mutate(whole, roll, [whole]);
        // As in a datagram: something lies behind it, which is not its own.
        const datagram = new Uint8Array(bad.length + 4096).fill(0x40);
        datagram.set(bad);
        try {
          const seen = JSON.stringify(codec.decode(datagram.subarray(0, bad.length)), (_, v) =>
            ArrayBuffer.isView(v) ? [...(v as Float64Array)] : v,
          );
          expect(seen).not.toContain("32.501960784313725");
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }
      expect(codec.encode(codec.decode(whole))).toEqual(whole);
    }
  });
});

describe("messages of WebSockets", () => {
  const text = (s: string) => new TextEncoder().encode(s);
  it(`${COUNT} mutated requests to the Foxglove server are refused in words or understood`, () => {
    const corpus = [
      '{"op":"subscribe","subscriptions":[{"id":1,"channelId":2}]}',
      '{"op":"setParameters","parameters":[{"name":"m","value":3}],"id":"x"}',
      '{"op":"advertise","channels":[{"id":1,"topic":"/a","encoding":"json","schemaName":"b"}]}',
      '{"op":"getParameters","parameterNames":["a","b"]}',
    ].map(text);
    const roll = dice(SEED);
    let understood = 0;
    for (let k = 0; k < COUNT; k++) {
      const words = new TextDecoder().decode(mutate(corpus[roll(corpus.length)], roll, corpus));
      try {
        readRequest(words);
        understood++;
      } catch (error) {
        expect((error as Error).message.length).toBeLessThan(400);
      }
      readBinary(mutate(corpus[roll(corpus.length)], roll, corpus));
    }
    expect(understood).toBeLessThan(COUNT);
  });

  it(`${COUNT} mutated words of pages are refused in words or understood`, () => {
    const corpus = [
      '{"command":{"type":"moveStick","stick":0,"motion":"push","value":1}}',
      '{"command":{"type":"setParameters","values":{"m":{"$number":"Infinity"}}}}',
      '{"id":4,"query":{"type":"history","names":["t"],"from":0,"to":1,"most":100}}',
      '{"command":{"type":"setEnvironment","spec":{"wind":{"steady":[1,2,3]}}},"a":{"$f64":"AAAAAAAA8D8="}}',
    ].map(text);
    const roll = dice(SEED);
    for (let k = 0; k < COUNT; k++) {
      let value: unknown;
      try {
        value = decode(new TextDecoder().decode(mutate(corpus[roll(corpus.length)], roll, corpus)));
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
        continue;
      }
      try {
        readPageMessage(value);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
    }
  });
});

describe("MCAP", () => {
  it(`${COUNT / 100} mutated logs give back what is whole, or say what is wrong`, () => {
    const cwd = folder();
    sideslip(["run", "parafoil", "--duration", "3", "--out", "x.mcap"], cwd);
    const whole = new Uint8Array(readFileSync(join(cwd, "x.mcap")));
    const roll = dice(SEED);
    for (let k = 0; k < COUNT / 100; k++)
      try {
        const { rows } = readChannels(mutate(whole, roll, [whole]), "x.mcap");
        expect(rows.length).toBeGreaterThan(1);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
      }
  });
});
