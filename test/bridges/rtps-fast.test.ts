/** The RTPS participant against eProsima Fast DDS, a third party's library, on the loopback interface. */
import { afterAll, expect, it } from "vitest";
import { RosNode } from "../../src/bridges/ros2/node.ts";
import { joinDomain, type UdpOptions, type UdpParticipant } from "../../src/bridges/ros2/rtps/udp.ts";
import {
  describeWithFast,
  fastPeer,
  fromBits,
  newDomain,
  peerOfFast,
  stopPeers,
} from "../support/dds/peers.ts";
import { BYTES, bytes, checksum, losing, rest, upTo, VECTOR, vector, write } from "../support/dds/samples.ts";

const open: UdpParticipant[] = [];
async function node(domain: number, more: Partial<UdpOptions> = {}): Promise<RosNode> {
  const joined = await joinDomain({ name: "test", domain, report: () => {}, ...more });
  open.push(joined);
  return new RosNode(joined.participant, "test");
}
afterAll(async () => {
  stopPeers();
  await Promise.all(open.map((p) => p.close()));
});

describeWithFast("samples to Fast DDS", () => {
  fastPeer();
  for (const [name, reliable, lossy] of [
    ["reliable", 1, 0],
    ["best effort", 0, 0],
    ["reliable, with 30 % of all datagrams lost", 1, 0.3],
  ] as const)
    it(`all arrive, bit for bit: ${name}`, async () => {
      const domain = newDomain();
      const own = await node(domain, { lossy: losing(lossy) });
      const publisher = own.advertise("/position", VECTOR, { depth: 500 });
      const reader = peerOfFast(domain, "sub", {
        topic: "rt/position",
        type: VECTOR,
        reliable,
        count: 200,
        timeout: 30,
      });
      await reader.until("matched");
      await expect.poll(() => publisher.writer.inTouch).toBe(1);
      await write(200, 200, (n) => publisher.publish(vector(n)));
      await reader.ended;
      const got = reader.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l));
      expect(got.map((m) => m.sec)).toEqual(upTo(200));
      expect(got.map((m) => [m.x, m.y, m.z].map(fromBits))).toEqual(
        upTo(200).map((n) => [1 / n, -n, Math.sqrt(n)]),
      );
    });

  it("large ones arrive in fragments", async () => {
    for (const size of [64_000, 65_536, 1_000_000]) {
      const domain = newDomain();
      const own = await node(domain);
      const publisher = own.advertise("/big", BYTES, { depth: 20 });
      const reader = peerOfFast(domain, "sub", { topic: "rt/big", type: BYTES, count: 5, timeout: 20 });
      await reader.until("matched");
      await expect.poll(() => publisher.writer.inTouch).toBe(1);
      await write(5, 20, (n) => publisher.publish(bytes(n, size)));
      await reader.ended;
      expect(reader.lines.slice(1, -1)).toEqual(
        upTo(5).map((n) => `${n} ${size} ${checksum(bytes(n, size).data)}`),
      );
    }
  });
});

describeWithFast("samples from Fast DDS", () => {
  for (const [name, reliable, lossy] of [
    ["reliable", 1, 0],
    ["best effort", 0, 0],
    ["reliable, with 30 % of all datagrams lost", 1, 0.3],
  ] as const)
    it(`all arrive: ${name}`, async () => {
      const domain = newDomain();
      const own = await node(domain, { lossy: losing(lossy) });
      const heard: ReturnType<typeof vector>[] = [];
      own.subscribe("/in", VECTOR, { isReliable: reliable === 1 }, (m) => heard.push(m as never));
      const writer = peerOfFast(domain, "pub", {
        topic: "rt/in",
        type: VECTOR,
        count: 200,
        rate: 200,
        reliable,
      });
      await writer.ended;
      await rest(50);
      expect(heard.map((m) => m.header.stamp.sec)).toEqual(upTo(200));
      expect(heard[99].vector).toEqual({ x: 100, y: 0.1 * 100, z: 10 });
    });

  it("large ones are put together", async () => {
    for (const size of [64_000, 65_536, 1_000_000]) {
      const domain = newDomain();
      const own = await node(domain);
      const heard: string[] = [];
      own.subscribe("/in", BYTES, {}, (m) => heard.push(checksum((m as ReturnType<typeof bytes>).data)));
      const transient = size === 64_000 ? 1 : 0;
      const writer = peerOfFast(domain, "pub", {
        topic: "rt/in",
        type: BYTES,
        count: 5,
        rate: 20,
        size,
        transient,
      });
      await writer.ended;
      await expect.poll(() => heard).toEqual(upTo(5).map((n) => checksum(bytes(n, size).data)));
    }
  });

  it("a service call in its dialect gets a reply that says which request it answers", async () => {
    const domain = newDomain();
    const own = await node(domain);
    let calls = 0;
    own.serve("/brains2/reset", () => calls++);
    const caller = peerOfFast(domain, "call", { service: "/brains2/reset" });
    await caller.ended;
    expect(calls).toBe(1);
    expect(caller.lines.at(-1)).toBe("reply mine 1 of 1");
  });
});

describeWithFast("participants of Fast DDS", () => {
  const seconds = (lines: readonly string[]) =>
    lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l).sec);

  it("get and send 1000 a second", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/position", VECTOR, { depth: 1000 });
    const heard: number[] = [];
    own.subscribe("/in", VECTOR, {}, (m) => heard.push((m as ReturnType<typeof vector>).header.stamp.sec));
    const reader = peerOfFast(domain, "sub", {
      topic: "rt/position",
      type: VECTOR,
      count: 2000,
      timeout: 20,
    });
    await reader.until("matched");
    await expect.poll(() => publisher.writer.inTouch).toBe(1);
    await write(2000, 1000, (n) => publisher.publish(vector(n)));
    await reader.ended;
    expect(seconds(reader.lines)).toEqual(upTo(2000));
    await peerOfFast(domain, "pub", { topic: "rt/in", type: VECTOR, count: 2000, rate: 1000 }).ended;
    await expect.poll(() => heard).toEqual(upTo(2000));
  });

  it("that come late get exactly what a transient local writer keeps", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/latched", VECTOR, { isTransientLocal: true, depth: 5 });
    for (const n of upTo(12)) publisher.publish(vector(n));
    const words = { topic: "rt/latched", type: VECTOR, count: 12, timeout: 2 };
    const late = peerOfFast(domain, "sub", { ...words, transient: 1 });
    const fresh = peerOfFast(domain, "sub", words);
    await Promise.all([late.ended, fresh.ended]);
    expect(seconds(late.lines)).toEqual([8, 9, 10, 11, 12]);
    expect(seconds(fresh.lines)).toEqual([]);
  });

  it("five at once each get everything; those that die without a word and return are heard again", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/position", VECTOR, { depth: 500 });
    const readers = upTo(5).map(() =>
      peerOfFast(domain, "sub", { topic: "rt/position", type: VECTOR, count: 100, timeout: 20 }),
    );
    await Promise.all(readers.map((r) => r.until("matched")));
    await expect.poll(() => publisher.writer.inTouch).toBe(5);
    await write(100, 200, (n) => publisher.publish(vector(n)));
    for (const r of readers) {
      await r.ended;
      expect(seconds(r.lines)).toEqual(upTo(100));
    }
    const heard: number[] = [];
    own.subscribe("/in", VECTOR, {}, (m) => heard.push((m as ReturnType<typeof vector>).header.stamp.sec));
    // The peer ends without saying so.
    for (let life = 0; life < 2; life++)
      await peerOfFast(domain, "pub", { topic: "rt/in", type: VECTOR, count: 5 }).ended;
    await expect.poll(() => heard).toEqual([...upTo(5), ...upTo(5)]);
  });
});
