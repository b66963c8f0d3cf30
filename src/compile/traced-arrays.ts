/**
 * What equations write to, variables, lists and members of objects, with a memory of what was there: both sides of a branch are
 * followed, one after the other, and what they leave behind is put together.
 */
import type { Branch, Graph, Node, Truth } from "./graph.ts";
import { Node as GraphNode } from "./graph.ts";

/** Where a function keeps what it returns: on the ways that have not returned yet there is nothing. */
export const RESULT = Symbol("result");

type Target = Record<PropertyKey, unknown>;
type Journal = Map<object, Map<PropertyKey, unknown>>;

export class TracedArrays {
  private readonly graph: Graph;
  private readonly journals: Journal[] = [];
  /** Reports that two values cannot be merged. */
  private readonly reject: (key: PropertyKey) => never;

  constructor(graph: Graph, reject: (key: PropertyKey) => never) {
    this.graph = graph;
    this.reject = reject;
  }

  write(target: object, key: PropertyKey, value: unknown): void {
    const journal = this.journals.at(-1);
    if (journal !== undefined) {
      let keys = journal.get(target);
      if (keys === undefined) journal.set(target, (keys = new Map()));
      if (!keys.has(key)) keys.set(key, (target as Target)[key]);
    }
    (target as Target)[key] = value;
  }

  /** Follows one side: its result, and what it wrote, taken back. */
  private follow<T>(side: () => T): { result: T; written: Journal } {
    const journal: Journal = new Map();
    this.journals.push(journal);
    let result: T;
    try {
      result = side();
    } finally {
      this.journals.pop();
    }
    const written: Journal = new Map();
    for (const [target, keys] of journal) {
      const values = new Map<PropertyKey, unknown>();
      for (const [key, old] of keys) {
        values.set(key, (target as Target)[key]);
        (target as Target)[key] = old;
      }
      written.set(target, values);
    }
    return { result, written };
  }

  /** Both sides of a condition that is not known; afterwards each place holds what the side taken wrote. */
  branch<T>(condition: Node, yes: () => T, no: () => T): { yes: T; no: T; branch: Branch } {
    const a = this.follow(yes);
    const b = this.follow(no);
    const branch = this.graph.newBranch();
    const places = new Map<object, Set<PropertyKey>>();
    for (const { written } of [a, b])
      for (const [target, keys] of written) {
        const all = places.get(target) ?? new Set();
        for (const key of keys.keys()) all.add(key);
        places.set(target, all);
      }
    for (const [target, keys] of places)
      for (const key of keys) {
        const old = (target as Target)[key];
        const pick = ({ written }: { written: Journal }) => {
          const values = written.get(target);
          return values?.has(key) ? values.get(key) : old;
        };
        this.write(target, key, this.merge(condition, pick(a), pick(b), branch, key));
      }
    return { yes: a.result, no: b.result, branch };
  }

  /** Work that belongs to no branch, whoever asked for it first. */
  apart<T>(work: () => T): T {
    const open = this.journals.splice(0);
    try {
      return work();
    } finally {
      this.journals.push(...open);
    }
  }
  get isInBranch(): boolean {
    return this.journals.length > 0;
  }

  /** One value or the other; where there is none yet, what is left undefined is no number. */
  merge(condition: Node, a: unknown, b: unknown, branch: Branch, key: PropertyKey = "value"): unknown {
    if (Object.is(a, b)) return a;
    if (a === undefined)
      return isNumber(b) && key !== RESULT ? this.merge(condition, Number.NaN, b, branch) : b;
    if (b === undefined)
      return isNumber(a) && key !== RESULT ? this.merge(condition, a, Number.NaN, branch) : a;
    const { graph } = this;
    if (isTruth(a) && isTruth(b))
      return graph.or(graph.and(condition, a), graph.and(graph.not(condition), b));
    if (isNumber(a) && isNumber(b)) return graph.select(condition, a, b, branch);
    return this.reject(key);
  }
}

export const isNumber = (v: unknown): v is number | Node =>
  typeof v === "number" || (v instanceof GraphNode && !v.isTruth);
export const isTruth = (v: unknown): v is Truth =>
  typeof v === "boolean" || (v instanceof GraphNode && v.isTruth);
