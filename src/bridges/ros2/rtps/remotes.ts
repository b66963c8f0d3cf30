/** Other participants of the domain. */
import type { Address } from "./address.ts";
import type { ParticipantData } from "./discovery-data.ts";
import { type Guid, prefixOf } from "./ids.ts";

export interface Remote extends ParticipantData {
  /** Where discovery and samples go; and both as a word. */
  readonly metaTo: Address;
  readonly userTo: Address;
  readonly key: string;
  heard: number;
}

/** Who has no endpoints and was heard of least recently: he has to go first when there are too many. */
export function oldestIdle(remotes: Iterable<Remote>, endpoints: Iterable<Guid>): Remote | undefined {
  const busy = new Set([...endpoints].map(prefixOf));
  let oldest: Remote | undefined;
  for (const remote of remotes)
    if (!busy.has(remote.prefix) && (oldest === undefined || remote.heard < oldest.heard)) oldest = remote;
  return oldest;
}
