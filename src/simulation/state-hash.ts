/**
 * 64-bit running hash of the bits of doubles: two MurmurHash3 lanes (Appleby), one for their lower halves and one for their upper
 * halves, mixed into each other after each array. Proves that two runs are equal; not a cryptographic hash.
 */
export interface StateHash {
  /** Takes in the array's present bits. */
  add(): void;
  /** 16 hexadecimal digits. */
  digest(): string;
  /** The two lanes, for snapshots. */
  readonly memory: Uint32Array;
}

const rotate = (v: number, n: number) => (v << n) | (v >>> (32 - n));
/** One word into a lane. Multiplying alone would let the sign bits of two states cancel; rotating spreads them. */
const absorb = (lane: number, word: number) =>
  (Math.imul(rotate(lane ^ Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593), 13), 5) +
    0xe6546b64) |
  0;

function finish(v: number): string {
  v = Math.imul(v ^ (v >>> 16), 0x85ebca6b);
  v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35);
  return ((v ^ (v >>> 16)) >>> 0).toString(16).padStart(8, "0");
}

/** A hash over the bits of all states at every sample. */
export function stateHash(x: Float64Array): StateHash {
  const words = new Uint32Array(x.buffer, x.byteOffset, 2 * x.length);
  const memory = new Uint32Array([0x9e3779b9, 0x85ebca6b]);
  return {
    memory,
    add() {
      let low = memory[0] | 0;
      let high = memory[1] | 0;
      for (let i = 0; i < words.length; i += 2) {
        low = absorb(low, words[i]);
        high = absorb(high, words[i + 1]);
      }
      memory[0] = absorb(low, high);
      memory[1] = absorb(high, low);
    },
    digest: () => finish(memory[0]) + finish(memory[1]),
  };
}
