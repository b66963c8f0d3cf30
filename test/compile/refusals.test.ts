/** What the compiler does not understand it refuses, with the place and what to write instead. */
import { describe, expect, it } from "vitest";
import { Graph } from "../../src/compile/graph.ts";
import { Interpreter } from "../../src/compile/interpreter.ts";
import { type Closure, Given, Numbers } from "../../src/compile/values.ts";

/** Follows a function f(x, p) of this text, with x unknown and p = { k: 2, list: [1, 2, 3] }. */
function follow(body: string): Graph {
  const graph = new Graph();
  const p = { k: 2, list: Float64Array.of(1, 2, 3) };
  const interpreter = new Interpreter(graph, { "f.ts": `export function f(x, p, dx) {\n${body}\n}` }, { p });
  const x = new Numbers([0, 1].map((i) => graph.input({ array: "x", path: [i] }, false)));
  interpreter.call(interpreter.imported("f.ts", "f") as Closure, [
    x,
    new Given(graph, p, { array: "p", path: [] }),
    new Numbers([0]),
  ]);
  return graph;
}

describe("refused, with file, line and advice:", () => {
  it.each([
    [
      "a loop that turns by the state",
      "for (let i = 0; i < x[0]; i++) dx[0] = i;",
      "f.ts:2: how often a loop turns depends on the state; give it a fixed count and break from it",
    ],
    ["while", "let i = 0;\nwhile (i < 3) i++;", "f.ts:3: WhileStatement is not understood"],
    [
      "Math.sin",
      "dx[0] = Math.sin(x[0]);",
      "f.ts:2: Math.sin has other bits in other engines; import it from src/math/elementary.ts",
    ],
    [
      "bits of a number",
      "dx[0] = x[0] | 0;",
      "f.ts:2: | of numbers that are not known; use + - * / and comparisons; Math.floor instead of bits",
    ],
    [
      "a place by the state",
      "const a = [1, 2];\ndx[0] = a[Math.floor(x[0])];",
      "f.ts:3: a place in a list depends on the state; make it depend on parameters only",
    ],
    [
      "writing at a place by the state",
      "dx[Math.floor(x[0])] = 1;",
      "f.ts:2: a place that is written to depends on the state; make it depend on parameters only",
    ],
    [
      "writing to parameters",
      "p.k = x[0];",
      "f.ts:2: parameters are written to; compute what follows from them in `derive`",
    ],
    [
      "an unknown name",
      "dx[0] = somewhere(x[0]);",
      "f.ts:2: somewhere is not known here; import it, or pass it in",
    ],
    [
      "a number as a condition",
      "if (x[0]) dx[0] = 1;",
      "f.ts:2: a number is used as a condition; compare it with something",
    ],
    [
      "one object or another",
      "const a = { v: 1 };\nconst b = { v: 2 };\nconst c = x[0] < 0 ? a : b;\ndx[0] = c.v;",
      "f.ts:4: value would be one thing or another; choose between numbers only",
    ],
    ["other objects", "dx[0] = new Date().getTime();", "f.ts:2: Date is not known here"],
    ["powers", "dx[0] = x[0] ** 2;", "f.ts:2: ** of numbers that are not known"],
    ["what is no JavaScript", "dx[0] = ;", "f.ts:2: cannot be read"],
  ])("%s", (_what, body, message) => {
    expect(() => follow(body)).toThrow(message);
  });
});

it("understood: loops of fixed count, early exits, switches of parameters, tables, helpers, destructuring", () => {
  const graph = follow(`
    const half = (v) => 0.5 * v;
    const { k, list } = p;
    let sum = 0;
    for (let i = 0; i < k; i++) { if (x[i] < 0) continue; sum += half(x[i]); if (sum > 3) break; }
    if (k === 2 && list.length === 3) sum += list[Math.floor(x[1])];
    dx[0] = sum;`);
  expect(graph.nodes.some((node) => node.op === "lookup")).toBe(true);
});
