/** What a participant needs from where it lives: addresses, a way out, clocks, and somebody to tell. */
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
  /** Whether a host is sent to, of which somebody at another one speaks. */
  readonly mayReach: (host: string, source: string) => boolean;
  /** From 0 to below 1, and nobody can guess it. */
  readonly random: () => number;
  /** Milliseconds that only go forward, and nanoseconds since 1970. */
  readonly now: () => number;
  readonly time: () => bigint;
  /** What a person should know: who came and went, and what does not fit. */
  readonly report: (words: string) => void;
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
