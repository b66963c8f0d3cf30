/** Bytes with something wrong in them: ten thousand cases here, a million in `npm run soak`. */
export const isSoak = process.env.SIDESLIP_SOAK === "1";
export const COUNT = isSoak ? 1_000_000 : 10_000;
export const SEED = isSoak ? Date.now() >>> 0 : 2024;

/** Random numbers that can be had again. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) % below;
  };
}
/** Numbers that hurt. */
const EDGES = [0, 1, 2, 3, 4, 7, 8, 127, 128, 255];

/** A copy with something wrong in it. */
export function mutate(
  original: Uint8Array,
  roll: (below: number) => number,
  others: readonly Uint8Array[],
): Uint8Array {
  let made = original.slice();
  for (let k = roll(4); k >= 0 && made.length > 0; k--) {
    const at = roll(made.length);
    const kind = roll(8);
    if (kind === 0) made[at] ^= 1 << roll(8);
    else if (kind === 1) made[at] = EDGES[roll(EDGES.length)];
    else if (kind === 2) made = made.slice(0, at);
    else if (kind === 3) made.fill(0xff, at, at + 1 + roll(8));
    else if (kind === 4) made.fill(0, at, at + 1 + roll(8));
    else if (kind === 5)
      made = Uint8Array.from([
        ...made.subarray(0, at),
        ...made.subarray(Math.min(made.length, at + 1 + roll(8))),
      ]);
    else if (kind === 6) {
      const other = others[roll(others.length)];
      made = Uint8Array.from([...made.subarray(0, at), ...other.subarray(roll(other.length + 1))]).slice(
        0,
        70_000,
      );
    } else made = Uint8Array.from([...made.subarray(0, at), ...made.subarray(Math.max(0, at - 4))]);
  }
  return made;
}
