/** What a participant needs from where it lives: addresses, a way out, clocks, and somebody to tell. */
import type { Address } from "./address.ts";
import type { Prefix } from "./ids.ts";
import type { Send } from "./outbox.ts";

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
