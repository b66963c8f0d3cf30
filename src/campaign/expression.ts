/** Expressions over named numbers: `hypot(north, east) > 50 and not missing(landing)`. */
import { atan2, cos, exp, hypot, log, pow, sin, tan } from "../math/elementary.ts";
import { closest } from "../model/input-error.ts";

/** Its value with the numbers in a row; truths are 1 and 0. */
export type Evaluate = (row: ArrayLike<number>) => number;

export interface Expression {
  readonly evaluate: Evaluate;
  /** Names it reads. */
  readonly names: readonly string[];
}

/** What is wrong with an expression. */
export class ExpressionError extends Error {}

const FUNCTIONS: Readonly<Record<string, readonly [arguments: number, (...a: number[]) => number]>> = {
  abs: [1, Math.abs],
  sqrt: [1, Math.sqrt],
  floor: [1, Math.floor],
  sin: [1, sin],
  cos: [1, cos],
  tan: [1, tan],
  exp: [1, exp],
  log: [1, log],
  atan2: [2, atan2],
  hypot: [2, hypot],
  min: [2, Math.min],
  max: [2, Math.max],
  missing: [1, (v) => (Number.isNaN(v) ? 1 : 0)],
};
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, deg: Math.PI / 180, rpm: Math.PI / 30 };
const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][\w.]*)|(<=|>=|==|!=|[-+*/^<>(),]))/y;
const DEEPEST = 100;

type Operator = (a: number, b: number) => number;
/** What cannot be decided, because a number is missing, is NaN: neither true nor false. */
const compared =
  (holds: (a: number, b: number) => boolean): Operator =>
  (a, b) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : holds(a, b) ? 1 : 0;
/** Binding the weakest first. */
const LEVELS: readonly Readonly<Record<string, Operator>>[] = [
  { or: (a, b) => (a > 0 || b > 0 ? 1 : a <= 0 && b <= 0 ? 0 : Number.NaN) },
  { and: (a, b) => (a <= 0 || b <= 0 ? 0 : a > 0 && b > 0 ? 1 : Number.NaN) },
  {
    "<": compared((a, b) => a < b),
    "<=": compared((a, b) => a <= b),
    ">": compared((a, b) => a > b),
    ">=": compared((a, b) => a >= b),
    "==": compared((a, b) => a === b),
    "!=": compared((a, b) => a !== b),
  },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => a / b },
];

const COMPARISONS = 2;

/** `known` are the names of a row, in its order. */
export function parseExpression(text: string, known: readonly string[]): Expression {
  const tokens = tokensOf(text);
  const names = new Set<string>();
  let at = 0;
  let depth = 0;
  const fail = (problem: string): never => {
    throw new ExpressionError(problem);
  };
  const expect = (token: string) => {
    if (tokens[at++] !== token)
      fail(`"${token}" is missing ${at > tokens.length ? "at the end" : `before "${tokens[at - 1]}"`}`);
  };
  function level(i: number): Evaluate {
    if (i === LEVELS.length) return unary();
    const first = level(i + 1);
    // From left to right in a loop: ten thousand terms are no ten thousand calls deep.
    const rest: (readonly [(a: number, b: number) => number, Evaluate])[] = [];
    while (Object.hasOwn(LEVELS[i], tokens[at] ?? "")) {
      rest.push([LEVELS[i][tokens[at++]], level(i + 1)]);
      if (i === COMPARISONS && Object.hasOwn(LEVELS[i], tokens[at] ?? ""))
        fail("comparisons cannot be chained; write a < b and b < c");
    }
    if (rest.length === 0) return first;
    return (row) => {
      let v = first(row);
      for (const [operator, of] of rest) v = operator(v, of(row));
      return v;
    };
  }
  function unary(): Evaluate {
    if (++depth > DEEPEST) fail("is nested too deeply");
    try {
      if (tokens[at] === "-") {
        at++;
        const of = unary();
        return (row) => -of(row);
      }
      if (tokens[at] === "not") {
        at++;
        // As far as a comparison: `not a > b` is `not (a > b)`.
        const of = level(COMPARISONS);
        return (row) => {
          const v = of(row);
          return Number.isNaN(v) ? v : v > 0 ? 0 : 1;
        };
      }
      const base = primary();
      if (tokens[at] !== "^") return base;
      at++;
      const exponent = unary();
      return (row) => pow(base(row), exponent(row));
    } finally {
      depth--;
    }
  }
  function primary(): Evaluate {
    const token = tokens[at++];
    if (token === undefined) return fail("ends too early");
    if (token === "(") {
      const inside = level(0);
      expect(")");
      return inside;
    }
    if (/^[\d.]/.test(token)) {
      const value = Number(token);
      return () => value;
    }
    if (!/^[A-Za-z_]/.test(token)) return fail(`"${token}" is not expected there`);
    if (tokens[at] === "(") return called(token);
    const place = known.indexOf(token);
    if (place >= 0) {
      names.add(token);
      return (row) => row[place];
    }
    if (Object.hasOwn(CONSTANTS, token)) return () => CONSTANTS[token];
    const near = closest(token, known);
    return fail(`unknown name "${token}"${near ? `; did you mean "${near}"?` : ""}`);
  }
  function called(name: string): Evaluate {
    if (!Object.hasOwn(FUNCTIONS, name))
      return fail(`there is no function "${name}"; known: ${Object.keys(FUNCTIONS).join(", ")}`);
    const [count, f] = FUNCTIONS[name];
    expect("(");
    const args = [level(0)];
    while (tokens[at] === ",") {
      at++;
      args.push(level(0));
    }
    expect(")");
    if (args.length !== count) return fail(`${name} takes ${count === 1 ? "one number" : "two numbers"}`);
    const [a, b] = args;
    return count === 1 ? (row) => f(a(row)) : (row) => f(a(row), b(row));
  }
  const evaluate = level(0);
  if (at < tokens.length) {
    const isUnit = /^[\d.]/.test(tokens[at - 1]) && /^[A-Za-z]/.test(tokens[at]);
    fail(
      `"${tokens[at]}" is not expected there${isUnit ? `; numbers are SI: write ${tokens[at - 1]}, or ${tokens[at - 1]} * deg` : ""}`,
    );
  }
  return { evaluate, names: [...names] };
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const before = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new ExpressionError(`"${text.slice(before).trim()[0]}" is not understood`);
    tokens.push(match[1] ?? match[2] ?? match[3]);
  }
  return tokens;
}
