/** Sets of up to 256 numbers from a base on, as ACKNACK, GAP and NACK_FRAG have them: the first is the highest bit. */
import { Malformed, type WireReader, type WireWriter } from "./wire.ts";

export const MOST_IN_SET = 256;

export interface NumberSet {
  readonly base: number;
  readonly members: readonly number[];
}

function readBits(from: WireReader, base: number): NumberSet {
  const bits = from.u32();
  if (bits > MOST_IN_SET) throw new Malformed(`a set of ${bits} bits`);
  const members: number[] = [];
  for (let element = 0; element * 32 < bits; element++) {
    const value = from.u32();
    for (let bit = 0; bit < 32 && element * 32 + bit < bits; bit++)
      if (((value >>> (31 - bit)) & 1) === 1) members.push(base + element * 32 + bit);
  }
  return { base, members };
}

export const readSequences = (from: WireReader): NumberSet => readBits(from, from.sequence());
export const readFragments = (from: WireReader): NumberSet => readBits(from, from.u32());

/** Members in ascending order, all within 256 of the base; those beyond are left for another time. */
function writeBits(to: WireWriter, base: number, members: readonly number[]): void {
  const inside = members.filter((m) => m >= base && m < base + MOST_IN_SET);
  const bits = inside.length === 0 ? 0 : inside[inside.length - 1] - base + 1;
  const elements = new Uint32Array(Math.ceil(bits / 32));
  for (const m of inside) elements[(m - base) >>> 5] |= 1 << (31 - ((m - base) & 31));
  to.u32(bits);
  for (const element of elements) to.u32(element);
}

export function writeSequences(to: WireWriter, base: number, members: readonly number[]): void {
  to.sequence(base);
  writeBits(to, base, members);
}
export function writeFragments(to: WireWriter, base: number, members: readonly number[]): void {
  to.u32(base);
  writeBits(to, base, members);
}
