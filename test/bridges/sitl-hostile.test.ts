/** Autopilots that are killed, silent, many, wrong or stopped: it goes on, and says what is the matter. */

import { spawnSync } from "node:child_process";
import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { createWriteStream, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { FrameReader, FrameWriter } from "../../src/bridges/mavlink/frame.ts";
import { HEARTBEAT, HIL_ACTUATOR_CONTROLS } from "../../src/bridges/mavlink/messages.ts";
import { portOf, serveFor, standIn } from "../support/autopilots/stand-in.ts";
import { folder } from "../support/cli.ts";
import { stopPeers } from "../support/dds/peers.ts";
import type { ServedSimulation } from "../support/served.ts";

afterAll(stopPeers);

const rest = (ms: number) => new Promise((go) => setTimeout(go, ms));
const open: { destroy?(): void; close?(): void }[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy ? socket.destroy() : socket.close?.();
});
/** What it said to people so far. */
const toldBy = ({ process }: ServedSimulation) => {
  const words: string[] = [];
  process.stderr?.on("data", (d) => words.push(String(d)));
  return () => words.join("");
};

/** What PX4 says as soon as it is connected. */
const heartbeat = () => new FrameWriter(1, 1).write(HEARTBEAT, { autopilot: 12, mavlink_version: 3 });
async function tcp(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  open.push(socket);
  socket.on("error", () => {});
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return socket;
}
async function udp(): Promise<UdpSocket> {
  const socket = createSocket("udp4");
  open.push(socket);
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return socket;
}
function servos(count: number, pulse = 1000, rate = 1200): Buffer {
  const packet = Buffer.alloc(40);
  packet.writeUInt16LE(18458, 0);
  packet.writeUInt16LE(rate, 2);
  packet.writeUInt32LE(count, 4);
  for (let i = 0; i < 16; i++) packet.writeUInt16LE(pulse, 8 + 2 * i);
  return packet;
}
/** The answer to a packet, or nothing for so long. */
const ask = (socket: UdpSocket, port: number, packet: Uint8Array, ms = 3000) =>
  new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ms);
    socket.once("message", (bytes) => {
      clearTimeout(timer);
      resolve(bytes.toString());
    });
    socket.send(packet, port, "127.0.0.1");
  });
const timeOf = (answer?: string): number => JSON.parse(answer ?? "{}").timestamp;

describe("PX4 killed and started again", () => {
  it("ten times: each begins anew with a clock of its own", async () => {
    const served = await serveFor("px4", 20, "iris");
    const told = toldBy(served);
    for (let k = 0; k < 10; k++) {
      const { child } = standIn("px4", 20, "iris", 1000);
      await rest(k === 0 ? 900 : 450);
      child.kill("SIGKILL");
      await rest(60);
    }
    const summary = await standIn("px4", 20, "iris", 10).summary();
    // It hovers after ten seconds of its own time, as if it had been the first.
    expect(summary.stage).toBe("hovering");
    expect(told()).toMatch(/PX4 disconnected at t = .*the simulation waits/);
    expect(told()).toMatch(/connected again \(11th connection\): the vehicle is reset/);
    const end = await served.stop();
    expect(end.px4).toMatchObject({ connections: 11, refused: 0 });
  });
  it("and the simulator, ten times: no port stays taken", async () => {
    for (let k = 0; k < 10; k++) {
      const served = await serveFor("px4", 21, "iris");
      const socket = await tcp(portOf("px4", 21));
      socket.write(heartbeat());
      await new Promise((resolve) => socket.once("data", resolve));
      served.process.kill("SIGKILL");
      await served.ended;
    }
    const served = await serveFor("px4", 21, "iris");
    expect((await standIn("px4", 21, "iris", 3).summary()).t).toBeCloseTo(3, 6);
    await served.stop();
  });
});

describe("ArduPilot killed and started again", () => {
  it("ten times: each begins anew with a clock of its own", async () => {
    const served = await serveFor("ardupilot", 20, "iris");
    for (let k = 0; k < 10; k++) {
      const { child } = standIn("ardupilot", 20, "iris", 1000);
      await rest(k === 0 ? 900 : 450);
      child.kill("SIGKILL");
      // One that was heard a moment ago is taken to be there still.
      await rest(350);
    }
    const summary = await standIn("ardupilot", 20, "iris", 10).summary();
    expect(summary.stage).toBe("hovering");
    expect(summary.seen.first).toBeCloseTo(1 / 1200, 8);
    const end = await served.stop();
    expect(end.ardupilot.connections).toBe(11);
  });
  it("and the simulator, ten times: whoever goes on asking is answered again", async () => {
    const port = portOf("ardupilot", 21);
    const socket = await udp();
    let count = 0;
    for (let k = 0; k < 10; k++) {
      const served = await serveFor("ardupilot", 21, "iris");
      for (let i = 0; i < 20; i++)
        expect(await ask(socket, port, servos(count++)), `round ${k}`).toBeDefined();
      served.process.kill("SIGKILL");
      await served.ended;
    }
  });
});

describe("ArduPilot's packets", () => {
  it("that come twice are answered twice without a step; a count from the beginning is a new flight", async () => {
    const served = await serveFor("ardupilot", 22, "iris");
    const port = portOf("ardupilot", 22);
    const socket = await udp();
    let answer: string | undefined;
    for (let k = 0; k < 200; k++) answer = await ask(socket, port, servos(k, k < 100 ? 1000 : 1900));
    const again = await ask(socket, port, servos(199, 1900));
    expect(again).toBe(answer);
    // Repeated a thousand times it is not answered a thousand times.
    let answers = 0;
    const count = () => answers++;
    socket.on("message", count);
    for (let k = 0; k < 1000; k++) socket.send(servos(199, 1900), port, "127.0.0.1");
    await rest(300);
    socket.off("message", count);
    expect(answers).toBeLessThanOrEqual(4);
    const next = await ask(socket, port, servos(200, 1900));
    expect(timeOf(next)).toBeCloseTo(timeOf(answer) + 1 / 1200, 8);
    expect(JSON.parse(next ?? "").position[2]).toBeLessThan(-0.06);
    const anew = JSON.parse((await ask(socket, port, servos(0))) ?? "");
    expect(anew.timestamp).toBeCloseTo(1 / 1200, 8);
    expect(anew.position[2]).toBeCloseTo(-0.0545, 3);
    const end = await served.stop();
    expect(end.ardupilot).toMatchObject({ connections: 2 });
    // As many as the system kept of them.
    expect(end.ardupilot.again).toBeGreaterThan(50);
  });

  it("mean what the scenario makes of the vehicle: half the speed for the same pulse", async () => {
    const log = async (set: readonly string[]) => {
      const served = await serveFor("ardupilot", 31, "iris", [...set, "--out", "x.csv", "--duration", "0.1"]);
      const socket = await udp();
      for (let k = 0; k < 120; k++) await ask(socket, portOf("ardupilot", 31), servos(k, 1500), 1000);
      await served.ended;
      const [head, ...rows] = readFileSync(join(served.cwd, "x.csv"), "utf8").trim().split("\n");
      const place = head.split(",").findIndex((name) => name.startsWith("rotor_1_cmd"));
      return Number(rows.at(-1)?.split(",")[place]);
    };
    expect(await log([])).toBe(550);
    expect(await log(["--set", "rotors.1.maxRotVelocity=700"])).toBe(350);
  });

  it("that are none are refused with a reason, once; of two senders the second is", async () => {
    const served = await serveFor("ardupilot", 23, "iris");
    const told = toldBy(served);
    const port = portOf("ardupilot", 23);
    const [first, second] = [await udp(), await udp()];
    for (let k = 0; k < 100; k++) expect(await ask(first, port, servos(k))).toBeDefined();
    for (const bad of [Buffer.alloc(0), Buffer.from("hello"), Buffer.alloc(40), servos(5).subarray(0, 39)])
      for (let k = 0; k < 3; k++) expect(await ask(first, port, bad, 60)).toBeUndefined();
    expect(await ask(first, port, servos(99))).toBeDefined();
    // One that begins while another flies.
    expect(await ask(second, port, servos(0), 200)).toBeUndefined();
    expect(await ask(first, port, servos(98), 100)).toBeUndefined();
    // A frame rate of nothing, and one that would be a step too long.
    expect(await ask(first, port, servos(100, 1000, 0), 60)).toBeUndefined();
    const slow = await ask(first, port, servos(101, 1000, 1));
    expect(timeOf(slow)).toBeLessThan(100 / 1200 + 0.1);
    await rest(100);
    const end = await served.stop();
    expect(end.ardupilot.refused).toBe(14);
    expect(told().match(/begins with 0, not with 18458/g)?.length).toBe(1);
    expect(told()).toMatch(/two ArduPilots send to 127\.0\.0\.1:\d+.*--instance/);
  });
});

describe("who connects as PX4", () => {
  it("ten of them: one flies, the others are refused with a reason, once", async () => {
    const served = await serveFor("px4", 24, "iris");
    const told = toldBy(served);
    const pilot = standIn("px4", 24, "iris", 40);
    await rest(400);
    const closed = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const socket = await tcp(portOf("px4", 24));
        return new Promise<boolean>((resolve) => {
          socket.once("close", () => resolve(true));
          setTimeout(() => resolve(false), 3000).unref();
        });
      }),
    );
    expect(closed.every(Boolean)).toBe(true);
    expect((await pilot.summary()).stage).not.toBe("waiting");
    const end = await served.stop();
    expect(end.px4).toMatchObject({ connections: 1, refused: 9 });
    expect(told().match(/another PX4 wanted to connect/g)?.length).toBe(1);
  });

  it("a page's request is no autopilot: it moves nobody out, resets nothing, commands nothing", async () => {
    const served = await serveFor("px4", 27, "iris");
    const told = toldBy(served);
    const port = portOf("px4", 27);
    const writer = new FrameWriter(1, 1);
    const controls = () =>
      writer.write(HIL_ACTUATOR_CONTROLS, { controls: [1, 1, 1, 1], flags: 1, mode: 129, time_usec: 1e12 });
    const post = Buffer.concat([
      Buffer.from("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4096\r\n\r\n"),
      ...Array.from({ length: 50 }, controls),
    ]);
    const left = (socket: Socket) => new Promise<void>((go) => socket.once("close", () => go()));
    let heard = 0;
    const page = await tcp(port);
    page.on("data", (d) => {
      heard += d.length;
    });
    page.write(post);
    await left(page);
    expect(heard).toBe(0);
    // One that flies and falls silent stays, whoever else connects without a word, with a request, or with a wrong checksum.
    const pilot = await tcp(port);
    pilot.write(heartbeat());
    await new Promise((go) => pilot.once("data", go));
    await rest(2200);
    const mute = await tcp(port);
    const asking = await tcp(port);
    asking.write(post);
    const broken = await tcp(port);
    const wrong = heartbeat();
    wrong[wrong.length - 1] ^= 1;
    broken.write(wrong);
    await Promise.all([left(asking), left(broken)]);
    expect(pilot.destroyed).toBe(false);
    // A valid frame of the one that waits without a word takes over from it.
    mute.write(heartbeat());
    await left(pilot);
    const end = await served.stop();
    expect(end.px4).toMatchObject({ connections: 2, state: "disarmed", controls: 0 });
    expect(told()).toMatch(/does not speak MAVLink/);
  });

  it("sends garbage, pieces, wrong checksums and what is no number: it flies on, and says so", async () => {
    const served = await serveFor("px4", 25, "iris");
    const told = toldBy(served);
    const socket = await tcp(portOf("px4", 25));
    let heard = 0;
    socket.on("data", (d) => {
      heard += d.length;
    });
    const writer = new FrameWriter(1, 1);
    socket.write(heartbeat());
    socket.write(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    const broken = writer.write(HIL_ACTUATOR_CONTROLS, {
      controls: [0.5],
      flags: 1,
      mode: 1,
      time_usec: 1e12,
    });
    broken[20] ^= 1;
    socket.write(broken);
    await rest(100);
    const nan = writer.write(HIL_ACTUATOR_CONTROLS, {
      controls: [Number.NaN, Number.POSITIVE_INFINITY, -1e30, 1e30],
      flags: 1,
      mode: 129,
      time_usec: 1e12,
    });
    for (const byte of nan) {
      socket.write(Uint8Array.of(byte));
      await rest(1);
    }
    const before = heard;
    for (let k = 0; k < 20; k++) {
      socket.write(nan);
      await rest(10);
    }
    expect(heard).toBeGreaterThan(before);
    const end = await served.stop();
    expect(end.px4.garbage).toBeGreaterThan(10);
    expect(told()).toMatch(/that are not MAVLink are skipped/);
    expect(told()).toMatch(/not finite numbers: they are ignored/);
  });

  it("is slower than real time from the beginning: it is waited for, and what it commands is done", async () => {
    const served = await serveFor("px4", 26, "iris", ["--speed", "1"]);
    const socket = await tcp(portOf("px4", 26));
    const reader = new FrameReader();
    const writer = new FrameWriter(1, 1);
    const waiting: number[] = [];
    socket.write(heartbeat());
    socket.on("data", (data) => {
      for (const { type, values } of reader.push(data))
        if (type.name === "HIL_SENSOR") waiting.push(Number(values.time_usec));
    });
    // Six milliseconds for every one, each of four.
    let last = 0;
    for (const begun = performance.now(); performance.now() - begun < 2500; ) {
      await rest(6);
      const time = waiting.shift();
      if (time === undefined) continue;
      last = time;
      const controls = [0.8, 0.8, 0.8, 0.8];
      socket.write(writer.write(HIL_ACTUATOR_CONTROLS, { time_usec: time, controls, flags: 1, mode: 129 }));
    }
    expect(waiting.length).toBeLessThan(5);
    expect(last).toBeGreaterThan(2e5);
    const end = await served.stop();
    expect(end.px4).toMatchObject({ state: "armed", unanswered: 0 });
  });

  it("does not read and falls silent: it makes way for the next one, which flies", async () => {
    const served = await serveFor("px4", 30, "iris");
    const socket = await tcp(portOf("px4", 30));
    socket.pause();
    const writer = new FrameWriter(1, 1);
    for (let k = 0; k < 300; k++) {
      socket.write(writer.write(HIL_ACTUATOR_CONTROLS, { flags: 1, time_usec: 1e12 }));
      await rest(1);
    }
    await rest(2100);
    expect((await standIn("px4", 30, "iris", 3).summary()).t).toBeCloseTo(3, 6);
    const end = await served.stop();
    expect(end.px4).toMatchObject({ connections: 2, refused: 0 });
  });

  it("stops answering: who waits for what, and since when, is said; then it goes on", async () => {
    const served = await serveFor("px4", 27, "iris");
    const told = toldBy(served);
    const { child, summary } = standIn("px4", 27, "iris", 60);
    await rest(700);
    child.kill("SIGSTOP");
    await expect
      .poll(told, { timeout: 9000 })
      .toMatch(
        /waiting for PX4 to answer the HIL_SENSOR of its time [\d.]+ s for [\d.]+ s: is it stopped in a debugger/,
      );
    child.kill("SIGCONT");
    await expect.poll(told).toMatch(/PX4 answers again/);
    expect((await summary()).stage).toBe("landed");
    await served.stop();
  });
});

describe("a page of the Studio", () => {
  it("stops time and lets it go on; its sticks are radio control once they are touched", async () => {
    const served = await serveFor("ardupilot", 29, "iris", ["--studio", "0"]);
    const { host, hash } = new URL(served.facts.studio as string);
    const page = new WebSocket(`ws://${host}/session?token=${hash.replace("#session=", "")}`, {
      origin: `http://${host}`,
    });
    open.push({ close: () => page.terminate() });
    await new Promise((go) => page.on("open", go));
    const order = async (command: object) => {
      page.send(JSON.stringify({ command }));
      await rest(150);
    };
    const port = portOf("ardupilot", 29);
    const socket = await udp();
    const before = timeOf(await ask(socket, port, servos(0)));
    await order({ type: "pause" });
    expect(await ask(socket, port, servos(1), 300)).toBeUndefined();
    // As ArduPilot does, once more; the answer comes with the time that goes on.
    expect(await ask(socket, port, servos(1), 300)).toBeUndefined();
    const later = new Promise<string>((resolve) => socket.once("message", (b) => resolve(b.toString())));
    await order({ type: "play" });
    const answer = JSON.parse(await later);
    expect(answer.timestamp).toBeCloseTo(before + 1 / 1200, 8);
    expect(answer.rc).toBeUndefined();
    // A step is one tick, of the answer that is waited for.
    await order({ type: "pause" });
    const stepped = ask(socket, port, servos(2));
    await order({ type: "step" });
    expect(timeOf(await stepped)).toBeCloseTo(before + 2 / 1200, 8);
    expect(await ask(socket, port, servos(3), 200)).toBeUndefined();
    // Whoever has looked back does not turn time back.
    await order({ type: "seek", tick: 1 });
    await order({ type: "takeControl" });
    const on = new Promise<string>((resolve) => socket.once("message", (b) => resolve(b.toString())));
    await order({ type: "play" });
    expect(timeOf(await on)).toBeCloseTo(before + 3 / 1200, 8);
    // The second stick of a hovering vehicle goes to the right.
    await order({ type: "moveStick", stick: 1, motion: "hold", value: 1 });
    const { rc } = JSON.parse((await ask(socket, port, servos(4))) ?? "{}");
    expect(rc).toMatchObject({ rc_1: 2000, rc_2: 1500, rc_3: 1500, rc_4: 1500 });
    await served.stop();
  });
});

describe("hands", () => {
  it("on a joystick's device reach ArduPilot as pulses", async () => {
    const at = folder();
    const device = join(at, "js0");
    spawnSync("mkfifo", [device]);
    const served = await serveFor("ardupilot", 28, "iris", ["--joystick", device]);
    const events = createWriteStream(device);
    open.push(events);
    const event = (type: number, number: number, value: number) => {
      const bytes = Buffer.alloc(8);
      bytes.writeInt16LE(value, 4);
      bytes.set([type, number], 6);
      events.write(bytes);
    };
    // Roll to the right, stick pulled, throttle forward; as at the beginning, with the highest bit.
    event(0x82, 0, 32767);
    event(0x02, 1, 32767);
    event(0x02, 2, -32767);
    const socket = await udp();
    await rest(200);
    const answer = JSON.parse((await ask(socket, portOf("ardupilot", 28), servos(0))) ?? "{}");
    expect(answer.rc).toEqual({ rc_1: 2000, rc_2: 2000, rc_3: 2000, rc_4: 1500 });
    await served.stop();
  });
});
