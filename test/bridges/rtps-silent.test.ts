/** Anybody can name anybody's address: one that never answers is sent little, and fakes do not keep real readers out. */
import { describe, expect, it } from "vitest";
import { RosNode } from "../../src/bridges/ros2/node.ts";
import {
  announcement,
  answer,
  fakePrefix,
  MemoryNetwork,
  PUBLICATIONS_READER,
  PUBLICATIONS_WRITER,
  readers,
  SUBSCRIPTIONS_READER,
  SUBSCRIPTIONS_WRITER,
} from "../support/dds/network.ts";
import { vector } from "../support/dds/samples.ts";

const VECTOR = "geometry_msgs/Vector3Stamped";
const DDS_VECTOR = "geometry_msgs::msg::dds_::Vector3Stamped_";
const VICTIM = { host: "127.0.0.1", port: 9999 };
const ATTACKER = ["127.0.0.1", 40_000] as const;
const TOPICS = Array.from({ length: 12 }, (_, k) => `/vehicle/topic_${k}`);
/** As QUIC has it (RFC 9000, 8.1). */
const RATIO = 3;

async function served() {
  const network = new MemoryNetwork();
  const node = new RosNode(network.join("sideslip", 1), "sideslip");
  const publishers = TOPICS.map((topic) => node.advertise(topic, VECTOR));
  node.advertise("/latched", VECTOR, { isTransientLocal: true }).publish(vector(1));
  node.serve("/reset", () => {});
  await network.run(100);
  return { network, node, publishers };
}
const heardBy = (network: MemoryNetwork, { host, port } = VICTIM) =>
  network.sentTo.get(`${host}:${port}`) ?? 0;

describe("an address that never answers", () => {
  const me = (node: RosNode) => node.participant.prefix;
  const topics = TOPICS.map((t) => `rt${t}`);
  const attacks: [string, (node: RosNode) => Uint8Array[]][] = [
    ["an announcement", () => [announcement(fakePrefix(1), VICTIM)]],
    [
      "an announcement and best-effort readers of every topic",
      (node) => [
        announcement(fakePrefix(2), VICTIM),
        readers(fakePrefix(2), me(node), topics, DDS_VECTOR, false),
      ],
    ],
    [
      "the same with reliable readers, and guessed answers to discovery",
      (node) => [
        announcement(fakePrefix(3), VICTIM),
        readers(fakePrefix(3), me(node), topics, DDS_VECTOR, true),
        ...[1, 2, 20].flatMap((base) => [
          answer(fakePrefix(3), me(node), PUBLICATIONS_READER, PUBLICATIONS_WRITER, base, base),
          answer(fakePrefix(3), me(node), SUBSCRIPTIONS_READER, SUBSCRIPTIONS_WRITER, base, base),
        ]),
      ],
    ],
    [
      "a thousand announcements",
      () => Array.from({ length: 1000 }, (_, k) => announcement(fakePrefix(100 + k), VICTIM)),
    ],
  ];
  it.each(attacks)("%s: it is sent three times what was said in its name, at most", async (_, attack) => {
    const { network, node, publishers } = await served();
    let said = 0;
    for (const bytes of attack(node)) {
      node.participant.receive(bytes, ...ATTACKER);
      said += bytes.length;
    }
    for (let k = 0; k < 300; k++) {
      for (const p of publishers) p.publish(vector(k));
      await network.run(50);
    }
    expect(heardBy(network)).toBeLessThanOrEqual(RATIO * said);
  });
});

describe("fakes", () => {
  it("256 of them with endpoints, and 200 more a second, do not keep a real reader waiting", async () => {
    const network = new MemoryNetwork();
    const node = new RosNode(network.join("sideslip", 1), "sideslip");
    const publisher = node.advertise("/x", VECTOR);
    await network.run(100);
    let count = 0;
    const fake = () => {
      const prefix = fakePrefix(++count);
      node.participant.receive(
        announcement(prefix, { host: "127.0.0.1", port: 20_000 + count }),
        ...ATTACKER,
      );
      node.participant.receive(
        readers(prefix, node.participant.prefix, ["rt/nothing"], DDS_VECTOR, false),
        ...ATTACKER,
      );
    };
    for (let k = 0; k < 256; k++) fake();
    const heard: unknown[] = [];
    new RosNode(network.join("real", 50), "real").subscribe("/x", VECTOR, {}, (m) => heard.push(m));
    const begun = network.now;
    while (heard.length === 0 && network.now - begun < 10_000) {
      fake();
      publisher.publish(vector(1));
      await network.run(5);
    }
    expect(heard.length).toBeGreaterThan(0);
    expect(network.now - begun).toBeLessThan(1000);
  });
  it("one that was heard and comes again under its name is heard again", async () => {
    const network = new MemoryNetwork();
    const node = new RosNode(network.join("sideslip", 1), "sideslip");
    const publisher = node.advertise("/x", VECTOR);
    const first = new RosNode(network.join("real", 50), "real");
    const heard: unknown[] = [];
    first.subscribe("/x", VECTOR, {}, (m) => heard.push(m));
    await network.run(500);
    publisher.publish(vector(1));
    await network.run(100);
    expect(heard).toHaveLength(1);
    first.participant.close();
    await network.run(500);
    const again: unknown[] = [];
    new RosNode(network.join("real", 50), "real").subscribe("/x", VECTOR, {}, (m) => again.push(m));
    await network.run(1000);
    publisher.publish(vector(2));
    await network.run(200);
    expect(again).toHaveLength(1);
  });
});
