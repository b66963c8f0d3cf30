/** Uniform numbers of a run, dimension by dimension: each a pure function of seed, dimension and index. */
import { stream, threefry } from "../math/random.ts";
import { SOBOL_DIMENSIONS, sobol } from "./sobol.ts";

export const SAMPLINGS = ["random", "latin", "sobol"] as const;
export type Sampling = (typeof SAMPLINGS)[number];

/** How many numbers a run may have; any number where there is no limit. */
export const dimensionsOf = (sampling: Sampling): number =>
  sampling === "sobol" ? SOBOL_DIMENSIONS : Number.POSITIVE_INFINITY;

/** The uniform numbers of one dimension for so many runs, which go through so many cells of a grid in turn. */
export function uniforms(
  sampling: Sampling,
  seed: number,
  name: string,
  dimension: number,
  runs: number,
  cells: number,
): (index: number) => number {
  const noise = stream(seed, `campaign.${name}`);
  if (sampling === "random") return noise.uniform;
  if (sampling === "latin") {
    // McKay, Beckman and Conover (1979): each of as many slices as there are runs is visited once.
    const slice = permutation(runs, seed, name);
    return (index) => (slice(index) + noise.uniform(index)) / runs;
  }
  // Each cell has the whole sequence, shifted by a random number digit by digit, which keeps the evenness and makes estimates unbiased.
  return (index) => {
    const shift = Math.floor(noise.uniform(index % cells) * 4294967296);
    return (((sobol(Math.floor(index / cells), dimension) ^ shift) >>> 0) + 0.5) / 4294967296;
  };
}

/** A random permutation of 0 .. n - 1 that can be asked for one place at a time: a Feistel network, walked until it is inside. */
export function permutation(n: number, seed: number, name: string): (index: number) => number {
  // Two halves of as many bits as it takes.
  let mask = 1;
  while ((mask + 1) * (mask + 1) < n) mask = 2 * mask + 1;
  const words = new Uint32Array(2);
  const key = Math.floor(stream(seed, `campaign.permutation.${name}`).uniform(0) * 4294967296);
  const once = (value: number) => {
    let [left, right] = [Math.floor(value / (mask + 1)), value & mask];
    for (let round = 0; round < 6; round++) {
      threefry(key, seed | 0, right, round, words);
      [left, right] = [right, left ^ (words[0] & mask)];
    }
    return left * (mask + 1) + right;
  };
  return (index) => {
    let value = once(index);
    while (value >= n) value = once(value);
    return value;
  };
}
