import { describe, expect, it } from "vitest";
import { stateHash } from "../../src/simulation/state-hash.ts";

const hashOf = (...rows: readonly number[][]) => {
  const x = new Float64Array(rows[0].length);
  const hash = stateHash(x);
  for (const row of rows) {
    x.set(row);
    hash.add();
  }
  return hash.digest();
};

describe("the state hash", () => {
  const base = [1.5, -2.25, 0, 1e-3, 7];
  it("sees mirrored states: any set of flipped signs", () => {
    const seen = new Set<string>();
    for (let flips = 0; flips < 32; flips++)
      seen.add(hashOf(base.map((v, i) => ((flips >> i) & 1 ? -v : v))));
    expect(seen.size).toBe(32);
  });
  it("sees every single bit and every pair of bits of two states", () => {
    const x = new Float64Array([1.5, -2.25]);
    const words = new Uint32Array(x.buffer);
    const seen = new Set<string>();
    const record = () => {
      const hash = stateHash(x);
      hash.add();
      seen.add(hash.digest());
    };
    let count = 0;
    const flip = (b: number) => {
      words[b >> 5] ^= 1 << (b & 31);
    };
    for (let a = 0; a < 128; a++)
      for (let b = a; b < 128; b++) {
        flip(a);
        if (b !== a) flip(b);
        record();
        count++;
        flip(a);
        if (b !== a) flip(b);
      }
    expect(seen.size).toBe(count);
  });
  it("sees the order of states and of samples, and zeros that were added", () => {
    expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
    expect(hashOf([1, 2], [3, 4])).not.toBe(hashOf([3, 4], [1, 2]));
    expect(hashOf([1, 2], [1, 2])).not.toBe(hashOf([1, 2]));
    expect(hashOf([0, 0])).not.toBe(hashOf([0, 0], [0, 0]));
  });
});
