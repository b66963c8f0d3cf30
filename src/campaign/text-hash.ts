import { stateHash } from "../simulation/state-hash.ts";

/** 16 digits that change with any letter of a text. */
export function textHash(text: string): string {
  const letters = new Float64Array(text.length);
  for (let i = 0; i < text.length; i++) letters[i] = text.charCodeAt(i);
  const hash = stateHash(letters);
  hash.add();
  return hash.digest();
}
