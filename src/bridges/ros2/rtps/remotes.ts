/** Other participants of the domain. */
import { type Address, keyOf } from "./address.ts";
import type { ParticipantData } from "./discovery-data.ts";
import { type EntityId, type Guid, prefixOf } from "./ids.ts";

export interface Remote extends ParticipantData {
  /** Where discovery and samples go; and both as a word. */
  readonly metaTo: Address;
  readonly userTo: Address;
  readonly key: string;
  /** Where it spoke from when it was met. */
  readonly source: string;
  /** Numbers that it is told in discovery lie above this by what only it is told: who says them back has heard them. */
  readonly floor: number;
  /** Writers of discovery that it has answered so, and how many answers were wrong. */
  readonly answered: Set<EntityId>;
  wrong: number;
  hasAnswered: boolean;
  heard: number;
}

/** One that was met just now and has not answered yet. */
export function newRemote(
  found: ParticipantData,
  at: {
    readonly metaTo: Address;
    readonly userTo: Address;
    readonly source: Address;
    readonly floor: number;
    readonly now: number;
  },
): Remote {
  const { metaTo, userTo, source, floor, now } = at;
  return {
    ...found,
    metaTo,
    userTo,
    key: keyOf(metaTo) + keyOf(userTo),
    source: keyOf(source),
    floor,
    answered: new Set<EntityId>(),
    wrong: 0,
    hasAnswered: false,
    heard: now,
  };
}

/** Who has to go first when there are too many: one that has not answered, else one without endpoints. */
export function leastMissed(remotes: readonly Remote[], endpoints: Iterable<Guid>): Remote | undefined {
  return longestSilent(remotes) ?? oldestIdle(remotes, endpoints);
}

/** Of those that have not answered the one that was met first, of the source that brought most of them. */
function longestSilent(remotes: readonly Remote[]): Remote | undefined {
  const sources = new Map<string, { readonly first: Remote; count: number }>();
  for (const remote of remotes) {
    if (remote.hasAnswered) continue;
    const others = sources.get(remote.source);
    if (others) others.count++;
    else sources.set(remote.source, { first: remote, count: 1 });
  }
  let most: { readonly first: Remote; readonly count: number } | undefined;
  for (const source of sources.values()) if (most === undefined || source.count > most.count) most = source;
  return most?.first;
}

/** Who has no endpoints and was heard of least recently. */
function oldestIdle(remotes: Iterable<Remote>, endpoints: Iterable<Guid>): Remote | undefined {
  const busy = new Set([...endpoints].map(prefixOf));
  let oldest: Remote | undefined;
  for (const remote of remotes)
    if (!busy.has(remote.prefix) && (oldest === undefined || remote.heard < oldest.heard)) oldest = remote;
  return oldest;
}
