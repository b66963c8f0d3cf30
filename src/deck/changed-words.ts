import { overlay, plainSource } from "../model/document.ts";
import { nested } from "../model/parameters.ts";
import type { Words } from "../simulation/flight/deeds.ts";

/** A scenario with other parameters: dotted names become blocks. */
export function changedWords(words: Words, parameters: Readonly<Record<string, number>>): Words {
  if (Object.keys(parameters).length === 0) return words;
  const block = nested(Object.entries(parameters));
  return overlay(plainSource(words, "flight"), plainSource({ parameters: block }, "changes")).value as Words;
}
