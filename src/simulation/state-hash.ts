/**
 * 64-bit running hash of the bits of doubles: one 32-bit multiply-xor lane for their low words and one for their high words,
 * mixed into each other after each array. Enough to prove that two runs are equal; not a cryptographic hash.
 */
export interface StateHash {
  /** Takes in the array's present bits. */
  add(): void;
  /** 16 hexadecimal digits. */
  digest(): string;
  /** The two lanes, for snapshots. */
  readonly memory: Uint32Array;
}

export function stateHash(x: Float64Array): StateHash {
  const words = new Uint32Array(x.buffer, x.byteOffset, 2 * x.length);
  const memory = new Uint32Array([0x9e3779b9, 0x85ebca6b]);
  const hex = (v: number) => v.toString(16).padStart(8, "0");
  return {
    memory,
    add() {
      let a = memory[0];
      let b = memory[1];
      for (let i = 0; i < words.length; i += 2) {
        a = Math.imul(a ^ words[i], 0x01000193);
        b = Math.imul(b ^ words[i + 1], 0x85ebca6b) + i;
      }
      memory[0] = a ^ (b >>> 15);
      memory[1] = b ^ (a >>> 13) ^ (a << 19);
    },
    digest() {
      const mix = (v: number) => {
        v = Math.imul(v ^ (v >>> 16), 0x85ebca6b);
        v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35);
        return (v ^ (v >>> 16)) >>> 0;
      };
      return hex(mix(memory[0])) + hex(mix(memory[1]));
    },
  };
}
