/** One writer with all that read it: keeps its last samples, sends heartbeats, repeats lost samples. */
import { type Address, keyOf } from "./address.ts";
import { type EntityId, entityOf, type Guid, type Prefix, prefixOf, UNKNOWN_ENTITY } from "./ids.ts";
import type { NumberSet } from "./number-set.ts";
import type { Outbox } from "./outbox.ts";
import type { Qos } from "./qos.ts";
import { data, dataFrag, gap, heartbeat, infoTime, type Sent } from "./submessages.ts";

/** Samples larger than this travel in fragments of this size [bytes]. */
const FRAGMENT = 8_000;
/** A reader that has not acknowledged is reminded after so long [ms], and less and less often. */
const REMINDER = 20;
const LONGEST_REMINDER = 1000;
/** One that does not say where it begins is served all the same after so long [ms], and reminded until it does: it may hear of this writer late. */
const LONGEST_SILENCE = 10_000;
/** What one reader can make a writer send again within a reminder's time [bytes]. */
const MOST_AGAIN = 256 << 10;

export interface Change extends Sent {
  /** ns since 1970. */
  readonly time: bigint;
}

interface ReaderPosition {
  readonly to: Address;
  readonly prefix: Prefix;
  /** Added to the numbers of samples that it is told. */
  readonly shift: number;
}
/** What a writer knows of a reader. */
interface ReaderProxy extends ReaderPosition {
  readonly guid: Guid;
  readonly entity: EntityId;
  readonly isReliable: boolean;
  /** The first sample that is meant for it. */
  readonly start: number;
  /** It has said where it begins, and gets what is written from now on. */
  hasAnswered: boolean;
  /** It is sent samples. They wait for its answer: some readers begin behind the first heartbeat that they hear. */
  isReady: boolean;
  /** When it was met [ms]. */
  readonly met: number;
  /** All below this have arrived. */
  acknowledged: number;
  lastCount: number;
  reminded: number;
  patience: number;
  again: number;
}

export class Writer {
  readonly id: EntityId;
  readonly qos: Qos;
  readonly readers = new Map<Guid, ReaderProxy>();
  /** Samples sent again. */
  repeated = 0;
  private readonly out: Outbox;
  private readonly now: () => number;
  private changes: Change[] = [];
  private last = 0;
  private count = 0;
  /** Where samples go: one datagram for all readers of a participant. */
  private places: (ReaderPosition & { readonly hasReliable: boolean })[] = [];

  constructor(id: EntityId, qos: Qos, out: Outbox, now: () => number) {
    this.id = id;
    this.qos = qos;
    this.out = out;
    this.now = now;
  }

  private get first(): number {
    return this.changes[0]?.sn ?? this.last + 1;
  }
  /** Readers that get what is written from now on. */
  get inTouch(): number {
    let count = 0;
    for (const r of this.readers.values()) if (r.hasAnswered) count++;
    return count;
  }

  write(payload: Uint8Array, time: bigint, inline?: Uint8Array): void {
    const sn = ++this.last;
    const change: Change = { writer: this.id, sn, payload, time, inline };
    if (this.qos.isTransientLocal || this.qos.isReliable) {
      this.changes.push(change);
      if (this.changes.length > this.qos.depth) this.changes.shift();
    }
    for (const place of this.places) {
      if (this.out.isLimited(place.prefix)) continue;
      this.deliver(change, place, UNKNOWN_ENTITY);
      if (place.hasReliable) this.heartbeat(place, UNKNOWN_ENTITY, true, payload.length > FRAGMENT);
    }
  }

  /** With a shift that nobody else knows a reader is told nothing but numbers until it says them back. */
  match(guid: Guid, isReliable: boolean, wantsPast: boolean, to: Address, shift = 0): void {
    const before = this.readers.get(guid);
    if (before && keyOf(before.to) === keyOf(to)) return;
    const isHeard = isReliable && this.qos.isReliable;
    const start = wantsPast && this.qos.isTransientLocal ? this.first : this.last + 1;
    const proxy: ReaderProxy = {
      guid,
      prefix: prefixOf(guid),
      entity: entityOf(guid),
      isReliable: isHeard,
      to,
      shift,
      start,
      hasAnswered: !isHeard,
      isReady: !isHeard || (wantsPast && this.qos.isTransientLocal && shift === 0),
      met: this.now(),
      acknowledged: start,
      lastCount: -1,
      reminded: this.now(),
      patience: REMINDER,
      again: 0,
    };
    this.readers.set(guid, proxy);
    this.settle();
    if (this.waits(proxy)) return;
    if (isHeard && start > 1)
      this.out.say(to, proxy.prefix, (w) => gap(w, proxy.entity, this.id, shift + 1, shift + start));
    // Cyclone takes no sample before it has been told what there is.
    if (isHeard) this.heartbeat(proxy, proxy.entity, false);
    if (proxy.isReady) this.catchUp(proxy);
  }

  /** Samples, and what is said of them, are for participants that are known to hear; the others are told of discovery only. */
  private waits({ shift, prefix }: ReaderPosition): boolean {
    return shift === 0 && this.out.isLimited(prefix);
  }

  /** What was kept for it. */
  private catchUp(reader: ReaderProxy): void {
    for (const change of this.changes)
      if (change.sn >= reader.start) this.deliver(change, reader, reader.entity);
  }

  /** It is known where it begins. */
  private begin(reader: ReaderProxy): void {
    reader.isReady = true;
    this.settle();
    this.catchUp(reader);
  }

  unmatch(guid: Guid): void {
    if (this.readers.delete(guid)) this.settle();
  }

  private settle(): void {
    const places = new Map<string, ReaderPosition & { hasReliable: boolean }>();
    for (const { to, prefix, shift, isReliable, isReady } of this.readers.values()) {
      if (!isReady) continue;
      const key = `${keyOf(to)} ${prefix}`;
      const place = places.get(key);
      if (place) place.hasReliable ||= isReliable;
      else places.set(key, { to, prefix, shift, hasReliable: isReliable });
    }
    this.places = [...places.values()];
  }

  private deliver(change: Change, place: ReaderPosition, reader: EntityId): void {
    const { to, prefix, shift } = place;
    if (change.payload.length <= FRAGMENT) {
      this.out.say(to, prefix, (w) => {
        infoTime(w, change.time);
        data(w, reader, { ...change, sn: change.sn + shift });
      });
      return;
    }
    const fragments = Math.ceil(change.payload.length / FRAGMENT);
    for (let k = 1; k <= fragments; k++) this.fragment(change, place, reader, k);
  }

  private fragment(change: Change, { to, prefix, shift }: ReaderPosition, reader: EntityId, k: number): void {
    this.out.queue(to, prefix, (w) => {
      infoTime(w, change.time);
      dataFrag(w, reader, { ...change, sn: change.sn + shift }, k, FRAGMENT);
    });
  }

  /** A heartbeat; behind large samples it waits until they are gone. To one that is not ready, of what is not for it. */
  private heartbeat(
    { to, prefix, shift, isReady = true, start = 1 }: ReaderPosition & Partial<ReaderProxy>,
    reader: EntityId,
    isFinal: boolean,
    waits = false,
  ): void {
    const last = isReady ? this.last : start - 1;
    const first = Math.min(this.first, last + 1);
    const count = ++this.count;
    const say = waits ? this.out.queue.bind(this.out) : this.out.say.bind(this.out);
    say(to, prefix, (w) => heartbeat(w, reader, this.id, shift + first, shift + last, count, isFinal));
  }

  /** Whether a reader returned the number that only it received; undefined where no proof is required. */
  isAnswer(guid: Guid, { base }: NumberSet, count: number): boolean | undefined {
    const reader = this.readers.get(guid);
    // Before it has heard a heartbeat a reader asks from 0 or 1 on.
    if (reader === undefined || reader.shift === 0 || count === 0 || base <= 1) return undefined;
    return base === reader.shift + reader.start;
  }

  onAcknack(guid: Guid, set: NumberSet, count: number, isFinal: boolean): void {
    const reader = this.readers.get(guid);
    if (reader === undefined || !reader.isReliable) return;
    // Numbers start again only with a new reader; one that is repeated is a copy of the same packet.
    if (count === reader.lastCount) return;
    reader.lastCount = count;
    // Who answers is there, and may be reminded soon.
    reader.patience = REMINDER;
    // Before it has heard a heartbeat a reader asks with number 0, or from 0 on.
    const base = set.base - reader.shift;
    if (count > 0 && (reader.shift === 0 || reader.isReady ? base >= reader.start : base === reader.start)) {
      reader.hasAnswered = true;
      if (!reader.isReady) this.begin(reader);
    }
    if (reader.isReady) reader.acknowledged = Math.max(reader.acknowledged, Math.min(base, this.last + 1));
    const wanted = set.members.map((sn) => sn - reader.shift).filter((sn) => sn > 0);
    if (wanted.length > 0) this.again(reader, wanted);
    else if (!isFinal) this.heartbeat(reader, reader.entity, reader.isReady);
  }

  /** Sends requested samples; a GAP for those that are no longer stored. */
  private again(reader: ReaderProxy, wanted: readonly number[]): void {
    const { first, last } = this;
    const { shift } = reader;
    const gone: number[] = [];
    for (const sn of wanted) {
      if (sn > last) break;
      const change = sn < first || sn < reader.start ? undefined : this.changes[sn - first];
      if (change?.sn !== sn) gone.push(sn);
      else if (this.afford(reader, change.payload.length)) {
        this.repeated++;
        this.deliver(change, reader, reader.entity);
      }
    }
    if (gone.length > 0)
      this.out.say(reader.to, reader.prefix, (w) =>
        gap(
          w,
          reader.entity,
          this.id,
          shift + gone[0],
          shift + gone[0] + 1,
          gone.slice(1).map((sn) => shift + sn),
        ),
      );
    this.heartbeat(reader, reader.entity, true, this.out.isBusy);
  }

  onNackFrag(guid: Guid, number: number, set: NumberSet, count: number): void {
    const reader = this.readers.get(guid);
    if (reader === undefined || !reader.isReliable || count === 0) return;
    const sn = number - reader.shift;
    reader.patience = REMINDER;
    const change = this.changes[sn - this.first];
    if (change?.sn !== sn || sn < reader.start) {
      if (sn <= this.last && sn > 0)
        this.out.say(reader.to, reader.prefix, (w) => gap(w, reader.entity, this.id, number, number + 1));
      return;
    }
    const fragments = Math.ceil(change.payload.length / FRAGMENT);
    for (const k of set.members)
      if (k >= 1 && k <= fragments && change.payload.length > FRAGMENT && this.afford(reader, FRAGMENT))
        this.fragment(change, reader, reader.entity, k);
    this.heartbeat(reader, reader.entity, true, true);
  }

  private afford(reader: ReaderProxy, bytes: number): boolean {
    // One sample may always go, however large.
    if (reader.again > 0 && reader.again + bytes > MOST_AGAIN) return false;
    reader.again += bytes;
    return true;
  }

  /** Reminds those who have not acknowledged, or not answered at all; to be called often. */
  remind(): void {
    if (!this.qos.isReliable || this.out.isBusy) return;
    const now = this.now();
    for (const reader of this.readers.values()) {
      if (!reader.isReliable || this.waits(reader) || now - reader.reminded < reader.patience) continue;
      reader.again = 0;
      reader.reminded = now;
      if (!reader.isReady && reader.shift === 0 && now - reader.met > LONGEST_SILENCE) this.begin(reader);
      if (reader.hasAnswered && reader.acknowledged > this.last) continue;
      reader.patience = Math.min(LONGEST_REMINDER, 1.5 * reader.patience);
      this.heartbeat(reader, reader.entity, false);
    }
  }
}
