/**
 * A graph as JavaScript: straight-line code with the branches that are worth a jump. A side of a branch that is long becomes a function of
 * its own, because V8 never optimises a function beyond a certain size (60 kB of its bytecode), nor what it holds.
 */
import { binaryExponent, powerOf2 } from "../math/bits.ts";
import { NATIVE } from "./elementary.ts";
import type { Graph, InputRef, Node } from "./graph.ts";
import { type Fork, isFork, type Region, type Schedule, schedule } from "./schedule.ts";

/** Sides cheaper than this are computed in any case. */
const WORTH = 12;
/** Expressions nest no deeper than this. */
const DEEPEST = 12;
/** A side with more nodes than this is a function of its own. */
const LONG = 150;

const SYMBOLS: Readonly<Record<string, string>> = {
  ...{ add: "+", sub: "-", mul: "*", div: "/", lt: "<", le: "<=", eq: "===", and: "&&", or: "||" },
};

function literal(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (Number.isFinite(value)) return value < 0 ? `(${value})` : String(value);
  return `(${Number.isNaN(value) ? 0 : value > 0 ? 1 : -1} / 0)`;
}

const access = ({ array, path }: InputRef) =>
  array + path.map((key) => (/^\d+$/.test(String(key)) ? `[${key}]` : `.${key}`)).join("");

/** What a node is called, for code that is read. */
export type Names = (node: Node) => string | undefined;

/** A function in pieces: its body, those that it calls, and how many numbers they hand to each other in a list `s`. */
export interface Javascript {
  readonly parameters: string;
  readonly shared: number;
  readonly functions: readonly string[];
  readonly body: readonly string[];
}

/** A function (x, u, p, e, out) which writes each root to its target, `out[3]`. */
export function javascriptOf(
  graph: Graph,
  parameters: string,
  outputs: readonly (readonly [target: string, root: Node])[],
  names: Names = () => undefined,
): Javascript {
  const plan = schedule(
    graph,
    outputs.map(([, root]) => root),
    WORTH,
    (node) => node.isConstant,
  );
  const program: Program = {
    plan,
    parameters,
    functions: [],
    shared: 0,
    names,
    used: new Set([...parameters.split(", "), "s", "Math", ...Object.keys(NATIVE)]),
  };
  const writer = new Writer(program);
  writer.region(plan.root, " ");
  for (const [target, root] of outputs) writer.lines.push(` ${target} = ${writer.of(root)};`);
  return { parameters, shared: program.shared, functions: program.functions, body: writer.lines };
}

/** Code that makes the function. */
export const textOf = ({ parameters, shared, functions, body }: Javascript): string =>
  [
    `"use strict";`,
    `const s = new Float64Array(${shared});`,
    ...functions,
    `return function (${parameters}) {`,
    ...body,
    "};",
  ].join("\n");

/** Makes a function of such code. */
export function functionOf<F>(code: string): F {
  return new Function("binaryExponent", "powerOf2", code)(binaryExponent, powerOf2) as F;
}

interface Program {
  readonly plan: Schedule;
  readonly parameters: string;
  readonly functions: string[];
  readonly names: Names;
  /** Names that are taken. */
  readonly used: Set<string>;
  /** Numbers that functions hand to each other. */
  shared: number;
}

class Writer {
  readonly lines: string[] = [];
  private readonly program: Program;
  /** What stands for a node: its name, or an expression that is used once. */
  private readonly words = new Map<Node, { readonly text: string; readonly depth: number }>();

  constructor(program: Program) {
    this.program = program;
  }

  of(node: Node): string {
    if (node.isConstant) return literal(node.value);
    const known = this.words.get(node);
    if (known !== undefined) return known.text;
    // An input that an outer function has read, too.
    return access(node.source as InputRef);
  }

  region(region: Region, indent: string): void {
    for (const item of region.items)
      if (isFork(item)) this.fork(item, indent);
      else this.node(item, indent);
  }

  private fork({ condition, selects, yes, no }: Fork, indent: string): void {
    this.lines.push(
      `${indent}let ${selects.map((s) => `t${s.id}`).join(", ")};`,
      `${indent}if (${this.of(condition)}) {`,
    );
    this.side(yes, selects, 1, `${indent} `);
    this.lines.push(`${indent}} else {`);
    this.side(no, selects, 2, `${indent} `);
    this.lines.push(`${indent}}`);
    for (const s of selects) this.words.set(s, { text: `t${s.id}`, depth: 0 });
  }

  private side(region: Region, selects: readonly Node[], side: number, indent: string): void {
    if (lengthOf(region) > LONG) this.apart(region, selects, side, indent);
    else {
      this.region(region, indent);
      for (const s of selects) this.lines.push(`${indent}t${s.id} = ${this.of(s.args[side])};`);
    }
  }

  /** A side as a function of its own: what it needs and what it gives lie in a list that all share. */
  private apart(region: Region, selects: readonly Node[], side: number, indent: string): void {
    const { program } = this;
    const needs = [...needsOf(region, selects, side)];
    const first = program.shared;
    const gives = first + needs.length;
    program.shared = gives + selects.length;
    const inside = new Writer(program);
    needs.forEach((node, i) => {
      inside.lines.push(` const t${node.id} = s[${first + i}]${node.isTruth ? " === 1" : ""};`);
      inside.words.set(node, { text: `t${node.id}`, depth: 0 });
      this.lines.push(`${indent}s[${first + i}] = ${this.of(node)}${node.isTruth ? " ? 1 : 0" : ""};`);
    });
    inside.region(region, " ");
    selects.forEach((s, i) => {
      inside.lines.push(` s[${gives + i}] = ${inside.of(s.args[side])};`);
    });
    const name = `side${first}`;
    program.functions.push(`function ${name}(${program.parameters}) {`, ...inside.lines, "}");
    this.lines.push(`${indent}${name}(${program.parameters});`);
    selects.forEach((s, i) => {
      this.lines.push(`${indent}t${s.id} = s[${gives + i}];`);
    });
  }

  private node(node: Node, indent: string): void {
    const { plan, names } = this.program;
    const text = this.expression(node);
    const depth = 1 + Math.max(0, ...node.args.map((arg) => this.words.get(arg)?.depth ?? 0));
    const given = names(node);
    const isInline = plan.usesOf(node) === 1 && depth < DEEPEST && node.op !== "input" && given === undefined;
    if (isInline) this.words.set(node, { text: `(${text})`, depth });
    else {
      const name = given === undefined ? `t${node.id}` : this.unique(given, node);
      this.lines.push(`${indent}const ${name} = ${text};`);
      this.words.set(node, { text: name, depth: 0 });
    }
  }

  private unique(name: string, { id }: Node): string {
    const { used } = this.program;
    // Those that this file makes up look like t12 and side12.
    const free = used.has(name) || /^(t|side)\d+$/.test(name) ? `${name}_${id}` : name;
    used.add(free);
    return free;
  }

  private expression({ op, args, source, name }: Node): string {
    const words = args.map((arg) => this.of(arg));
    const [a, b, c] = words;
    const symbol = SYMBOLS[op];
    if (symbol !== undefined) return `${a} ${symbol} ${b}`;
    switch (op) {
      case "input":
        return access(source as InputRef);
      case "lookup":
        return `${access(source as InputRef)}[${a}]`;
      case "call":
        return `${name}(${words.join(", ")})`;
      case "neg":
        return `-${a}`;
      case "not":
        return `!${a}`;
      case "select":
        return `${a} ? ${b} : ${c}`;
      case "binaryExponent":
      case "powerOf2":
        return `${op}(${a})`;
      case "min":
      case "max":
        return `Math.${op}(${a}, ${b})`;
      default:
        return `Math.${op}(${a})`;
    }
  }
}

function lengthOf(region: Region): number {
  let length = 0;
  for (const item of region.items) length += isFork(item) ? 1 + lengthOf(item.yes) + lengthOf(item.no) : 1;
  return length;
}

/** Nodes that a side uses and does not compute. */
function needsOf(region: Region, selects: readonly Node[], side: number): Set<Node> {
  const own = new Set<Node>();
  const used = new Set<Node>();
  const walk = ({ items }: Region) => {
    for (const item of items)
      if (isFork(item)) {
        used.add(item.condition);
        walk(item.yes);
        walk(item.no);
        for (const s of item.selects) {
          own.add(s);
          used.add(s.args[1]).add(s.args[2]);
        }
      } else {
        own.add(item);
        for (const arg of item.args) used.add(arg);
      }
  };
  walk(region);
  for (const s of selects) used.add(s.args[side]);
  return new Set([...used].filter((node) => !own.has(node) && !node.isConstant && node.op !== "input"));
}
