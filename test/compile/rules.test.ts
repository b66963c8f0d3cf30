/** The derivative of every elementary function and operation, beside differences, and where there is no slope. */
import { expect, it } from "vitest";
import { slopeOf } from "../../src/analysis/differences.ts";
import { differentiate } from "../../src/compile/differentiate.ts";
import { NATIVE, RULES } from "../../src/compile/elementary.ts";
import { evaluator } from "../../src/compile/evaluate.ts";
import { expand } from "../../src/compile/expand.ts";
import { Graph, type Node } from "../../src/compile/graph.ts";
import { stream } from "../../src/math/random.ts";

/** Value and derivatives by both arguments. */
function at(make: (g: Graph, x: Node, y: Node) => Node, point: readonly number[]): number[] {
  const graph = new Graph();
  const seeds = [0, 1].map((i) => graph.input({ array: "x", path: [i] }, false));
  const root = make(graph, seeds[0], seeds[1]);
  const value = evaluator({ x: point });
  const slopes = [0, 0];
  for (const { column, node } of differentiate(graph, [root], seeds)) slopes[column] = value(node) as number;
  return [value(root) as number, ...slopes];
}

const OPERATIONS: Record<string, (g: Graph, x: Node, y: Node) => Node> = {
  add: (g, x, y) => g.node(g.apply("add", x, y)),
  sub: (g, x, y) => g.node(g.apply("sub", x, y)),
  mul: (g, x, y) => g.node(g.apply("mul", x, y)),
  div: (g, x, y) => g.node(g.apply("div", x, y)),
  neg: (g, x) => g.node(g.apply("neg", x)),
  sqrt: (g, x) => g.node(g.apply("sqrt", x)),
  abs: (g, x) => g.node(g.apply("abs", x)),
  min: (g, x, y) => g.node(g.apply("min", x, y)),
  max: (g, x, y) => g.node(g.apply("max", x, y)),
  select: (g, x, y) => g.node(g.select(g.compare("lt", x, y), g.apply("mul", x, x), g.apply("mul", 3, y))),
  ...Object.fromEntries(
    Object.keys(RULES).map((name) => [
      name,
      (g: Graph, x: Node, y: Node) => g.call(name, NATIVE[name].length === 2 ? [x, y] : [x]),
    ]),
  ),
};

it("every elementary function has a rule", () => {
  expect(Object.keys(RULES).sort()).toEqual(Object.keys(NATIVE).sort());
});

it.each(Object.keys(NATIVE))("%s taken apart is itself, bit for bit", (name) => {
  const graph = new Graph();
  const inputs = [0, 1].map((i) => graph.input({ array: "x", path: [i] }, false));
  const { roots } = expand(graph, [graph.call(name, inputs.slice(0, NATIVE[name].length))]);
  const random = stream(4, name);
  const special = [
    0,
    -0,
    1,
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e-320,
    1e300,
  ];
  for (let i = 0; i < 400; i++) {
    const size = 10 ** (i % 7) / 1000;
    const draw = (k: number) =>
      i < 100 ? special[(k === 0 ? i : Math.floor(i / 10)) % 10] : size * (2 * random.uniform(2 * i + k) - 1);
    const x = [draw(0), draw(1)];
    expect(evaluator({ x })(roots[0]), `${x}`).toBe(NATIVE[name](...x.slice(0, NATIVE[name].length)));
  }
});

it.each(Object.keys(OPERATIONS))("%s", (name) => {
  const random = stream(3, name);
  for (let i = 0; i < 50; i++) {
    // Positive where logarithms and roots are taken, below one for arcs.
    const point = [0.05 + 0.9 * random.uniform(2 * i), 0.05 + 0.9 * random.uniform(2 * i + 1)];
    const [, ...slopes] = at(OPERATIONS[name], point);
    slopes.forEach((slope, k) => {
      const { value, isKinked } = slopeOf(
        (d, out) => {
          out[0] = at(OPERATIONS[name], point.with(k, point[k] + d))[0];
        },
        1,
        1e-3,
        0,
      );
      if (!isKinked) expect(Math.abs(slope - value[0])).toBeLessThan(1e-8 * (1 + Math.abs(slope)));
    });
  }
});

it.each([
  ["sqrt", [0, 0], [0, 0, 0]],
  ["hypot", [0, 0], [0, 0, 0]],
  ["atan2", [0, 0], [0, 0, -0]],
  ["asin", [1, 0], [Math.PI / 2, 0, 0]],
  ["pow", [0, 2], [0, 0, 0]],
  ["pow", [0, 0], [1, 0, Number.NEGATIVE_INFINITY]],
  ["hypot", [1e-310, 0], [1e-310, 1, 0]],
  ["sqrt", [-1, 0], [Number.NaN, Number.NaN, 0]],
])("%s at %j", (name, point, expected) => {
  expect(at(OPERATIONS[name], point)).toEqual(expected);
});
