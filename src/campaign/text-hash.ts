/** 16 digits that change with any letter of a text. Not cryptographic. */
export function textHash(text: string): string {
  let [a, b] = [0x2545f491, 0x7feb352d];
  // The second lane remembers every state of the first: for a collision both must meet.
  for (let i = 0; i < text.length; i++) {
    a = absorb(a, text.charCodeAt(i));
    b = absorb(b ^ a, i);
  }
  return hexadecimal(a) + hexadecimal(b);
}

/** One word into a 32-bit lane. */
export function absorb(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x9e3779b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) ^ (mixed >>> 13);
}

export const hexadecimal = (v: number): string => (v >>> 0).toString(16).padStart(8, "0");
