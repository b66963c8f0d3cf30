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

/** Below the elementary functions: what the machine does with the bits of a number. */
export const PRIMITIVES: Readonly<Record<string, (a: number) => number>> = { binaryExponent, powerOf2 };

type Rule = (g: Graph, args: readonly Node[], self: Node) => readonly Value[];

const mul = (g: Graph, a: Value, b: Value) => g.apply("mul", a, b);
const div = (g: Graph, a: Value, b: Value) => g.apply("div", a, b);
const add = (g: Graph, a: Value, b: Value) => g.apply("add", a, b);
const sub = (g: Graph, a: Value, b: Value) => g.apply("sub", a, b);
const neg = (g: Graph, a: Value) => g.apply("neg", a);
const sqrt = (g: Graph, a: Value) => g.apply("sqrt", a);

/** Derivatives by each argument. */
export const RULES: Readonly<Record<string, Rule>> = {
  sin: (g, [x]) => [g.call("cos", [x])],
  cos: (g, [x]) => [neg(g, g.call("sin", [x]))],
  tan: (g, _, self) => [add(g, 1, mul(g, self, self))],
  asin: (g, [x]) => [div(g, 1, sqrt(g, mul(g, sub(g, 1, x), add(g, 1, x))))],
  acos: (g, [x]) => [div(g, -1, sqrt(g, mul(g, sub(g, 1, x), add(g, 1, x))))],
  atan: (g, [x]) => [div(g, 1, add(g, 1, mul(g, x, x)))],
  atan2: (g, [y, x]) => {
    const per = div(g, 1, add(g, mul(g, x, x), mul(g, y, y)));
    return [mul(g, x, per), neg(g, mul(g, y, per))];
  },
  exp: (_, __, self) => [self],
  expm1: (g, _, self) => [add(g, self, 1)],
  log: (g, [x]) => [div(g, 1, x)],
  tanh: (g, _, self) => [sub(g, 1, mul(g, self, self))],
  hypot: (g, [x, y], self) => {
    const per = div(g, 1, self);
    return [mul(g, x, per), mul(g, y, per)];
  },
  pow: (g, [x, y], self) => {
    const byBase = mul(g, y, g.call("pow", [x, sub(g, y, 1)]));
    return [byBase, mul(g, self, g.call("log", [x]))];
  },
};
