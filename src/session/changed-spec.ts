import { overlay, plainSource } from "../model/document.ts";
import { nested } from "../model/parameters.ts";
import type { Spec } from "../simulation/flight/action.ts";

/** A scenario with other parameters: dotted names become blocks. */
export function changedSpec(spec: Spec, parameters: Readonly<Record<string, number>>): Spec {
  if (Object.keys(parameters).length === 0) return spec;
  const block = nested(Object.entries(parameters));
  return overlay(plainSource(spec, "flight"), plainSource({ parameters: block }, "changes")).value as Spec;
}
