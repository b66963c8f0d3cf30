/** Checked values of documents; every error names the line of the value. */
import type * as z from "zod";
import { InputError } from "./input-error.ts";
import { show } from "./schema.ts";

/** A person's scenario or vehicle is a few kilobytes; far more than that is a mistake or an attack. */
export const LARGEST_TEXT = 1_000_000;

export type Path = readonly PropertyKey[];

export interface Location {
  /** How messages name it. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Opens a file that a scenario names, relative to the scenario. */
export type Open = (path: string) => { readonly text: string; readonly file: string };

/** A value with the file, line and column of each of its parts, so that errors can name them. */
export interface Document {
  readonly file: string;
  readonly value: unknown;
  /** Where the value (or the key itself) at a path stands. */
  locate(path: Path, key?: string): Location;
}

/** A plain object (from a program or the command line) under the same checks. */
export function plainSource(value: unknown, name: string): Document {
  return { file: name, value, locate: () => ({}) };
}

const isBlock = (v: unknown): v is Record<string, unknown> =>
  typeof v === "object" && v !== null && !Array.isArray(v);

function merged(base: unknown, over: unknown): unknown {
  if (!isBlock(over)) return over === undefined ? base : over;
  const out = new Map(Object.entries(isBlock(base) ? base : {}));
  for (const [key, v] of Object.entries(over)) {
    if (v === null) out.delete(key);
    else out.set(key, merged(out.get(key), v));
  }
  return Object.fromEntries(out);
}

/** Blocks merged key by key, the second source winning, its null removing a key; errors still name the file that the value is from. */
export function overlay(base: Document, over: Document): Document {
  return {
    file: base.file,
    value: merged(base.value, over.value),
    locate(path, key) {
      const full = key === undefined ? path : [...path, key];
      return valueAt(over.value, full) === undefined
        ? base.locate(path, key)
        : { file: over.file, ...over.locate(path, key) };
    },
  };
}

/** The value as the schema's type, or an InputError naming file, line, field, value and what is allowed. */
export function check<T>(schema: z.ZodType<T>, source: Document): T {
  const result = schema.safeParse(source.value);
  if (result.success) return result.data;
  // An unknown key is reported first: it often explains a missing one.
  const { issues } = result.error;
  throw complaint(issues.find((i) => i.code === "unrecognized_keys") ?? issues[0], source);
}

type Issue = z.core.$ZodIssue;

function complaint(issue: Issue, source: Document): InputError {
  const inner = issue.code === "invalid_union" ? bestBranch(issue) : issue;
  const path = [...issue.path, ...(inner === issue ? [] : inner.path)];
  const name = (p: Path) => p.map((k) => (typeof k === "number" ? `[${k}]` : String(k))).join(".");
  const value = valueAt(source.value, path);
  const base = { file: source.file, field: name(path) || undefined, value };
  if (inner.code === "unrecognized_keys") {
    const key = inner.keys[0];
    return new InputError(inner.message, {
      ...base,
      field: name([...path, key]),
      value: (value as Record<string, unknown>)?.[key],
      ...source.locate(path, key),
    });
  }
  const where = source.locate(path);
  if (inner.code === "custom")
    return new InputError(inner.message, {
      ...base,
      ...where,
      allowed: inner.params?.allowed as string | undefined,
    });
  if (value === undefined && inner.code !== "invalid_union")
    return new InputError("is missing", { ...base, ...where, allowed: expectation(inner) });
  if (value === null) return new InputError("is empty", { ...base, ...where, allowed: expectation(inner) });
  return new InputError(`${show(value)} is not valid here`, {
    ...base,
    ...where,
    allowed: expectation(inner),
  });
}

/** Of a union's complaints, the one about the branch that was meant: its complaint lies deepest. */
function bestBranch(issue: Issue & { code: "invalid_union" }): Issue {
  const first = issue.errors.map((branch) => branch[0]).filter((i) => i !== undefined);
  const depth = (i: Issue) =>
    i.path.length + (i.code === "invalid_type" || i.code === "invalid_value" ? 0 : 0.5);
  const best = first.reduce<Issue | undefined>(
    (a, b) => (a === undefined || depth(b) > depth(a) ? b : a),
    undefined,
  );
  return best === undefined || (depth(best) === 0 && first.length > 1) ? issue : best;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  tuple: "a list of three numbers",
  string: "a text",
  record: "a block of names",
};

function expectation(issue: Issue): string {
  if (issue.code === "invalid_value") return issue.values.map(String).join(", ");
  if (issue.code === "invalid_type") return TYPE_WORDS[issue.expected] ?? issue.message;
  if (issue.code === "too_small" && issue.minimum === 1) return "at least one entry";
  if (issue.code === "too_small" || issue.code === "too_big") return "a list of three numbers";
  if (issue.code === "invalid_union")
    return issue.errors
      .map((branch) => (branch[0] === undefined ? "" : expectation(branch[0])))
      .join(", or ");
  return issue.message;
}

function valueAt(value: unknown, path: Path): unknown {
  for (const step of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}
