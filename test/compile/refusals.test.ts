/** What the compiler does not understand it refuses, with the place and what to write instead. */
import { describe, expect, it } from "vitest";
import { evaluator } from "../../src/compile/evaluate.ts";
import { Graph } from "../../src/compile/graph.ts";
import { Interpreter } from "../../src/compile/interpreter.ts";
import { type Closure, Given, Numbers } from "../../src/compile/values.ts";

/** Follows a function f(x, p) of this text, with x unknown and p = { k: 2, list: [1, 2, 3] }. */
function followed(body: string): { graph: Graph; dx: Numbers } {
  const graph = new Graph();
  const p = { k: 2, list: Float64Array.of(1, 2, 3) };
  const interpreter = new Interpreter(graph, { "f.ts": `export function f(x, p, dx) {\n${body}\n}` }, { p });
  const x = new Numbers([0, 1].map((i) => graph.input({ array: "x", path: [i] }, false)));
  const dx = new Numbers([0]);
  interpreter.call(interpreter.imported("f.ts", "f") as Closure, [
    x,
    new Given(graph, p, { array: "p", path: [] }),
    dx,
  ]);
  return { graph, dx };
}
const follow = (body: string): Graph => followed(body).graph;

describe("refused, with file, line and advice:", () => {
  it.each([
    [
      "a loop that turns by the state",
      "for (let i = 0; i < x[0]; i++) dx[0] = i;",
      "f.ts:2: the number of iterations of a loop depends on the state; give it a fixed count and break from it",
    ],
    ["while", "let i = 0;\nwhile (i < 3) i++;", "f.ts:3: WhileStatement is not understood"],
    [
      "Math.sin",
      "dx[0] = Math.sin(x[0]);",
      "f.ts:2: Math.sin is not understood; sqrt, abs, floor, min and max are; others stand in src/math/elementary.ts",
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
      "f.ts:4: value has values of different kinds on the two sides of a condition; choose between numbers only",
    ],
    ["other objects", "dx[0] = new Date().getTime();", "f.ts:2: Date is not known here"],
    ["powers", "dx[0] = x[0] ** 2;", "f.ts:2: ** of numbers that are not known"],
    ["what is no JavaScript", "dx[0] = ;", "f.ts:2: cannot be read"],
  ])("%s", (_what, body, message) => {
    expect(() => follow(body)).toThrow(message);
  });
});

describe("refused rather than followed wrongly:", () => {
  it.each([
    ["searching", "dx[0] = x.some((v) => v > 0) ? 1 : 0;", "some of numbers that are not known"],
    ["looking for a number", "dx[0] = x.includes(1) ? 1 : 0;", "includes of numbers that are not known"],
    ["sorting", "x.sort();", "sort of numbers that are not known"],
    [
      "asking about a number",
      "dx[0] = Number.isNaN(x[0]) ? 0 : x[0];",
      "isNaN of numbers that are not known",
    ],
    ["chance", "dx[0] = Math.random();", "Math.random is not understood"],
    [
      "changing a list under a condition",
      "const a = [1];\nif (x[0] > 0) a.push(2);\ndx[0] = a.length;",
      "push is called under a condition",
    ],
    [
      "changing a map under a condition",
      "const m = new Map();\nif (x[0] > 0) m.set(1, 2);\ndx[0] = m.size;",
      "set is called under a condition",
    ],
    ["filling a table of parameters", "p.list.fill(1);", "the called value is not a function"],
    ["var", "for (var i = 0; i < 2; i++) dx[0] = i;", "var reaches beyond its block"],
    ["a loop over an outer variable", "let v = 0;\nfor (v of [1, 2]) dx[0] = v;", "declare it in the loop"],
    ["writing to a table of parameters", "p.list[0] = 1;", "parameters are written to"],
    [
      "a result on some ways only",
      "const f = (v) => { if (v > 0) return v; };\ndx[0] = f(x[0]);",
      "a function returns a number on some of its paths only",
    ],
    ["a loop without end", "for (;;) { if (x[0] > 0) break; }", "a loop has no end"],
  ])("%s", (_what, body, message) => {
    expect(() => follow(body)).toThrow(message);
  });

  it("what a file does when it is loaded", () => {
    const text = "export const T = [0];\nT[0] = 5;\nexport function f() { return T[0]; }";
    const interpreter = new Interpreter(new Graph(), { "f.ts": text }, {});
    expect(() => interpreter.imported("f.ts", "f")).toThrow(
      "f.ts:2: the file has statements with effects at load time",
    );
  });
});

/** What the language does with x = (5, 7): the graph says the same. */
describe("followed as the language does:", () => {
  it.each([
    "let k = 0;\ndx[k++] = x[k];",
    "let k = 0;\ndx[k++] += x[0];",
    "let s = 1;\nconst f = () => { s = 10; return 5; };\ns += f();\ndx[0] = s;",
    "let a;\nif (x[0] > 6) a = x[1];\ndx[0] = a;",
    "dx[0] = 1 / (x[0] < 0 ? -0 : 0);",
    "dx[5] = 99;\ndx[0] = x[0];",
    "const fs = [];\nfor (let i = 0; i < 2; i++) fs.push(() => x[i]);\ndx[0] = fs[0]();",
    "const t = new Float64Array(3);\nt.fill(x[0], 0, p.k);\ndx[0] = t[0] + t[1] + t[2];",
    "const t = new Float64Array(2);\nt.fill(x[0], -1, 9);\ndx[0] = t[0] + t[1] + t.length;",
    "dx[0] = p.list[Math.floor(x[0])];",
    "dx[0] = p.list[x[0] - 4.5];",
    "dx[0] = p.list[x[0] - 3];",
    "dx[0] = p.list[x[0] > 0 ? 7 : 0];",
    "dx[0] = [...x].slice(p.k - 1)[0];",
    "let s = 0;\nfor (let i = 0; i < 2; i++) { if (x[i] > 6) break; s += x[i]; }\ndx[0] = s;",
  ])("%s", (body) => {
    const p = { k: 2, list: Float64Array.of(1, 2, 3) };
    const x = Float64Array.of(5, 7);
    const plain = new Float64Array(1);
    new Function("x", "p", "dx", body)(x, p, plain);
    const { dx } = followed(body);
    const node = dx.cells[0];
    expect(typeof node === "number" ? node : evaluator({ x, p })(node)).toBe(plain[0]);
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
