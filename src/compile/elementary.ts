/**
 * The elementary functions of src/math as a graph sees them: one node each while it is differentiated, by the rules here; followed
 * like any other source when code is made of it. A new function needs its line in NATIVE and its rule in RULES.
 */

import { binaryExponent, powerOf2 } from "../math/bits.ts";
import * as math from "../math/elementary.ts";
import type { Graph, Node, Value } from "./graph.ts";

const { acos, asin, atan, atan2, cos, exp, expm1, hypot, log, pow, sin, tan, tanh } = math;

export const NATIVE: Readonly<Record<string, (...args: number[]) => number>> = {
  ...{ acos, asin, atan, atan2, cos, exp, expm1, hypot, log, pow, sin, tan, tanh },
};

/** Functions that write two results side by side. */
export const PAIRS: Readonly<Record<string, readonly [string, string]>> = { cosSin: ["cos", "sin"] };

/** Below the elementary functions: operations on the bits of a number. */
export const PRIMITIVES: Readonly<Record<string, (a: number) => number>> = { binaryExponent, powerOf2 };

type Rule = (g: Graph, args: readonly Node[], self: Node) => readonly Value[];

const mul = (g: Graph, a: Value, b: Value) => g.apply("mul", a, b);
const div = (g: Graph, a: Value, b: Value) => g.apply("div", a, b);
const add = (g: Graph, a: Value, b: Value) => g.apply("add", a, b);
const sub = (g: Graph, a: Value, b: Value) => g.apply("sub", a, b);
const neg = (g: Graph, a: Value) => g.apply("neg", a);
const sqrt = (g: Graph, a: Value) => g.apply("sqrt", a);
/** b/a, and 0 at the tips of cones and the ends of ranges, where a is 0 and no slope is better than another. */
const over = (g: Graph, b: Value, a: Value) => g.select(g.compare("eq", a, 0), 0, div(g, b, a));
/** sqrt(1 - x^2). */
const side = (g: Graph, x: Value) => sqrt(g, mul(g, sub(g, 1, x), add(g, 1, x)));

/** Derivatives by each argument. */
export const RULES: Readonly<Record<string, Rule>> = {
  sin: (g, [x]) => [g.call("cos", [x])],
  cos: (g, [x]) => [neg(g, g.call("sin", [x]))],
  tan: (g, _, self) => [add(g, 1, mul(g, self, self))],
  asin: (g, [x]) => [over(g, 1, side(g, x))],
  acos: (g, [x]) => [over(g, -1, side(g, x))],
  atan: (g, [x]) => [div(g, 1, add(g, 1, mul(g, x, x)))],
  atan2: (g, [y, x]) => {
    const square = add(g, mul(g, x, x), mul(g, y, y));
    return [over(g, x, square), neg(g, over(g, y, square))];
  },
  exp: (_, __, self) => [self],
  expm1: (g, _, self) => [add(g, self, 1)],
  log: (g, [x]) => [div(g, 1, x)],
  tanh: (g, _, self) => [sub(g, 1, mul(g, self, self))],
  hypot: (g, [x, y], self) => [over(g, x, self), over(g, y, self)],
  pow(g, [x, y], self) {
    const byBase = mul(g, y, g.call("pow", [x, sub(g, y, 1)]));
    const byExponent = mul(g, self, g.call("log", [x]));
    return [g.select(g.compare("eq", y, 0), 0, byBase), g.select(g.compare("eq", self, 0), 0, byExponent)];
  },
};
