/** What a participant needs from where it lives: addresses, a way out, clocks, and a sink for messages. */
import type { Address } from "./address.ts";
import type { ParticipantData } from "./discovery-data.ts";
import { BUILTIN_ENDPOINTS, bytesOf, type Prefix } from "./ids.ts";
import type { Send } from "./outbox.ts";
import { WireWriter } from "./wire.ts";

export interface ParticipantOptions {
  readonly prefix: Prefix;
  readonly domain: number;
  readonly name: string;
  /** Where others reach it. */
  readonly own: Address;
  /** Where it announces itself: the multicast group, and peers that are told by name. */
  readonly announce: readonly Address[];
  readonly send: Send;
  /** Whether to send to a host that a participant at another host announces. */
  readonly mayReach: (host: string, source: string) => boolean;
  /** An unpredictable random number from 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds that only go forward, and nanoseconds since 1970. */
  readonly now: () => number;
  readonly time: () => bigint;
  /** Messages for the user: participants found and lost, incompatible endpoints. */
  readonly report: (message: string) => void;
}

/** What a participant says of itself, with the time for which that holds [s]. */
export function announcementOf(
  { prefix, own, name, domain }: ParticipantOptions,
  lease: number,
): ParticipantData {
  return {
    prefix,
    vendor: 0,
    name,
    lease,
    meta: [own],
    user: [own],
    domain,
    builtins: BUILTIN_ENDPOINTS,
    userData: "enclave=/;",
  };
}

/** "I am alive", as a participant writes it (DDSI-RTPS 2.5, 8.4.13). */
export function livelinessOf(prefix: Prefix): Uint8Array {
  const w = new WireWriter(32);
  w.put(Uint8Array.of(0, 1, 0, 0));
  w.put(bytesOf(prefix));
  w.entity(1);
  w.u32(0);
  return w.done();
}
