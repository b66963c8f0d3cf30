/** Values that equations handle besides numbers: lists of numbers, parameters, functions of their own source. */
import type { Node as Syntax } from "acorn";
import { type Graph, type InputRef, Node, type Value } from "./graph.ts";

/** A Float64Array or Int32Array: numbers that may not be known yet. */
export class Numbers {
  readonly cells: Value[];
  /** Of a list of parameters, where it comes from: it may be read at a place that is computed. */
  readonly source?: InputRef;
  constructor(cells: Value[], source?: InputRef) {
    this.cells = cells;
    this.source = source;
  }
  get length(): number {
    return this.cells.length;
  }
}

/** An argument of the equations that is an object: a vehicle's parameters, whose numbers are inputs. */
export class Given {
  readonly object: Readonly<Record<string, unknown>>;
  readonly source: InputRef;
  private readonly graph: Graph;
  private readonly known = new Map<string, unknown>();

  constructor(graph: Graph, object: unknown, source: InputRef) {
    this.graph = graph;
    this.object = object as Readonly<Record<string, unknown>>;
    this.source = source;
  }
  keys(): string[] {
    return Object.keys(this.object);
  }
  get(key: string): unknown {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const value = this.wrap(this.object[key], { ...this.source, path: [...this.source.path, key] });
    this.known.set(key, value);
    return value;
  }
  private wrap(value: unknown, source: InputRef): unknown {
    if (typeof value === "number") return this.graph.input(source, true);
    if (value instanceof Float64Array || value instanceof Int32Array)
      return new Numbers(
        Array.from(value, (_, i) => this.graph.input({ ...source, path: [...source.path, i] }, true)),
        source,
      );
    if (Array.isArray(value))
      return value.map((v, i) => this.wrap(v, { ...source, path: [...source.path, i] }));
    if (typeof value === "object" && value !== null) return new Given(this.graph, value, source);
    return value;
  }
}

/** What a variable is called and holds. */
export interface Cell {
  value: unknown;
}

export class Scope {
  private readonly cells = new Map<string, Cell>();
  readonly parent?: Scope;
  readonly self?: unknown;
  constructor(parent?: Scope, self?: unknown) {
    this.parent = parent;
    this.self = self ?? parent?.self;
  }
  declare(name: string, value?: unknown): void {
    this.cells.set(name, { value });
  }
  /** The same names with their values, in cells of their own. */
  again(): Scope {
    const other = new Scope(this.parent, this.self);
    for (const [name, { value }] of this.cells) other.declare(name, value);
    return other;
  }
  find(name: string): Cell | undefined {
    return this.cells.get(name) ?? this.parent?.find(name);
  }
}

/** A function of the source, with what it sees. */
export interface Closure {
  readonly isClosure: true;
  readonly name: string;
  readonly file: string;
  readonly syntax: Syntax;
  readonly scope: Scope;
}
export const isClosure = (v: unknown): v is Closure =>
  typeof v === "object" && v !== null && "isClosure" in v && v.isClosure === true;

/** A class of the source. */
export class ClassOf {
  readonly name: string;
  readonly file: string;
  readonly fields: readonly { readonly name: string; readonly value?: Syntax }[];
  readonly methods: ReadonlyMap<string, Closure>;
  readonly scope: Scope;
  constructor(
    name: string,
    file: string,
    fields: readonly { readonly name: string; readonly value?: Syntax }[],
    methods: ReadonlyMap<string, Closure>,
    scope: Scope,
  ) {
    this.name = name;
    this.file = file;
    this.fields = fields;
    this.methods = methods;
    this.scope = scope;
  }
}
export class Instance {
  readonly type: ClassOf;
  readonly members: Record<string, unknown> = {};
  constructor(type: ClassOf) {
    this.type = type;
  }
}

export const isNode = (v: unknown): v is Node => v instanceof Node;
