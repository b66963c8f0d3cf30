/** The Foxglove server with the protocol's official client package, and with clients that are no clients. */
import { connect } from "node:net";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { type Channel, FoxgloveClient, type Service } from "@foxglove/ws-protocol";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { stopPeers } from "../support/dds/peers.ts";
import { rest } from "../support/dds/samples.ts";
import { serve } from "../support/served.ts";

const clients: FoxgloveClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  stopPeers();
});

async function visit(address: string, protocol = "foxglove.websocket.v1") {
  const socket = new WebSocket(address, [protocol]);
  const client = new FoxgloveClient({ ws: socket as never });
  clients.push(client);
  const channels = new Map<string, Channel>();
  const services = new Map<string, Service>();
  const complaints: string[] = [];
  client.on("status", ({ message }) => complaints.push(message));
  client.on("advertise", (more) => {
    for (const c of more) channels.set(c.topic, c);
  });
  client.on("advertiseServices", (more) => {
    for (const s of more) services.set(s.name, s);
  });
  const info = await new Promise<{ capabilities: string[] }>((resolve) => client.on("serverInfo", resolve));
  await expect.poll(() => services.size).toBeGreaterThan(0);
  return { client, socket, channels, services, info, complaints };
}
type Visit = Awaited<ReturnType<typeof visit>>;

/** Messages of a topic as they come, decoded. */
function watch({ client, channels }: Visit, topic: string): Record<string, number>[] {
  const channel = channels.get(topic) as Channel;
  const reader = new MessageReader(parse(channel.schema, { ros2: true }));
  const subscription = client.subscribe(channel.id);
  const heard: Record<string, number>[] = [];
  client.on("message", ({ subscriptionId, data }) => {
    if (subscriptionId === subscription) heard.push(reader.readMessage(data));
  });
  return heard;
}
/** Values of parameters, asked for. */
async function parameter({ client }: Visit, name: string): Promise<unknown> {
  const id = String(Math.random());
  const values = new Promise((resolve) =>
    client.on("parameterValues", (reply) => {
      if (reply.id === id) resolve(reply.parameters[0]?.value);
    }),
  );
  client.getParameters([name], id);
  return values;
}
async function call({ client, services }: Visit, name: string): Promise<void> {
  const service = services.get(name) as Service;
  const callId = Math.floor(Math.random() * 1e6);
  const answered = new Promise<void>((resolve) =>
    client.on("serviceCallResponse", (r) => {
      if (r.callId === callId) resolve();
    }),
  );
  const data = new DataView(new TextEncoder().encode("{}").buffer);
  client.sendServiceCallRequest({ serviceId: service.id, callId, encoding: "json", data });
  await answered;
}

describe("the Foxglove server", () => {
  it("speaks both subprotocols; channels, time, commands, parameters and services work", async () => {
    const served = await serve(["serve", "parafoil", "--foxglove", "0"]);
    const address = served.facts.foxglove as string;
    const visitor = await visit(address, "foxglove.sdk.v1");
    await visit(address, "foxglove.websocket.v1");
    expect(visitor.info.capabilities.sort()).toEqual([
      "clientPublish",
      "parameters",
      "parametersSubscribe",
      "services",
      "time",
    ]);
    for (const { name } of served.facts.topics) expect(visitor.channels.has(name)).toBe(true);

    const all = watch(visitor, "/sideslip/channels");
    const odom = watch(visitor, "/parafoil/odom") as never as {
      pose: { pose: { position: { z: number } } };
    }[];
    let time = 0n;
    visitor.client.on("time", ({ timestamp }) => {
      time = timestamp;
    });
    await expect.poll(() => all.length).toBeGreaterThan(20);
    expect(odom.at(-1)?.pose.pose.position.z).toBeCloseTo(-(all.at(-1)?.down ?? 0), 1);
    expect(Number(time) / 1e9).toBeCloseTo(all.at(-1)?.t ?? 0, 0);
    const steps = all.slice(1).map((m, i) => m.t - all[i].t);
    expect(Math.max(...steps)).toBeCloseTo(0.02, 9);

    // A command by JSON, as the Publish panel sends it.
    const channel = visitor.client.advertise({
      topic: "/rockpara_actuators_node/auto_commands",
      encoding: "json",
      schemaName: "geometry_msgs/msg/Vector3Stamped",
    });
    visitor.client.sendMessage(channel, new TextEncoder().encode('{"vector":{"x":0.3,"y":0.1,"z":0}}'));
    await expect.poll(() => all.at(-1)?.brake_left_cmd).toBe(0.3);
    expect(all.at(-1)?.brake_right_cmd).toBe(0.1);

    // What is no such message moves nothing, and is said.
    for (const wrong of [
      "{}",
      "[]",
      "null",
      '{"vectr":{"x":1}}',
      '{"vector":{"x":null,"y":0,"z":0}}',
      '{"vector":{"x":"1","y":0,"z":0}}',
      '{"vector":{"x":1e999,"y":0,"z":0}}',
    ])
      visitor.client.sendMessage(channel, new TextEncoder().encode(wrong));
    await expect.poll(() => visitor.complaints.length).toBeGreaterThanOrEqual(4);
    expect(visitor.complaints.join("\n")).toMatch(/there is no field vectr/);
    expect(visitor.complaints.join("\n")).toMatch(/vector\.x is not a number/);
    expect(all.at(-1)?.brake_left_cmd).toBe(0.3);
    visitor.client.sendMessage(channel, new TextEncoder().encode('{"vector":{"x":7,"y":0.1,"z":0}}'));
    await expect.poll(() => visitor.complaints.join("\n")).toMatch(/brake_left_cmd out of range, clamped/);

    expect(await parameter(visitor, "m")).toBe(2.45);
    visitor.client.setParameters([{ name: "m", value: 3 }], "set");
    expect(await parameter(visitor, "m")).toBe(3);
    visitor.client.setParameters([{ name: "m", value: -3 }], "set");
    expect(await parameter(visitor, "m")).toBe(3);
    await expect.poll(() => visitor.complaints.join()).toMatch(/m.*-3.*out of range/);

    await call(visitor, "/sideslip/pause");
    await rest(100);
    const paused = all.length;
    await rest(200);
    expect(all.length).toBe(paused);
    await call(visitor, "/sideslip/step");
    await expect.poll(() => all.length).toBe(paused + 1);
    await call(visitor, "/sideslip/play");
    await expect.poll(() => all.length).toBeGreaterThan(paused + 10);
    const before = all.at(-1)?.north as number;
    await call(visitor, "/parafoil/reset");
    await expect.poll(() => all.at(-1)?.north as number).toBeLessThan(before / 2);
    expect(all.at(-1)?.t).toBeGreaterThan(all[paused].t);
    await served.stop();
  });

  it("serves five, and one that does not read does not slow the others", async () => {
    const served = await serve(["serve", "x500", "--foxglove", "0", "--rate", "500"]);
    const address = served.facts.foxglove as string;
    const visitors = await Promise.all([1, 2, 3, 4].map(() => visit(address)));
    // The fifth subscribes and then reads nothing at all.
    const { hostname, port } = new URL(address);
    const slow = connect(Number(port), hostname);
    slow.write(
      `GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n",
    );
    await new Promise((go) => slow.once("data", go));
    const subscriptions = [...visitors[0].channels.values()].map(({ id }) => ({ id, channelId: id }));
    slow.write(masked(JSON.stringify({ op: "subscribe", subscriptions })));
    slow.pause();
    const heard = visitors.map((v) => watch(v, "/sideslip/channels"));
    await rest(1000);
    const begun = heard.map((h) => h.length);
    await rest(6000);
    heard.forEach((h, i) => {
      expect(h.length - begun[i]).toBeGreaterThan(2500);
      // Every one of them: as many as fit between the first and the last.
      expect(h.length).toBe(Math.round((h[h.length - 1].t - h[0].t) / 0.002) + 1);
      const steps = h.slice(1).map((m, k) => m.t - h[k].t);
      expect(Math.max(...steps)).toBeLessThan(0.0021);
    });
    slow.destroy();
    const status = await served.stop();
    expect(status.pace.missed).toBe(0);
    expect(status.foxglove.left_out).toBeGreaterThan(0);
  });

  it("lets in no pages of other sites, and nobody who does not speak its protocol; their nonsense ends nothing", async () => {
    const served = await serve([
      "serve",
      "parafoil",
      "--foxglove",
      "0",
      "--allow-origin",
      "https://my.example",
    ]);
    const address = served.facts.foxglove as string;
    const token = (served.facts as { foxglove_token?: string }).foxglove_token as string;
    const knock = (protocols: string[], origin?: string, host?: string, query = "") =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${address}/${query}`, protocols, {
          ...(origin === undefined ? {} : { origin }),
          ...(host === undefined ? {} : { headers: { host } }),
        });
        socket.on("open", () => resolve("in"));
        socket.on("error", () => resolve("out"));
      });
    const own = ["foxglove.websocket.v1"];
    expect(await knock(own)).toBe("in");
    expect(await knock(own, "http://localhost:8080")).toBe("in");
    expect(await knock(own, "https://app.foxglove.dev")).toBe("in");
    expect(await knock(own, "https://my.example")).toBe("in");
    expect(await knock(own, "https://evil.example")).toBe("out");
    expect(await knock(own, "http://localhost.evil.example")).toBe("out");
    // A sandboxed frame of any page has the origin "null"; who brings the token is let in all the same.
    expect(await knock(own, "null")).toBe("out");
    expect(await knock(own, "null", undefined, `?token=${token}`)).toBe("in");
    expect(await knock(own, "null", undefined, `?token=${"0".repeat(32)}`)).toBe("out");
    expect(await knock(own, "file://")).toBe("in");
    // A page's own name that leads here (DNS rebinding), with and without the token.
    expect(await knock(own, undefined, "evil.example")).toBe("out");
    expect(await knock(own, undefined, "evil.example", `?token=${token}`)).toBe("out");
    expect(await knock(own, undefined, "localhost:1234")).toBe("in");
    expect(await knock(["something.else"])).toBe("out");
    expect(await knock([])).toBe("out");
    // Frames that cannot be, of one that is let in.
    const { hostname, port } = new URL(address);
    for (const frame of [
      Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
      Buffer.alloc(5000, 0xff),
      Buffer.from([0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    ]) {
      const rough = connect(Number(port), hostname);
      rough.on("error", () => {});
      rough.write(
        `GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
          "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n",
      );
      await new Promise((go) => rough.once("data", go));
      rough.write(frame);
      await rest(50);
      rough.destroy();
    }
    const visitor = await visit(address);
    expect(await parameter(visitor, "m")).toBe(2.45);
    await served.stop();
  });

  it("gives the places of silent clients to others, and those who have no place leave no socket", async () => {
    const served = await serve(["serve", "parafoil", "--foxglove", "0"]);
    const { hostname, port } = new URL(served.facts.foxglove as string);
    const hello =
      `GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
      "Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\nSec-WebSocket-Protocol: foxglove.websocket.v1\r\n\r\n";
    const mute = () =>
      new Promise<string>((go) => {
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
        socket.on("error", () => {});
        socket.once("data", (d) => go(String(d).split(" ")[1]));
        socket.write(hello);
      });
    const codes: string[] = [];
    for (let k = 0; k < 70; k++) codes.push(await mute());
    expect(codes.filter((c) => c === "101")).toHaveLength(64);
    expect(codes.slice(64).every((c) => c === "503")).toBe(true);
    // None of them answers a ping: after two of them they are let go.
    await expect
      .poll(
        () =>
          new Promise((go) => {
            const socket = new WebSocket(served.facts.foxglove as string, ["foxglove.websocket.v1"]);
            socket.on("open", () => go("in"));
            socket.on("error", () => go("out"));
          }),
        { timeout: 25_000, interval: 1000 },
      )
      .toBe("in");
    await served.stop();
  });

  it("does what one client asks 8000 times a second as its share of time allows; the others' samples come all the same", async () => {
    const served = await serve(["serve", "parafoil", "--foxglove", "0"]);
    const quiet = watch(await visit(served.facts.foxglove as string), "/sideslip/channels");
    const loud = await visit(served.facts.foxglove as string);
    const request = JSON.stringify({ op: "getParameters", parameterNames: [], id: "x" });
    let answered = 0;
    loud.client.on("parameterValues", () => answered++);
    const begun = quiet.length;
    for (let k = 0; k < 30; k++) {
      for (let n = 0; n < 800; n++) loud.socket.send(request);
      await rest(100);
    }
    expect(answered).toBeGreaterThan(0);
    expect(quiet.length - begun).toBeGreaterThan(100);
    const { pace } = await served.stop();
    // Of some 200 ticks, on a machine that does other things, too; without a share of time it was half of them.
    expect(pace.missed).toBeLessThan(20);
  });

  it("survives what is no message, counts it, and says what was wrong", async () => {
    const served = await serve(["serve", "parafoil", "--foxglove", "0"]);
    const visitor = await visit(served.facts.foxglove as string);
    const { socket, complaints } = visitor;
    const bad: (string | Uint8Array)[] = [
      "no json",
      "{}",
      '{"op":"subscribe"}',
      '{"op":"subscribe","subscriptions":[{"id":1,"channelId":99999}]}',
      '{"op":"setParameters","parameters":[{"name":"m","value":"heavy"}]}',
      '{"op":"setParameters","parameters":[{"name":"nonsense","value":1}]}',
      '{"op":"__proto__"}',
      "null",
      "[[[[[[",
      new Uint8Array(0),
      Uint8Array.of(1),
      Uint8Array.of(1, 9, 9, 9, 9, 1),
      Uint8Array.of(2, 1, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255),
      new Uint8Array(1000).fill(7),
    ];
    for (const message of bad) socket.send(message);
    await expect.poll(() => complaints.length).toBeGreaterThan(8);
    expect(complaints.join("\n")).toMatch(/not valid JSON/);
    expect(complaints.join("\n")).toMatch(/there is no parameter "nonsense"/);
    expect(await parameter(visitor, "m")).toBe(2.45);
    // Too large for a message: that connection ends, the server does not.
    socket.send("x".repeat(2 << 20));
    await new Promise((go) => socket.once("close", go));
    const other = await visit(served.facts.foxglove as string);
    expect(await parameter(other, "m")).toBe(2.45);
    const status = await served.stop();
    expect(status.foxglove.malformed).toBeGreaterThan(8);
  });
});

/** A text frame of a client, short or of medium length. */
function masked(text: string): Buffer {
  const body = Buffer.from(text);
  const head =
    body.length < 126
      ? Buffer.from([0x81, 0x80 | body.length])
      : Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255]);
  return Buffer.concat([head, Buffer.alloc(4), body]);
}
