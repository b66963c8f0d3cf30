/** Fragments of one sample, put together in whatever order they come. */
import type { DataHead, Submessage } from "./message.ts";

/** Larger samples are acknowledged and counted, but not delivered [bytes]. */
export const LARGEST_SAMPLE = 16 << 20;

export type Fragment = Submessage & { readonly kind: "dataFrag" };

export class Assembly {
  head: DataHead;
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly total: number;
  /** When something new came last [ms]. */
  progressed: number;
  private readonly have: Uint8Array;
  private left: number;

  constructor({ kind: _, first: _f, count: _c, payload: _p, ...head }: Fragment, now: number) {
    this.head = head;
    this.size = head.fragmentSize;
    this.total = Math.ceil(head.sampleSize / this.size);
    this.bytes = new Uint8Array(head.sampleSize);
    this.have = new Uint8Array(this.total);
    this.left = this.total;
    this.progressed = now;
  }

  get isComplete(): boolean {
    return this.left === 0;
  }

  /** Whether there was something new in it. */
  add(fragment: Fragment, now: number): boolean {
    const { first, count, fragmentSize, sampleSize, payload } = fragment;
    if (fragmentSize !== this.size || sampleSize !== this.bytes.length) return false;
    const before = this.left;
    // Cyclone gives time and inline QoS with the first one only.
    if (first === 1) this.head = { ...this.head, time: fragment.time, inline: fragment.inline };
    for (let k = 0; k < count; k++) {
      const index = first - 1 + k;
      if (this.have[index] === 1) continue;
      const from = k * this.size;
      const at = index * this.size;
      const length = Math.min(this.size, this.bytes.length - at);
      this.bytes.set(payload.subarray(from, from + length), at);
      this.have[index] = 1;
      this.left--;
      this.progressed = now;
    }
    return this.left < before;
  }

  /** Numbers, from 1 on, of up to 256 fragments that have not come. */
  missing(): number[] {
    const found: number[] = [];
    for (let i = 0; i < this.total && found.length < 256; i++) {
      if (this.have[i] === 1) continue;
      if (found.length > 0 && i + 1 - found[0] >= 256) break;
      found.push(i + 1);
    }
    return found;
  }
}
