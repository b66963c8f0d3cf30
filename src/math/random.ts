/**
 * Counter-based random numbers: each is a pure function of seed, stream name and index, so a draw does not depend on how
 * many draws came before it, on the thread or on the machine. Threefry-2x32, 20 rounds (Salmon et al., SC11).
 */
import { cos, log } from "./elementary.ts";

export const ROTATIONS: readonly number[] = [13, 15, 26, 6, 17, 29, 16, 24];
const bits = new Uint32Array(2);

/** Encrypts the counter (c0, c1) under the key (k0, k1) into two 32-bit words. */
export function threefry(k0: number, k1: number, c0: number, c1: number, out: Uint32Array): void {
  const k2 = (k0 ^ k1 ^ 0x1bd11bda) | 0;
  let x0 = (c0 + k0) | 0;
  let x1 = (c1 + k1) | 0;
  for (let round = 0; round < 20; round++) {
    const r = ROTATIONS[round & 7];
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << r) | (x1 >>> (32 - r))) ^ x0;
    if ((round & 3) === 3) {
      const s = (round >> 2) + 1;
      x0 = (x0 + (s % 3 === 0 ? k0 : s % 3 === 1 ? k1 : k2)) | 0;
      x1 = (x1 + ((s + 1) % 3 === 0 ? k0 : (s + 1) % 3 === 1 ? k1 : k2) + s) | 0;
    }
  }
  out[0] = x0;
  out[1] = x1;
}

/** 32-bit FNV-1a of the name, by which streams of one seed are told apart. */
function nameKey(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h;
}

/** Random numbers as a pure function of (seed, name, index). */
export interface Stream {
  /** Uniform in (0, 1), never an end point. */
  uniform(index: number): number;
  /** Standard normal. */
  normal(index: number): number;
  /** Exponential with mean 1. */
  exponential(index: number): number;
}

/** Box and Muller: two 32-bit words are the radius and the angle. In the equations' subset, so that src/compile makes machine code of it. */
export function boxMuller(a: number, b: number): number {
  const radius = Math.sqrt(-2 * log((a + 0.5) / 4294967296));
  return radius * cos((2 * Math.PI * (b + 0.5)) / 4294967296);
}

/** Standard normal numbers of a key from an index on, as many as there is room for: bit for bit those of `normal`. */
export type Normals = (k0: number, k1: number, from: number, out: Float64Array) => void;
let bulk: Normals | undefined;
const AHEAD = 64;

/** From here on streams draw normal numbers in bulk. */
export function drawNormalsBy(normals: Normals): void {
  bulk = normals;
}

/** The named stream of a seed (any integer up to 2^53). */
export function stream(seed: number, name: string): Stream {
  const k0 = seed | 0;
  const k1 = nameKey(name) ^ Math.imul(Math.floor(seed / 4294967296), 0x9e3779b1);
  const draw = (index: number) => threefry(k0, k1, index | 0, Math.floor(index / 4294967296) | 0, bits);
  const uniform = (index: number) => {
    draw(index);
    // 52 bits and a half, so that neither 0 nor 1 can come out.
    return ((bits[0] >>> 6) * 67108864 + (bits[1] >>> 6) + 0.5) / 4503599627370496;
  };
  let ahead: Float64Array | undefined;
  let first = 0;
  const fromBulk = (normals: Normals, index: number): number => {
    ahead ??= new Float64Array(AHEAD);
    first = index;
    normals(k0, k1, index, ahead);
    return ahead[0];
  };
  return {
    uniform,
    normal(index) {
      if (ahead !== undefined && index >= first && index < first + AHEAD) return ahead[index - first];
      if (bulk !== undefined && index < 2147480000) return fromBulk(bulk, index);
      draw(index);
      return boxMuller(bits[0], bits[1]);
    },
    exponential: (index) => -log(uniform(index)),
  };
}

export const uniform = (seed: number, name: string, index: number): number =>
  stream(seed, name).uniform(index);
