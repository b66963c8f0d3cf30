/**
 * What may be sent to participants of whom it is not known that they hear it: anybody can name anybody's address. As in QUIC
 * (RFC 9000, 8.1) three times what came from them, until they answer; and not more than so much for all who speak from one source.
 */
import type { Prefix } from "./ids.ts";

const RATIO = 3;
/** What one may have left: it is enough to be met, and asked a few times [bytes]. */
const MOST_LEFT = 4096;
/** What one source may bring others, at once and in the long run: as many participants as are kept [bytes], [bytes/s]. */
const SOURCE_BURST = 1 << 20;
const SOURCE_RATE = 64 << 10;
const MOST_SOURCES = 1024;

export class ReplyLimit {
  private readonly now: () => number;
  private readonly left = new Map<Prefix, number>();
  private readonly sources = new Map<string, { bytes: number; at: number }>();
  /** What a datagram brings to whoever is met by it, once. */
  private gift = 0;
  private source = "";

  constructor(now: () => number) {
    this.now = now;
  }

  /** A datagram came. */
  heard(prefix: Prefix, bytes: number, source: string): void {
    this.gift = RATIO * bytes;
    this.source = source;
    if (this.left.has(prefix)) this.give(prefix);
  }

  /** Limits somebody who has not answered; false where his source has brought too many. */
  limit(prefix: Prefix): boolean {
    return this.give(prefix) > 0;
  }

  /** It has answered, or is gone. */
  free(prefix: Prefix): void {
    this.left.delete(prefix);
  }

  isLimited(prefix: Prefix): boolean {
    return this.left.has(prefix);
  }

  /** Whether so much may be sent, which is then spent. */
  spend(prefix: Prefix, bytes: number): boolean {
    const left = this.left.get(prefix);
    if (left === undefined) return true;
    if (bytes > left) return false;
    this.left.set(prefix, left - bytes);
    return true;
  }

  private give(prefix: Prefix): number {
    const had = this.left.get(prefix) ?? 0;
    const more = this.draw(Math.min(this.gift, MOST_LEFT - had));
    this.gift = 0;
    if (had + more > 0) this.left.set(prefix, had + more);
    return had + more;
  }

  private draw(bytes: number): number {
    const now = this.now();
    const { bytes: before, at } = this.sources.get(this.source) ?? { bytes: SOURCE_BURST, at: now };
    const there = Math.min(SOURCE_BURST, before + ((now - at) / 1000) * SOURCE_RATE);
    const drawn = Math.min(bytes, Math.floor(there));
    this.sources.delete(this.source);
    for (const oldest of this.sources.keys()) {
      if (this.sources.size < MOST_SOURCES) break;
      this.sources.delete(oldest);
    }
    this.sources.set(this.source, { bytes: there - drawn, at: now });
    return drawn;
  }
}
