import { overlay, plainSource } from "../model/document.ts";
import { nested } from "../model/parameters.ts";
import type { Spec } from "../simulation/flight/action.ts";

/** A scenario with other parameters: dotted names become blocks. */
export function changedSpec(words: Spec, parameters: Readonly<Record<string, number>>): Spec {
  if (Object.keys(parameters).length === 0) return words;
  const block = nested(Object.entries(parameters));
  return overlay(plainSource(words, "flight"), plainSource({ parameters: block }, "changes")).value as Spec;
}
