/** Participants without sockets in one process, and datagrams of participants that do not exist. */
import { MULTICAST_GROUP, multicastPort, writeLocator } from "../../../src/bridges/ros2/rtps/address.ts";
import {
  bytesOf,
  guidOf,
  PUBLICATIONS_READER,
  PUBLICATIONS_WRITER,
  SPDP_WRITER,
  SUBSCRIPTIONS_READER,
  SUBSCRIPTIONS_WRITER,
} from "../../../src/bridges/ros2/rtps/ids.ts";
import { ParameterWriter, PID } from "../../../src/bridges/ros2/rtps/parameters.ts";
import { Participant } from "../../../src/bridges/ros2/rtps/participant.ts";
import {
  acknack,
  data,
  heartbeat,
  infoDestination,
  writeHeader,
} from "../../../src/bridges/ros2/rtps/submessages.ts";
import { WireWriter } from "../../../src/bridges/ros2/rtps/wire.ts";
import { dice, SEED } from "../mutate.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** Between two deliveries [ms]. */
const STEP = 5;

export class MemoryNetwork {
  now = 0;
  /** Bytes that were sent to each address, whether anybody is there or not. */
  readonly sentTo = new Map<string, number>();
  private readonly members = new Map<string, Participant>();
  private queue: { bytes: Uint8Array; to: string; from: Address }[] = [];
  private readonly roll = dice(SEED);

  join(name: string, number: number): Participant {
    const own = { host: "127.0.0.1", port: 7410 + 2 * number };
    const participant = new Participant({
      prefix: number.toString(16).padStart(24, "0"),
      domain: 0,
      name,
      own,
      announce: [{ host: MULTICAST_GROUP, port: multicastPort(0) }],
      now: () => this.now,
      time: () => BigInt(Math.floor(this.now)) * 1_000_000n,
      random: () => this.roll(2 ** 30) / 2 ** 30,
      report: () => {},
      mayReach: (host) => host.startsWith("127."),
      send: (bytes, { host, port }) => {
        const to = `${host}:${port}`;
        this.sentTo.set(to, (this.sentTo.get(to) ?? 0) + bytes.length);
        if (host === MULTICAST_GROUP || this.members.has(to))
          this.queue.push({ bytes: bytes.slice(), to, from: own });
      },
    });
    this.members.set(`${own.host}:${own.port}`, participant);
    return participant;
  }

  async run(ms: number): Promise<void> {
    for (let t = 0; t < ms; t += STEP) {
      this.now += STEP;
      for (const p of this.members.values()) p.tick();
      await new Promise((go) => setImmediate(go));
      const due = this.queue;
      this.queue = [];
      for (const { bytes, to, from } of due)
        for (const [address, p] of this.members)
          if (address === to || (to.startsWith(MULTICAST_GROUP) && address !== `${from.host}:${from.port}`))
            p.receive(bytes, from.host, from.port);
    }
  }
}

export const fakePrefix = (n: number): string => `0909${n.toString(16).padStart(20, "0")}`;

function datagram(from: string, to: string | undefined, write: (w: WireWriter) => void): Uint8Array {
  const w = new WireWriter(512);
  writeHeader(w, bytesOf(from));
  if (to !== undefined) infoDestination(w, to);
  write(w);
  return w.done().slice();
}
const parameters = (p: ParameterWriter) => Uint8Array.from([0, 3, 0, 0, ...p.end()]);

/** Somebody says that a participant listens there. */
export function announcement(from: string, at: Address): Uint8Array {
  const p = new ParameterWriter();
  p.add(PID.participant, (w) => w.put(bytesOf(`${from}000001c1`)));
  p.add(PID.metaUnicast, (w) => writeLocator(w, at));
  p.add(PID.defaultUnicast, (w) => writeLocator(w, at));
  p.add(PID.lease, (w) => {
    w.i32(120);
    w.u32(0);
  });
  p.add(PID.builtins, (w) => w.u32(0xc3f));
  return datagram(from, undefined, (w) => data(w, 0, { writer: SPDP_WRITER, sn: 1, payload: parameters(p) }));
}

/** Readers of these topics that a participant has, it says. */
export function readers(
  from: string,
  to: string,
  topics: readonly string[],
  type: string,
  isReliable: boolean,
): Uint8Array {
  return datagram(from, to, (w) => {
    heartbeat(w, SUBSCRIPTIONS_READER, SUBSCRIPTIONS_WRITER, 1, topics.length, 1, true);
    topics.forEach((topic, i) => {
      const p = new ParameterWriter();
      p.add(PID.endpoint, (v) => v.put(bytesOf(guidOf(from, ((i + 1) << 8) | 4))));
      p.add(PID.topic, (v) => v.text(topic));
      p.add(PID.type, (v) => v.text(type));
      p.add(PID.reliability, (v) => {
        v.u32(isReliable ? 2 : 1);
        v.i32(0);
        v.u32(0);
      });
      data(w, SUBSCRIPTIONS_READER, { writer: SUBSCRIPTIONS_WRITER, sn: i + 1, payload: parameters(p) });
    });
  });
}

/** It says that it has heard everything before `base`. */
export const answer = (
  from: string,
  to: string,
  reader: number,
  writer: number,
  base: number,
  count: number,
) => datagram(from, to, (w) => acknack(w, reader, writer, base, [], count, false));

export { PUBLICATIONS_READER, PUBLICATIONS_WRITER, SUBSCRIPTIONS_READER, SUBSCRIPTIONS_WRITER };
