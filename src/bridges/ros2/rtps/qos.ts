/** Quality of service: what a writer offers, what a reader asks, and in words why two do not fit (DDS 1.4, 2.2.3). */

export interface Qos {
  readonly isReliable: boolean;
  /** Keeps its last samples for readers that come late. */
  readonly isTransientLocal: boolean;
  /** Keeps them beyond its own life, which nobody here does. */
  readonly isTransient: boolean;
  /** Longest time between samples [s]. */
  readonly deadline: number;
  /** Automatic, by participant, by topic: 0, 1, 2. */
  readonly liveliness: number;
  /** How long without a sign of life is alive [s]. */
  readonly lease: number;
  readonly isExclusive: boolean;
  readonly partitions: readonly string[];
  /** By instance, by topic, by group: 0, 1, 2. */
  readonly presentation: number;
  /** In the order of their writing rather than of their coming. */
  readonly isBySource: boolean;
  /** Ways of writing values: of a writer its own, of a reader those that it takes. 0 is plain CDR, 2 its second version. */
  readonly representations: readonly number[];
  /** Samples kept; infinite keeps all. */
  readonly depth: number;
}

export const DEFAULT_QOS: Qos = {
  isReliable: true,
  isTransientLocal: false,
  isTransient: false,
  deadline: Number.POSITIVE_INFINITY,
  liveliness: 0,
  lease: Number.POSITIVE_INFINITY,
  isExclusive: false,
  partitions: [],
  presentation: 0,
  isBySource: false,
  representations: [],
  depth: 10,
};

const LIVELINESS = ["automatic", "manual by participant", "manual by topic"];

/** With * and ? on either side; none is the partition without a name. */
function sharePartition(a: readonly string[], b: readonly string[]): boolean {
  const mine = a.length === 0 ? [""] : a;
  const its = b.length === 0 ? [""] : b;
  return mine.some((x) => its.some((y) => matches(x, y) || matches(y, x)));
}

/** By two cursors and the last star: no pattern takes long. */
function matches(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length)
    if (pattern[p] === "*") [star, mark] = [p++, t];
    else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) [p, t] = [p + 1, t + 1];
    else if (star >= 0) [p, t] = [star + 1, ++mark];
    else return false;
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Why a reader gets nothing from a writer; nothing where it does. */
export function mismatches(offered: Qos, asked: Qos): string[] {
  const found: string[] = [];
  if (asked.isReliable && !offered.isReliable)
    found.push("the reader asks for reliable, the writer offers best effort");
  if (asked.isTransientLocal && !offered.isTransientLocal)
    found.push("the reader asks for transient local, the writer is volatile");
  if (asked.isTransient && !offered.isTransient)
    found.push("the reader asks for samples beyond the writer's life, the writer keeps none");
  if (offered.presentation < asked.presentation)
    found.push("the reader asks for samples that belong together, the writer sends each by itself");
  if (asked.isBySource && !offered.isBySource)
    found.push("the reader asks for the order of writing, the writer offers that of coming");
  const ways = offered.representations.length === 0 ? [0] : offered.representations;
  if (!ways.some((way) => (asked.representations.length === 0 ? [0] : asked.representations).includes(way)))
    found.push(`the writer writes values in ways [${ways}], the reader takes [${asked.representations}]`);
  if (offered.deadline > asked.deadline)
    found.push(
      `the reader asks for a deadline of ${asked.deadline} s, the writer offers ${offered.deadline} s`,
    );
  if (offered.liveliness < asked.liveliness)
    found.push(
      `the reader asks for liveliness ${LIVELINESS[asked.liveliness]}, the writer offers ${LIVELINESS[offered.liveliness]}`,
    );
  if (offered.lease > asked.lease)
    found.push(
      `the reader asks for a sign of life every ${asked.lease} s, the writer offers one every ${offered.lease} s`,
    );
  if (offered.isExclusive !== asked.isExclusive) found.push("one has shared, the other exclusive ownership");
  if (!sharePartition(offered.partitions, asked.partitions))
    found.push(
      `they are in other partitions: [${offered.partitions.join(", ")}] and [${asked.partitions.join(", ")}]`,
    );
  return found;
}
