/** Paths into a scenario spec, as a campaign names them: `initial.altitude`, `faults[0].t`. */
import type { Spec } from "../simulation/flight/action.ts";

export const pathOf = (name: string): string[] => name.replace(/\[(\d+)\]/g, ".$1").split(".");

/** The same spec with another value at a path; missing blocks on the way are created. */
export function withValue(words: Spec, path: readonly string[], value: unknown): Spec {
  const [key, ...rest] = path;
  if (key === undefined) return value as Spec;
  const inner = (words as Readonly<Record<string, unknown>> | undefined)?.[key];
  const changed = rest.length === 0 ? value : withValue((inner ?? {}) as Spec, rest, value);
  if (!Array.isArray(words)) return { ...words, [key]: changed };
  const list = [...words];
  list[Number(key)] = changed;
  return list as unknown as Spec;
}

/** The first list index on the way that the spec does not have. */
export function firstGap(words: Spec, path: readonly string[]): string | undefined {
  let node: unknown = words;
  let way = "";
  for (const key of path) {
    const isPlace = /^\d+$/.test(key);
    way += isPlace ? `[${key}]` : way === "" ? key : `.${key}`;
    // Parts of a vehicle count from 1 and need not stand in the scenario.
    if (isPlace && !way.startsWith("parameters.") && !(Array.isArray(node) && Number(key) < node.length))
      return way;
    node = (node as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return undefined;
}
