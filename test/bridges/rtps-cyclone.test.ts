/** The RTPS participant against Eclipse Cyclone DDS, a third party's binary, on the loopback interface. */
import { afterAll, expect, it } from "vitest";
import { RosNode, type TopicQos } from "../../src/bridges/ros2/node.ts";
import { joinDomain, type UdpOptions, type UdpParticipant } from "../../src/bridges/ros2/rtps/udp.ts";
import {
  cyclonePeer,
  describeWithCyclone,
  fromBits,
  newDomain,
  peer,
  stopPeers,
} from "../support/dds/peers.ts";
import { BYTES, bytes, checksum, losing, rest, upTo, VECTOR, vector, write } from "../support/dds/samples.ts";

const open: UdpParticipant[] = [];
const reports: string[] = [];

async function node(domain: number, more: Partial<UdpOptions> = {}): Promise<RosNode> {
  const joined = await joinDomain({ name: "test", domain, report: (words) => reports.push(words), ...more });
  open.push(joined);
  return new RosNode(joined.participant, "test");
}

afterAll(async () => {
  stopPeers();
  await Promise.all(open.map((p) => p.close()));
});

/** What a Cyclone reader gets of what is written here. */
async function toCyclone(
  count: number,
  rate: number,
  ours: TopicQos,
  its: Readonly<Record<string, number>>,
  more: Partial<UdpOptions> & { peerMulticast?: boolean } = {},
): Promise<number[]> {
  const domain = newDomain();
  const own = await node(domain, more);
  const publisher = own.advertise("/position", VECTOR, ours);
  const reader = peer(
    domain,
    "sub",
    { topic: "rt/position", type: VECTOR, count, timeout: 10 + count / rate, ...its },
    { multicast: more.peerMulticast ?? true },
  );
  await reader.until("matched");
  await expect.poll(() => publisher.writer.inTouch).toBe(1);
  await write(count, rate, (n) => publisher.publish(vector(n)));
  await reader.ended;
  return reader.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l).header.stamp.sec);
}

describeWithCyclone("samples to Cyclone DDS", () => {
  cyclonePeer();

  it("arrive bit for bit", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/position", VECTOR);
    const reader = peer(domain, "sub", { topic: "rt/position", type: VECTOR, count: 1 });
    await reader.until("matched");
    await expect.poll(() => publisher.writer.inTouch).toBe(1);
    publisher.publish(vector(3));
    await reader.ended;
    const got = JSON.parse(reader.lines[1]);
    expect(got.header).toEqual({ stamp: { sec: 3, nanosec: 7 }, frame_id: "ned" });
    expect(["x", "y", "z"].map((k) => fromBits(got.vector[k]))).toEqual([1 / 3, -3, Math.sqrt(3)]);
  });

  it("all arrive, in order: reliable", async () => {
    expect(await toCyclone(40, 100, {}, {})).toEqual(upTo(40));
  });
  it("all arrive: reliable to a reader that asks for best effort", async () => {
    expect(await toCyclone(40, 100, {}, { reliable: 0 })).toEqual(upTo(40));
  });
  it("all arrive: best effort", async () => {
    expect(await toCyclone(40, 100, { isReliable: false }, { reliable: 0 })).toEqual(upTo(40));
  });
  it("all arrive without multicast on either side", async () => {
    expect(
      await toCyclone(40, 100, {}, {}, { multicast: false, peers: ["127.0.0.1"], peerMulticast: false }),
    ).toEqual(upTo(40));
  });
  it("all arrive at 1000 a second", async () => {
    expect(await toCyclone(3000, 1000, { depth: 1000 }, {})).toEqual(upTo(3000));
  });
  it("all arrive though 30 % of all datagrams are lost", async () => {
    expect(await toCyclone(500, 200, { depth: 500 }, {}, { lossy: losing(0.3) })).toEqual(upTo(500));
  });

  it("all arrive at a reader that heard late of the writer, though the first is lost at first", async () => {
    // A volatile reader of Cyclone's begins behind the first heartbeat that it hears: that must come before the samples.
    const domain = newDomain();
    const announcements = Buffer.from([0, 0, 3, 0xc2]);
    let until = Number.POSITIVE_INFINITY;
    let lost = 0;
    const own = await node(domain, {
      lossy(datagram) {
        const bytes = Buffer.from(datagram);
        if (bytes.includes("ned") && lost++ === 0) return true;
        const isOurs = bytes.subarray(8, 20).toString("hex") === open.at(-1)?.participant.prefix;
        return isOurs && performance.now() < until && bytes.includes(announcements);
      },
    });
    const publisher = own.advertise("/position", VECTOR, { depth: 100 });
    const reader = peer(domain, "sub", { topic: "rt/position", type: VECTOR, count: 40, timeout: 30 });
    await expect.poll(() => publisher.writer.readers.size, { timeout: 10_000 }).toBe(1);
    // Longer than a writer waits for an answer.
    until = performance.now() + 11_000;
    await reader.until("matched");
    await expect.poll(() => publisher.writer.inTouch, { timeout: 5000 }).toBe(1);
    await write(40, 1000, (n) => publisher.publish(vector(n)));
    await reader.ended;
    expect(lost).toBeGreaterThan(1);
    expect(reader.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l).header.stamp.sec)).toEqual(
      upTo(40),
    );
  }, 60_000);

  it("large ones arrive in fragments", async () => {
    for (const [size, count] of [
      [100, 20],
      [14_000, 20],
      [64_000, 20],
      [65_536, 20],
      [1_000_000, 10],
    ]) {
      const domain = newDomain();
      const own = await node(domain);
      const publisher = own.advertise("/big", BYTES, { depth: 100 });
      const reader = peer(domain, "sub", { topic: "rt/big", type: BYTES, count, brief: 1, timeout: 20 });
      await reader.until("matched");
      await expect.poll(() => publisher.writer.inTouch).toBe(1);
      await write(count, 50, (n) => publisher.publish(bytes(n, size)));
      await reader.ended;
      const wanted = upTo(count).map((n) => `${n} ${size} ${checksum(bytes(n, size).data)}`);
      expect(reader.lines.slice(1, -1)).toEqual(wanted);
    }
  });

  it("large ones arrive though 30 % of all datagrams are lost", async () => {
    const domain = newDomain();
    const own = await node(domain, { lossy: losing(0.3) });
    const publisher = own.advertise("/big", BYTES, { depth: 100 });
    const reader = peer(domain, "sub", { topic: "rt/big", type: BYTES, count: 20, brief: 1, timeout: 30 });
    await reader.until("matched");
    await expect.poll(() => publisher.writer.inTouch).toBe(1);
    await write(20, 20, (n) => publisher.publish(bytes(n, 200_000)));
    await reader.ended;
    expect(reader.lines.slice(1, -1).map((l) => Number(l.split(" ")[0]))).toEqual(upTo(20));
  });

  it("a late reader of a transient local writer gets exactly the depth", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/latched", VECTOR, { isTransientLocal: true, depth: 5 });
    for (const n of upTo(12)) publisher.publish(vector(n));
    const reader = peer(domain, "sub", {
      topic: "rt/latched",
      type: VECTOR,
      transient: 1,
      count: 12,
      timeout: 2,
    });
    await reader.ended;
    expect(reader.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l).header.stamp.sec)).toEqual([
      8, 9, 10, 11, 12,
    ]);
  });

  it("what does not fit is refused, and said in words", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/shy", VECTOR, { isReliable: false });
    const other = own.advertise("/wrong", VECTOR);
    const first = peer(domain, "sub", { topic: "rt/shy", type: VECTOR, count: 1, timeout: 3 });
    peer(domain, "sub", { topic: "rt/wrong", type: BYTES, count: 1, timeout: 3 });
    await expect
      .poll(() => reports.join("\n"))
      .toMatch(/rt\/shy .*asks for reliable, the writer offers best effort/);
    await expect
      .poll(() => reports.join("\n"))
      .toMatch(/rt\/wrong .*its type is std_msgs::msg::dds_::UInt8MultiArray_, not/);
    publisher.publish(vector(1));
    other.publish(vector(1));
    await first.ended;
    expect(first.lines).toEqual(["matched", "end 0"]);
  });
});

/** What is heard here of what a Cyclone writer sends. */
async function fromCyclone(
  ours: TopicQos,
  words: Readonly<Record<string, number>>,
  { loss = 0, type = VECTOR, multicast = true } = {},
): Promise<{ heard: unknown[]; own: RosNode }> {
  const domain = newDomain();
  const own = await node(domain, {
    lossy: losing(loss),
    ...(multicast ? {} : { multicast: false, peers: ["127.0.0.1"] }),
  });
  const heard: unknown[] = [];
  own.subscribe("/in", type, ours, (message) => heard.push(message));
  const writer = peer(domain, "pub", { topic: "rt/in", type, linger: 20, ...words }, { multicast });
  await writer.ended;
  await rest(50);
  return { heard, own };
}
const numbers = (heard: unknown[]) => heard.map((m) => (m as ReturnType<typeof vector>).header.stamp.sec);

describeWithCyclone("samples from Cyclone DDS", () => {
  it("are decoded bit for bit", async () => {
    const { heard } = await fromCyclone({}, { count: 3 });
    expect(heard.map((m) => (m as ReturnType<typeof vector>).vector)).toEqual(
      upTo(3).map((n) => ({ x: n, y: 0.1 * n, z: Math.sqrt(n) })),
    );
  });
  it("all arrive, in order: reliable, best effort, without multicast, at 1000 a second", async () => {
    expect(numbers((await fromCyclone({}, { count: 60 })).heard)).toEqual(upTo(60));
    expect(numbers((await fromCyclone({ isReliable: false }, { count: 60 })).heard)).toEqual(upTo(60));
    expect(numbers((await fromCyclone({ isReliable: false }, { count: 60, reliable: 0 })).heard)).toEqual(
      upTo(60),
    );
    expect(numbers((await fromCyclone({}, { count: 60 }, { multicast: false })).heard)).toEqual(upTo(60));
    expect(numbers((await fromCyclone({}, { count: 3000, rate: 1000 })).heard)).toEqual(upTo(3000));
  });
  it("all arrive though 30 % of all datagrams are lost", async () => {
    expect(numbers((await fromCyclone({}, { count: 300, rate: 200 }, { loss: 0.3 })).heard)).toEqual(
      upTo(300),
    );
  });
  it("large ones are put together", async () => {
    for (const [size, count] of [
      [5_000, 20],
      [14_000, 20],
      [64_000, 20],
      [65_536, 20],
      [1_000_000, 10],
    ]) {
      const { heard } = await fromCyclone({}, { count, size, rate: 20 }, { type: BYTES });
      expect(heard.map((m) => checksum((m as ReturnType<typeof bytes>).data))).toEqual(
        upTo(count).map((n) => checksum(bytes(n, size).data)),
      );
    }
  });
  it("large ones of best effort, too", async () => {
    const { heard } = await fromCyclone(
      { isReliable: false },
      { count: 10, size: 60_000, rate: 20, reliable: 0 },
      { type: BYTES },
    );
    expect(heard.length).toBe(10);
  });
  it("a best-effort writer does not fit a reliable reader, which is said", async () => {
    const { heard } = await fromCyclone({}, { count: 5, reliable: 0, timeout: 2 });
    expect(heard).toEqual([]);
    expect(reports.join("\n")).toMatch(/writer of rt\/in .*asks for reliable, the writer offers best effort/);
  });
  it("a late reader of a transient local writer gets what it kept", async () => {
    const domain = newDomain();
    const writer = peer(domain, "pub", {
      topic: "rt/in",
      type: VECTOR,
      transient: 1,
      depth: 5,
      count: 12,
      rate: 1000,
      readers: 0,
      stay: 4,
    });
    await writer.until("matched");
    await rest(200);
    const own = await node(domain);
    const heard: unknown[] = [];
    own.subscribe("/in", VECTOR, { isTransientLocal: true }, (m) => heard.push(m));
    await expect.poll(() => numbers(heard)).toEqual([8, 9, 10, 11, 12]);
    const fresh: unknown[] = [];
    own.subscribe("/in", VECTOR, {}, (m) => fresh.push(m));
    await rest(500);
    expect(fresh).toEqual([]);
  });
});

describeWithCyclone("participants", () => {
  it("that die without a word and come back are served again", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const heard: unknown[] = [];
    own.subscribe("/in", VECTOR, {}, (m) => heard.push(m));
    const words = { topic: "rt/in", type: VECTOR, count: 5, rate: 100, linger: 2, die: 1 };
    await peer(domain, "pub", words).ended;
    await peer(domain, "pub", words).ended;
    await expect.poll(() => numbers(heard)).toEqual([...upTo(5), ...upTo(5)]);
    // The dead are forgotten when their lease is over.
    expect(own.participant.remotes.size).toBe(2);
    await expect.poll(() => own.participant.remotes.size, { timeout: 30_000 }).toBe(0);
    expect(reports.join("\n")).toMatch(/sent nothing for 10 s/);
  }, 60_000);

  it("whose writer goes quiet beyond its lease is said not to be alive", async () => {
    const domain = newDomain();
    const own = await node(domain);
    own.subscribe("/quiet", VECTOR, {}, () => {});
    const writer = peer(domain, "pub", {
      topic: "rt/quiet",
      type: VECTOR,
      count: 3,
      rate: 10,
      lease: 0.5,
      stay: 2.5,
    });
    await writer.ended;
    expect(reports.join("\n")).toMatch(/a writer of rt\/quiet \(\w+\) is not alive: its lease is over/);
  });

  it("five at once each get everything", async () => {
    const domain = newDomain();
    const own = await node(domain);
    const publisher = own.advertise("/position", VECTOR, { depth: 500 });
    const readers = upTo(5).map(() =>
      peer(domain, "sub", { topic: "rt/position", type: VECTOR, count: 200, timeout: 20 }),
    );
    await Promise.all(readers.map((r) => r.until("matched")));
    await expect.poll(() => publisher.writer.inTouch).toBe(5);
    await write(200, 200, (n) => publisher.publish(vector(n)));
    for (const r of readers) {
      await r.ended;
      expect(r.lines.filter((l) => l.startsWith("{")).map((l) => JSON.parse(l).header.stamp.sec)).toEqual(
        upTo(200),
      );
    }
    await expect.poll(() => publisher.writer.readers.size).toBe(0);
  });

  it("learn which node the endpoints belong to", async () => {
    const domain = newDomain();
    const own = await node(domain);
    own.advertise("/position", VECTOR);
    const type = "rmw_dds_common/ParticipantEntitiesInfo";
    const reader = peer(domain, "sub", { topic: "ros_discovery_info", type, transient: 1, count: 1 });
    await reader.ended;
    const [info] = JSON.parse(reader.lines[1]).node_entities_info_seq;
    expect(info.node_name).toBe("test");
    expect(info.node_namespace).toBe("/");
    expect(info.writer_gid_seq.length).toBe(1);
  });

  it("call a service in Cyclone's dialect and get their own ticket back", async () => {
    const domain = newDomain();
    const own = await node(domain);
    let calls = 0;
    own.serve("/brains2/reset", () => calls++);
    const caller = peer(domain, "call", { service: "/brains2/reset" });
    await caller.ended;
    expect(calls).toBe(1);
    expect(caller.lines.at(-1)).toBe("reply 1234567890abcdef 42");
  });
});
