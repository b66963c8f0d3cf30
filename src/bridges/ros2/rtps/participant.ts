/**
 * A participant of a DDS domain: finds others (SPDP), exchanges endpoints with them (SEDP), and matches the endpoints.
 * It knows no sockets: datagrams come in by `receive` and go out by the transport, time by `tick`.
 */
import { Counts } from "../../counts.ts";
import { type Address, keyOf } from "./address.ts";
import { prove, SHIFTS } from "./address-proof.ts";
import { Budget } from "./budget.ts";
import {
  type EndpointData,
  readEndpoint,
  readParticipant,
  writeEndpoint,
  writeParticipant,
} from "./discovery-data.ts";
import { disposal, disposedIn } from "./disposal.ts";
import * as ids from "./ids.ts";
import { type EntityId, type Guid, guidOf, type Prefix, prefixOf } from "./ids.ts";
import { type Message, parseMessage, type Submessage } from "./message.ts";
import { Outbox } from "./outbox.ts";
import { type Local, pair } from "./pairing.ts";
import { PID } from "./parameters.ts";
import { announcementOf, livelinessOf, type ParticipantOptions } from "./participant-options.ts";
import { DEFAULT_QOS, type Qos } from "./qos.ts";
import { lossesOf, Reader, type Sample } from "./reader.ts";
import { leastMissed, newRemote, type Remote } from "./remotes.ts";
import { ReplyLimit } from "./reply-limit.ts";
import { data, infoTime } from "./submessages.ts";
import { Malformed } from "./wire.ts";
import { Writer } from "./writer.ts";

/** Between two signs of life, and how long others wait for one [ms], [s]. */
const ANNOUNCEMENT = 3000;
const LEASE = 10;
/** Between two looks at who is alive [ms]. */
const LIVELINESS = 100;
/** A hostile network cannot fill the memory with names. */
const MOST_PARTICIPANTS = 256;
const MOST_ENDPOINTS = 4096;
/** Samples in the making, all together; and what discovery may take for one [bytes]. */
const LARGEST_INCOMPLETE = 64 << 20;
const LARGEST_DISCOVERY = 64 << 10;
/** A participant that returns receives higher sequence numbers than before. */
const FLOOR = 8192;

const BUILTIN: Qos = { ...DEFAULT_QOS, isTransientLocal: true, depth: Number.POSITIVE_INFINITY };
const NOTHING = new Uint8Array(0);
/** Topics that many write. */
const SHARED_TOPICS = ["rt/tf", "rt/tf_static", "rt/rosout", "ros_discovery_info", "rt/parameter_events"];
/** Where the two bits of publications, subscriptions and liveliness begin in the set of built-in endpoints. */
const BUILTIN_BITS = [2, 4, 10];

export class Participant {
  readonly prefix: Prefix;
  readonly counts = new Counts();
  /** Other participants, ever. */
  met = 0;
  readonly remotes = new Map<Prefix, Remote>();
  /** Endpoints of others, writers and readers. */
  readonly endpoints = new Map<Guid, EndpointData>();
  private readonly options: ParticipantOptions;
  private readonly out: Outbox;
  private readonly locals = new Map<EntityId, Local>();
  private readonly publications: Writer;
  private readonly subscriptions: Writer;
  private readonly liveliness: Writer;
  private readonly builtins: readonly [Writer, Reader][];
  private readonly readersById = new Map<EntityId, Reader>();
  private readonly writersById = new Map<EntityId, Writer>();
  private readonly reported = new Set<string>();
  private announced = Number.NEGATIVE_INFINITY;
  private looked = Number.NEGATIVE_INFINITY;
  private nextEntity = 1;
  private isClosed = false;
  private readonly budget = new Budget(LARGEST_INCOMPLETE);
  private readonly allowance: ReplyLimit;
  /** Above which numbers those begin who had answered and went. */
  private readonly floors = new Map<Prefix, number>();

  constructor(options: ParticipantOptions) {
    this.options = options;
    this.prefix = options.prefix;
    const { now } = options;
    this.allowance = new ReplyLimit(now);
    this.out = new Outbox(options.prefix, options.send, this.allowance);
    const writer = (id: EntityId, qos = BUILTIN) => new Writer(id, qos, this.out, now);
    const reader = (id: EntityId, hear: (sample: Sample) => void) =>
      new Reader(id, BUILTIN, this.out, this.budget, now, hear, LARGEST_DISCOVERY);
    this.publications = writer(ids.PUBLICATIONS_WRITER);
    this.subscriptions = writer(ids.SUBSCRIPTIONS_WRITER);
    this.liveliness = writer(ids.LIVELINESS_WRITER, { ...BUILTIN, depth: 1 });
    const endpoints = (sample: Sample) => this.guarded(() => this.onEndpoint(sample));
    this.builtins = [
      [this.publications, reader(ids.PUBLICATIONS_READER, endpoints)],
      [this.subscriptions, reader(ids.SUBSCRIPTIONS_READER, endpoints)],
      [this.liveliness, reader(ids.LIVELINESS_READER, () => {})],
    ];
    for (const [w, r] of this.builtins) {
      this.writersById.set(w.id, w);
      this.readersById.set(r.id, r);
    }
  }

  /** Nanoseconds since 1970, for what is written. */
  get time(): bigint {
    return this.options.time();
  }
  /** What was lost, too large, or too much, of all readers; and what could not be sent. */
  get losses(): Readonly<Record<"lost" | "duplicates" | "oversized" | "crowded" | "unsent", number>> {
    return { ...lossesOf(this.readersById.values()), unsent: this.out.dropped };
  }

  createWriter(topic: string, type: string, qos: Qos, userData = ""): Writer {
    const id = this.newId(ids.USER_WRITER);
    const { out } = this;
    const writer = new Writer(id, qos, out, this.options.now);
    this.writersById.set(id, writer);
    this.introduce(this.publications, { data: this.describe(id, topic, type, qos, userData), writer });
    return writer;
  }

  createReader(topic: string, type: string, qos: Qos, hear: (sample: Sample) => void, userData = ""): Reader {
    const id = this.newId(ids.USER_READER);
    const reader = new Reader(id, qos, this.out, this.budget, this.options.now, hear);
    this.readersById.set(id, reader);
    this.introduce(this.subscriptions, { data: this.describe(id, topic, type, qos, userData), reader });
    return reader;
  }

  private newId(kind: number): EntityId {
    return ((this.nextEntity++ << 8) | kind) >>> 0;
  }

  private describe(id: EntityId, topic: string, type: string, qos: Qos, userData: string): EndpointData {
    return { guid: guidOf(this.prefix, id), topic, type, qos, unicast: [], userData };
  }

  private introduce(by: Writer, local: Local): void {
    this.locals.set(ids.entityOf(local.data.guid), local);
    by.write(writeEndpoint(local.data), this.options.time());
    for (const remote of this.endpoints.values()) this.pair(local, remote);
  }

  /** A datagram from anywhere. */
  receive(bytes: Uint8Array, host = "", port = 0): void {
    if (this.isClosed) return;
    this.guarded(() => {
      const message = parseMessage(bytes, this.prefix);
      if (message.prefix === this.prefix) return;
      const remote = this.remotes.get(message.prefix);
      if (remote) remote.heard = this.options.now();
      const source = { host, port };
      this.allowance.heard(message.prefix, bytes.length, keyOf(source));
      for (const submessage of message.submessages)
        this.guarded(() => this.hear(message, submessage, source));
      if (message.problem !== undefined) this.counts.add(message.problem);
    });
  }

  /** What cannot be is counted. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      this.counts.add(error.message);
    }
  }

  private hear({ prefix, vendor }: Message, s: Submessage, source: Address): void {
    if (s.kind === "acknack" || s.kind === "nackFrag") {
      const writer = this.writersById.get(s.writer);
      const from = guidOf(prefix, s.reader);
      if (s.kind === "acknack") this.onAnswer(prefix, s.writer, writer?.isAnswer(from, s.set, s.count));
      if (s.kind === "acknack") writer?.onAcknack(from, s.set, s.count, s.isFinal);
      else writer?.onNackFrag(from, s.sn, s.set, s.count);
      return;
    }
    const from = guidOf(prefix, s.writer);
    if (s.kind === "data" && s.writer === ids.SPDP_WRITER) {
      this.onParticipant({ ...s, from }, vendor, source);
      return;
    }
    if (s.reader !== ids.UNKNOWN_ENTITY) {
      const reader = this.readersById.get(s.reader);
      if (reader) this.pass(reader, from, s);
    } else
      for (const reader of this.readersById.values())
        if (reader.writers.has(from)) this.pass(reader, from, s);
  }

  private pass(reader: Reader, from: Guid, s: Submessage): void {
    if (s.kind === "data") reader.onData(from, { ...s, from });
    else if (s.kind === "dataFrag") reader.onFragment(from, s);
    else if (s.kind === "heartbeat") reader.onHeartbeat(from, s.first, s.last, s.count, s.isFinal);
    else if (s.kind === "gap") reader.onGap(from, s.start, s.set);
  }

  private onParticipant(sample: Sample, vendor: number, source: Address): void {
    const gone = disposedIn(sample, PID.participant);
    if (gone !== undefined) {
      if (prefixOf(gone) === prefixOf(sample.from)) this.forget(prefixOf(gone), "left");
      return;
    }
    const found = readParticipant(sample.payload);
    const { options } = this;
    if (found.prefix !== prefixOf(sample.from) || found.prefix === this.prefix) return;
    if (found.domain !== undefined && found.domain !== options.domain) return;
    const metaTo = found.meta.find((a) => options.mayReach(a.host, source.host));
    // Only addresses that answered discovery get samples: a third party cannot name a victim.
    const userTo = found.user.find((a) => a.host === metaTo?.host) ?? metaTo;
    const before = this.remotes.get(found.prefix);
    if (before && metaTo && userTo && before.key === keyOf(metaTo) + keyOf(userTo)) {
      before.heard = options.now();
      // What it was told may have been lost.
      if (!before.hasAnswered) this.announceTo(before.metaTo, found.prefix);
      return;
    }
    if (before) this.forget(found.prefix, "moved");
    if (metaTo === undefined || userTo === undefined) {
      this.reportOnce(
        `a participant ${found.name} cannot be reached: it listens at ${found.meta.map((a) => a.host).join(", ") || "no address"}, ` +
          `and Sideslip uses ${options.own.host} only (--interface chooses another)`,
      );
      return;
    }
    const isFull = this.remotes.size >= MOST_PARTICIPANTS;
    const least = isFull ? leastMissed([...this.remotes.values()], this.endpoints.keys()) : undefined;
    if (isFull && least === undefined) throw new Malformed("too many participants");
    if (!this.allowance.limit(found.prefix)) throw new Malformed("too many new participants from one source");
    if (least) this.forget(least.prefix, "left");
    const now = options.now();
    const floor = this.floors.get(found.prefix) ?? 1;
    const remote = newRemote(
      { ...found, vendor: found.vendor || vendor },
      { metaTo, userTo, source, floor, now },
    );
    this.remotes.set(found.prefix, remote);
    this.met++;
    // It should not wait for the next announcement.
    this.announceTo(metaTo, found.prefix);
    this.builtins.forEach(([writer, reader], i) => {
      // Bits of announcer and detector, pair by pair.
      if ((found.builtins >> BUILTIN_BITS[i]) & 2)
        writer.match(
          guidOf(found.prefix, reader.id),
          true,
          true,
          metaTo,
          floor + Math.floor(SHIFTS * options.random()),
        );
      if ((found.builtins >> BUILTIN_BITS[i]) & 1)
        reader.match(guidOf(found.prefix, writer.id), BUILTIN, metaTo);
    });
  }

  /** It is heard where it says that it listens, once it says two numbers back that it can know from there only. */
  private onAnswer(prefix: Prefix, writer: EntityId, isRight: boolean | undefined): void {
    const remote = this.remotes.get(prefix);
    if (remote === undefined || isRight === undefined) return;
    const verdict = prove(remote, writer, isRight);
    if (verdict === "refused") this.forget(prefix, "left");
    if (verdict === "proven") this.allowance.free(prefix);
  }

  /** Room for one more endpoint, which those that have not answered do not take from the others. */
  private makeRoom(sender: Prefix): void {
    if (this.endpoints.size < MOST_ENDPOINTS) return;
    if (this.remotes.get(sender)?.hasAnswered)
      for (const guid of this.endpoints.keys())
        if (!this.remotes.get(prefixOf(guid))?.hasAnswered) {
          this.forget(prefixOf(guid), "left");
          return;
        }
    throw new Malformed("too many endpoints");
  }

  private onEndpoint(sample: Sample): void {
    const gone = disposedIn(sample, PID.endpoint);
    if (gone !== undefined) {
      if (prefixOf(gone) === prefixOf(sample.from)) this.forgetEndpoint(gone);
      return;
    }
    const found = readEndpoint(sample.payload);
    if (prefixOf(found.guid) !== prefixOf(sample.from))
      throw new Malformed("an endpoint of another participant");
    if (!this.endpoints.has(found.guid)) this.makeRoom(prefixOf(found.guid));
    const before = this.endpoints.get(found.guid);
    // One that has changed is met anew.
    if (before && JSON.stringify(before) !== JSON.stringify(found)) this.forgetEndpoint(found.guid);
    this.endpoints.set(found.guid, found);
    for (const local of this.locals.values()) {
      this.pair(local, found);
      const isRival =
        local.writer && ids.isWriter(ids.entityOf(found.guid)) && local.data.topic === found.topic;
      if (isRival && !SHARED_TOPICS.includes(found.topic))
        this.reportOnce(
          `${this.remotes.get(prefixOf(found.guid))?.name || "another node"} also publishes ${found.topic}`,
        );
    }
  }

  private pair(local: Local, other: EndpointData): void {
    pair(local, other, this.remotes.get(prefixOf(other.guid)), (message) => this.reportOnce(message));
  }

  private reportOnce(message: string): void {
    if (this.reported.has(message) || this.reported.size > 256) return;
    this.reported.add(message);
    this.options.report(message);
  }

  private forgetEndpoint(guid: Guid): void {
    this.endpoints.delete(guid);
    for (const { writer, reader } of this.locals.values()) {
      writer?.unmatch(guid);
      reader?.unmatch(guid);
    }
  }

  private forget(prefix: Prefix, how: string): void {
    const remote = this.remotes.get(prefix);
    if (remote === undefined) return;
    this.remotes.delete(prefix);
    // A participant that changes its address keeps its byte allowance.
    if (how !== "moved") this.allowance.free(prefix);
    if (remote.hasAnswered) {
      this.floors.set(prefix, remote.floor + FLOOR);
      for (const oldest of this.floors.keys())
        if (this.floors.size > MOST_PARTICIPANTS) this.floors.delete(oldest);
    }
    for (const guid of [...this.endpoints.keys()]) if (prefixOf(guid) === prefix) this.forgetEndpoint(guid);
    for (const [writer, reader] of this.builtins) {
      writer.unmatch(guidOf(prefix, reader.id));
      reader.unmatch(guidOf(prefix, writer.id));
    }
    if (how !== "left" && how !== "moved" && remote.hasAnswered)
      this.options.report(`participant ${remote.name || prefix} ${how}`);
  }

  private announceTo(to: Address, only?: Prefix): void {
    const payload = writeParticipant(announcementOf(this.options, LEASE));
    const time = this.options.time();
    this.out.say(to, only, (w) => {
      infoTime(w, time);
      data(w, ids.SPDP_READER, { writer: ids.SPDP_WRITER, sn: 1, payload });
    });
  }

  /** To be called every few milliseconds. */
  tick(): void {
    const { options } = this;
    const now = options.now();
    if (now - this.announced >= ANNOUNCEMENT) {
      this.announced = now;
      for (const to of options.announce) this.announceTo(to);
      for (const { metaTo, prefix } of this.remotes.values()) this.announceTo(metaTo, prefix);
      this.assertLiveliness();
      for (const { prefix, heard, lease } of [...this.remotes.values()])
        if (now - heard > 1000 * lease) this.forget(prefix, `sent nothing for ${lease} s`);
    }
    if (now - this.looked >= LIVELINESS) {
      this.looked = now;
      this.lookForLife();
    }
    for (const writer of this.writersById.values()) writer.remind();
    for (const reader of this.readersById.values()) reader.remind();
  }

  /** Writers whose lease is over, though their participant may be there. */
  private lookForLife(): void {
    for (const { data: own, reader } of this.locals.values())
      for (const { guid, isAlive } of reader?.lives((prefix) => this.remotes.get(prefix)?.heard ?? 0) ?? [])
        this.options.report(
          `a writer of ${own.topic} (${guid}) is ${isAlive ? "alive again" : "not alive: its lease is over"}`,
        );
  }

  /** "I am alive", for those whose readers ask for it (DDSI-RTPS 2.5, 8.4.13). */
  private assertLiveliness(): void {
    if (this.liveliness.readers.size === 0) return;
    this.liveliness.write(livelinessOf(this.prefix), this.options.time());
  }

  /** Announces that it leaves. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    const guid = guidOf(this.prefix, ids.PARTICIPANT);
    const inline = disposal(guid);
    const say = (to: Address, only?: Prefix) =>
      this.out.say(to, only, (w) =>
        data(w, ids.SPDP_READER, { writer: ids.SPDP_WRITER, sn: 2, payload: NOTHING, inline }),
      );
    for (const to of this.options.announce) say(to);
    for (const { metaTo, prefix } of this.remotes.values()) say(metaTo, prefix);
    this.out.end();
  }
}
