/** One reader with all that write to it: puts samples in order and fragments together, asks for what was lost. */
import type { Address } from "./address.ts";
import { Assembly, type Fragment, LARGEST_SAMPLE } from "./assembly.ts";
import type { Budget } from "./budget.ts";
import { type EntityId, entityOf, type Guid, type Prefix, prefixOf } from "./ids.ts";
import type { DataHead } from "./message.ts";
import { MOST_IN_SET, type NumberSet } from "./number-set.ts";
import type { Outbox } from "./outbox.ts";
import type { Qos } from "./qos.ts";
import { acknack, nackFrag } from "./submessages.ts";

/** Between two requests for the same [ms]; less and less often while nothing comes of them. */
const PATIENCE = 10;
const LONGEST_PATIENCE = 1000;
/** Before a writer has said what there is [ms]. */
const FIRST_PATIENCE = 100;
/** Samples that may wait for an earlier one, of one writer, and their size [bytes]. */
const MOST_WAITING = 1024;
const LARGEST_WAITING = 32 << 20;
/** Samples of one writer that may be incomplete. */
const MOST_ASSEMBLIES = 8;
const MOST_EARLY = 64;
/** Numbers of heartbeats further back than this are of a writer that began anew. */
const STALE = 1000;

export interface Sample extends DataHead {
  readonly from: Guid;
  readonly payload: Uint8Array;
}

/** What a reader knows of a writer. */
interface WriterProxy {
  readonly guid: Guid;
  readonly prefix: Prefix;
  readonly entity: EntityId;
  readonly isReliable: boolean;
  /** The writer keeps samples from before, and this reader does not want them. */
  readonly skipsPast: boolean;
  readonly to: Address;
  /** The next sample to deliver; 0 until the writer has told what there is. */
  expected: number;
  /** The last one known to exist. */
  last: number;
  /** Samples and holes beyond the expected one. */
  readonly waiting: Map<number, Sample | undefined>;
  waitingSize: number;
  readonly assemblies: Map<number, Assembly>;
  count: number;
  asked: number;
  patience: number;
  lastHeartbeat: number;
  /** How long without a sign of life is alive [s], its last one [ms], and whether its participant's signs count, too. */
  readonly lease: number;
  readonly isAutomatic: boolean;
  heard: number;
  isAlive: boolean;
}

export interface ReaderCounts {
  /** Samples that were too large. */
  oversized: number;
  /** Samples that were there already. */
  duplicates: number;
  /** Samples that a reliable writer no longer had. */
  lost: number;
  /** Samples that could not wait for room. */
  crowded: number;
}

export class Reader {
  readonly id: EntityId;
  readonly qos: Qos;
  readonly writers = new Map<Guid, WriterProxy>();
  readonly counts: ReaderCounts = { oversized: 0, duplicates: 0, lost: 0, crowded: 0 };
  private readonly out: Outbox;
  private readonly budget: Budget;
  /** Larger samples are not taken [bytes]. */
  private readonly largest: number;
  private readonly now: () => number;
  private readonly deliver: (sample: Sample) => void;
  /** Where writers begin that found this reader before it found them. */
  private readonly early = new Map<Guid, number>();

  constructor(
    id: EntityId,
    qos: Qos,
    out: Outbox,
    budget: Budget,
    now: () => number,
    deliver: (sample: Sample) => void,
    largest = LARGEST_SAMPLE,
  ) {
    this.budget = budget;
    this.largest = largest;
    this.id = id;
    this.qos = qos;
    this.out = out;
    this.now = now;
    this.deliver = deliver;
  }

  match(guid: Guid, offered: Qos, to: Address): void {
    if (this.writers.has(guid)) return;
    const isReliable = this.qos.isReliable && offered.isReliable;
    const skipsPast = offered.isTransientLocal && !this.qos.isTransientLocal;
    const proxy: WriterProxy = {
      guid,
      prefix: prefixOf(guid),
      entity: entityOf(guid),
      isReliable,
      skipsPast,
      to,
      expected: !isReliable ? 1 : skipsPast ? (this.early.get(guid) ?? 0) : 0,
      last: 0,
      waiting: new Map(),
      waitingSize: 0,
      assemblies: new Map(),
      count: 0,
      asked: this.now(),
      patience: FIRST_PATIENCE,
      lastHeartbeat: -1,
      lease: offered.lease,
      isAutomatic: offered.liveliness < 2,
      heard: this.now(),
      isAlive: true,
    };
    this.early.delete(guid);
    this.writers.set(guid, proxy);
    if (isReliable) this.acknowledge(proxy, false);
  }

  unmatch(guid: Guid): void {
    const writer = this.writers.get(guid);
    if (writer === undefined) return;
    this.writers.delete(guid);
    for (const loan of [...writer.assemblies.values(), ...writer.waiting.values()])
      if (loan) this.budget.back(loan);
  }

  onData(guid: Guid, sample: Sample): void {
    const writer = this.writers.get(guid);
    if (writer === undefined) return;
    writer.heard = this.now();
    this.take(writer, sample.sn, sample);
  }

  /** A sample, or a hole where none will come. */
  private take(writer: WriterProxy, sn: number, sample: Sample | undefined): void {
    this.dropAssembly(writer, sn);
    if (!writer.isReliable) {
      if (sn < writer.expected) this.counts.duplicates++;
      else {
        writer.expected = sn + 1;
        if (sample) this.deliver(sample);
      }
      return;
    }
    const { waiting } = writer;
    if ((writer.expected > 0 && sn < writer.expected) || waiting.has(sn)) {
      this.counts.duplicates++;
      return;
    }
    const size = sample?.payload.length ?? 0;
    if (
      sn !== writer.expected &&
      (waiting.size >= MOST_WAITING || writer.waitingSize + size > LARGEST_WAITING)
    ) {
      this.counts.crowded++;
      return;
    }
    if (sn === writer.expected) this.comes(writer);
    else if (sample && !this.budget.lend(sample, size, () => this.letGo(writer, sn))) {
      this.counts.crowded++;
      return;
    }
    waiting.set(sn, sample);
    writer.waitingSize += size;
    if (writer.expected > 0) this.advance(writer);
  }

  /** There was no room for it any more: it has to be sent again. */
  private letGo(writer: WriterProxy, sn: number): void {
    writer.waitingSize -= writer.waiting.get(sn)?.payload.length ?? 0;
    writer.waiting.delete(sn);
    this.counts.crowded++;
  }

  private dropAssembly(writer: WriterProxy, sn: number): void {
    const assembly = writer.assemblies.get(sn);
    if (assembly === undefined) return;
    this.budget.back(assembly);
    writer.assemblies.delete(sn);
  }

  /** Something new: asking was worth it. */
  private comes(writer: WriterProxy): void {
    writer.patience = PATIENCE;
  }

  /** Takes one that waited. */
  private fetch(writer: WriterProxy, sn: number): void {
    const sample = writer.waiting.get(sn);
    writer.waiting.delete(sn);
    if (sample === undefined) return;
    writer.waitingSize -= sample.payload.length;
    this.budget.back(sample);
    this.deliver(sample);
  }

  /** Delivers what is in order. */
  private advance(writer: WriterProxy): void {
    const { waiting } = writer;
    while (waiting.has(writer.expected)) this.fetch(writer, writer.expected++);
  }

  /** Goes on from a sample, without those before it that have not come. */
  private skipTo(writer: WriterProxy, sn: number): void {
    for (const old of [...writer.waiting.keys()].filter((k) => k < sn).sort((a, b) => a - b))
      this.fetch(writer, old);
    for (const old of [...writer.assemblies.keys()]) if (old < sn) this.dropAssembly(writer, old);
    writer.expected = Math.max(writer.expected, sn);
    this.advance(writer);
  }

  onFragment(guid: Guid, fragment: Fragment): void {
    const writer = this.writers.get(guid);
    if (writer === undefined) return;
    const { sn } = fragment;
    const now = this.now();
    writer.heard = now;
    if ((writer.expected > 0 && sn < writer.expected) || writer.waiting.has(sn)) return;
    if (fragment.sampleSize > this.largest) {
      // What cannot be taken is acknowledged, or it would be sent for ever.
      this.counts.oversized++;
      this.take(writer, sn, undefined);
      return;
    }
    let assembly = writer.assemblies.get(sn);
    if (assembly === undefined) {
      if (writer.assemblies.size >= MOST_ASSEMBLIES) {
        const [oldest] = writer.assemblies.keys();
        // A reliable writer sends the later ones again when the earlier ones are done.
        if (writer.isReliable && sn > oldest) return;
        this.dropAssembly(writer, oldest);
      }
      assembly = new Assembly(fragment, now);
      const own = assembly;
      const isRoom = this.budget.lend(own, fragment.sampleSize, () => writer.assemblies.delete(sn));
      if (!isRoom) return;
      writer.assemblies.set(sn, assembly);
    }
    if (assembly.add(fragment, now)) this.comes(writer);
    if (assembly.isComplete) this.take(writer, sn, { ...assembly.head, from: guid, payload: assembly.bytes });
  }

  onHeartbeat(guid: Guid, first: number, last: number, count: number, isFinal: boolean): void {
    const writer = this.writers.get(guid);
    if (writer === undefined) {
      if (!this.early.has(guid) && this.early.size < MOST_EARLY) this.early.set(guid, last + 1);
      return;
    }
    // An old one that comes late says nothing new.
    if (!writer.isReliable || (count <= writer.lastHeartbeat && writer.lastHeartbeat - count < STALE)) return;
    writer.lastHeartbeat = count;
    writer.heard = this.now();
    writer.last = last;
    if (writer.expected === 0) {
      this.skipTo(writer, writer.skipsPast ? this.firstWaiting(writer, last + 1) : first);
      this.acknowledge(writer, true);
      return;
    }
    if (first > writer.expected) {
      for (let sn = writer.expected; sn < Math.min(first, writer.expected + MOST_IN_SET); sn++)
        if (!writer.waiting.has(sn)) this.counts.lost++;
      this.skipTo(writer, first);
    }
    const isMissing = writer.expected <= writer.last;
    if (isMissing ? this.now() - writer.asked >= PATIENCE || !isFinal : !isFinal)
      this.acknowledge(writer, true);
  }

  private firstWaiting(writer: WriterProxy, otherwise: number): number {
    return Math.min(otherwise, ...writer.waiting.keys(), ...writer.assemblies.keys());
  }

  onGap(guid: Guid, start: number, { base, members }: NumberSet): void {
    const writer = this.writers.get(guid);
    if (writer === undefined) return;
    if (!writer.isReliable) return;
    // Before the writer has told what there is, holes at its beginning say where that is.
    if (writer.expected === 0) {
      if (start === 1) this.skipTo(writer, base);
      else return;
    } else if (start <= writer.expected && base > writer.expected) this.skipTo(writer, base);
    else
      for (let sn = start; sn < Math.min(base, start + MOST_WAITING); sn++) this.take(writer, sn, undefined);
    for (const sn of members) this.take(writer, sn, undefined);
  }

  /** What came, and what did not. */
  private acknowledge(writer: WriterProxy, isFinal: boolean): void {
    writer.asked = this.now();
    // Nothing is known yet: an empty request makes the writer tell what there is.
    const base = Math.max(1, writer.expected);
    const missing: number[] = [];
    for (let sn = base; writer.expected > 0 && sn <= writer.last && sn < base + MOST_IN_SET; sn++)
      if (!writer.waiting.has(sn)) {
        const assembly = writer.assemblies.get(sn);
        if (assembly === undefined) missing.push(sn);
        else if (writer.asked - assembly.progressed >= PATIENCE) this.askFragments(writer, sn, assembly);
      }
    const count = ++writer.count;
    this.out.say(writer.to, writer.prefix, (w) =>
      acknack(w, this.id, writer.entity, base, missing, count, isFinal),
    );
  }

  private askFragments(writer: WriterProxy, sn: number, assembly: Assembly): void {
    const missing = assembly.missing();
    const count = ++writer.count;
    this.out.say(writer.to, writer.prefix, (w) => nackFrag(w, this.id, writer.entity, sn, missing, count));
  }

  /** Writers that died or came back since the last time, by when their participants were heard of [ms]. */
  lives(heardOf: (prefix: Prefix) => number): { readonly guid: Guid; readonly isAlive: boolean }[] {
    const now = this.now();
    const changed: { guid: Guid; isAlive: boolean }[] = [];
    for (const writer of this.writers.values()) {
      const heard = Math.max(writer.heard, writer.isAutomatic ? heardOf(writer.prefix) : 0);
      const isAlive = now - heard <= 1000 * writer.lease;
      if (isAlive === writer.isAlive) continue;
      writer.isAlive = isAlive;
      changed.push({ guid: writer.guid, isAlive });
    }
    return changed;
  }

  /** Asks again for what does not come; to be called often. */
  remind(): void {
    const now = this.now();
    for (const writer of this.writers.values()) {
      if (!writer.isReliable) continue;
      const isWaiting = writer.expected === 0 || writer.expected <= writer.last;
      if (!isWaiting || now - writer.asked < writer.patience) continue;
      writer.patience = Math.min(LONGEST_PATIENCE, 2 * writer.patience);
      this.acknowledge(writer, writer.expected > 0);
    }
  }
}

/** What several readers lost, had twice, and could not take. */
export function lossesOf(readers: Iterable<Reader>) {
  const sum = { lost: 0, duplicates: 0, oversized: 0, crowded: 0 };
  for (const { counts } of readers) {
    sum.lost += counts.lost;
    sum.duplicates += counts.duplicates;
    sum.oversized += counts.oversized;
    sum.crowded += counts.crowded;
  }
  return sum;
}
