/**
 * An expression graph: every number that a model computes, once. Equal expressions are one node (hash-consing), constants are
 * folded; nothing is rewritten that could change a bit of the result.
 */

/** What a node does with its arguments. Comparisons, `and`, `or` and `not` give truths, all others numbers. */
export type Op =
  | "constant"
  | "input"
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "neg"
  | "sqrt"
  | "abs"
  | "floor"
  | "min"
  | "max"
  | "binaryExponent"
  | "powerOf2"
  | "lookup"
  | "call"
  | "lt"
  | "le"
  | "eq"
  | "and"
  | "or"
  | "not"
  | "select";

const TRUTHS: ReadonlySet<Op> = new Set(["lt", "le", "eq", "and", "or", "not"]);

/** Where an input comes from: an argument of the equations and a path in it, `x[3]`, `p.I.xx`. */
export interface InputRef {
  readonly array: string;
  readonly path: readonly (string | number)[];
}

/** A branch of the source: selects that were made by the same `if` share it, so that a program can jump over what it does not need. */
export interface Branch {
  readonly id: number;
}

export class Node {
  readonly id: number;
  readonly op: Op;
  readonly args: readonly Node[];
  /** Of a constant its value. */
  readonly value: number;
  /** Of an input where it comes from, of a lookup the list. */
  readonly source?: InputRef;
  /** Of a call the elementary function. */
  readonly name?: string;
  /** Does not change while a vehicle runs: made of parameters and constants alone. */
  readonly isFixed: boolean;
  branch?: Branch;
  /** What the source calls it. */
  label?: string;

  constructor(
    id: number,
    op: Op,
    args: readonly Node[],
    isFixed: boolean,
    { value = Number.NaN, source, name }: { value?: number; source?: InputRef; name?: string } = {},
  ) {
    this.id = id;
    this.op = op;
    this.args = args;
    this.isFixed = isFixed;
    this.value = value;
    this.source = source;
    this.name = name;
  }

  get isTruth(): boolean {
    return TRUTHS.has(this.op);
  }
  get isConstant(): boolean {
    return this.op === "constant";
  }
}

/** A number or truth that may not be known yet. */
export type Value = number | Node;
export type Truth = boolean | Node;

const bits = new DataView(new ArrayBuffer(8));

export class Graph {
  readonly nodes: Node[] = [];
  private readonly known = new Map<string, Node>();
  private branches = 0;

  newBranch(): Branch {
    return { id: this.branches++ };
  }

  private make(
    key: string,
    op: Op,
    args: readonly Node[],
    isFixed: boolean,
    more?: { value?: number; source?: InputRef; name?: string },
  ): Node {
    const old = this.known.get(key);
    if (old !== undefined) return old;
    const node = new Node(this.nodes.length, op, args, isFixed, more);
    this.nodes.push(node);
    this.known.set(key, node);
    return node;
  }

  /** Zeros of both signs are two constants. */
  constant(value: number): Node {
    bits.setFloat64(0, value);
    return this.make(`${bits.getUint32(0)}:${bits.getUint32(4)}`, "constant", [], true, { value });
  }

  input(source: InputRef, isFixed: boolean): Node {
    return this.make(`${source.array}.${source.path.join(".")}`, "input", [], isFixed, { source });
  }

  /** One number of a list, by a place that is computed. */
  lookup(source: InputRef, place: Node): Node {
    const key = `lookup ${source.array}.${source.path.join(".")} ${place.id}`;
    return this.make(key, "lookup", [place], false, { source });
  }

  call(name: string, args: readonly Value[]): Node {
    const nodes = args.map((a) => this.node(a));
    return this.make(
      `${name} ${nodes.map((n) => n.id).join(" ")}`,
      "call",
      nodes,
      nodes.every((n) => n.isFixed),
      { name },
    );
  }

  node(value: Value): Node {
    return typeof value === "number" ? this.constant(value) : value;
  }

  /** Arithmetic and comparisons of numbers; what is known is computed at once. */
  apply(op: Op, ...values: readonly Value[]): Value {
    if (values.every((v) => typeof v === "number")) return compute(op, values as readonly number[]);
    const nodes = values.map((v) => this.node(v));
    // x * 1 and x / 1 are x for every x, signs of zeros and all.
    if ((op === "mul" || op === "div") && values[1] === 1) return values[0];
    if (op === "mul" && values[0] === 1) return values[1];
    // The order of what adds or multiplies does not matter to the result.
    if ((op === "add" || op === "mul") && nodes[0].id > nodes[1].id) nodes.reverse();
    const key = `${op} ${nodes.map((n) => n.id).join(" ")}`;
    return this.make(
      key,
      op,
      nodes,
      nodes.every((n) => n.isFixed),
    );
  }

  compare(op: "lt" | "le" | "eq", a: Value, b: Value): Truth {
    if (typeof a === "number" && typeof b === "number")
      return op === "lt" ? a < b : op === "le" ? a <= b : a === b;
    return this.apply(op, a, b) as Node;
  }

  not(a: Truth): Truth {
    if (typeof a === "boolean") return !a;
    return a.op === "not" ? a.args[0] : (this.apply("not", a) as Node);
  }
  and(a: Truth, b: Truth): Truth {
    if (a === false || b === false) return false;
    if (a === true) return b;
    if (b === true || a === b) return a;
    if (this.not(a) === b) return false;
    return this.apply("and", a, b) as Node;
  }
  or(a: Truth, b: Truth): Truth {
    if (a === true || b === true) return true;
    if (a === false) return b;
    if (b === false || a === b) return a;
    if (this.not(a) === b) return true;
    return this.apply("or", a, b) as Node;
  }

  select(condition: Truth, a: Value, b: Value, branch: Branch = this.newBranch()): Value {
    if (typeof condition === "boolean") return condition ? a : b;
    if (Object.is(a, b)) return a;
    if (condition.op === "not") return this.select(condition.args[0], b, a, branch);
    const [yes, no] = [this.node(a), this.node(b)];
    const before = this.nodes.length;
    const node = this.make(
      `select ${condition.id} ${yes.id} ${no.id}`,
      "select",
      [condition, yes, no],
      condition.isFixed && yes.isFixed && no.isFixed,
    );
    if (node.id >= before) node.branch = branch;
    return node;
  }
}

/** What arithmetic does with numbers that are known. */
export function compute(op: Op, [a, b]: readonly number[]): number {
  switch (op) {
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return a / b;
    case "neg":
      return -a;
    case "sqrt":
      return Math.sqrt(a);
    case "abs":
      return Math.abs(a);
    case "floor":
      return Math.floor(a);
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    default:
      throw new Error(`${op} of constants`);
  }
}
