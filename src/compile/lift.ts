/** From a model's source to the graph of its equations. */
import { environmentLength } from "../environment/environment.ts";
import type { Model } from "../model/model.ts";
import { Graph, type Node, type Value } from "./graph.ts";
import { type Assumption, Interpreter } from "./interpreter.ts";
import { SOURCES } from "./sources.generated.ts";
import { type Closure, Given, Numbers } from "./values.ts";

/** dx = f(x, u, p, e) as a graph, for one vehicle and those that fulfil the same assumptions. */
export interface Lifted {
  readonly graph: Graph;
  readonly rates: readonly Node[];
  readonly assumptions: readonly Assumption[];
}

type Equations = Readonly<Record<string, Closure>>;

export function lift(model: Model, parameters: unknown, surroundings: Float64Array): Lifted {
  const { source } = model;
  if (source === undefined) throw new Error("no source");
  const graph = new Graph();
  const interpreter = new Interpreter(graph, SOURCES, { p: parameters, e: surroundings });
  const found = interpreter.imported(source.file, source.name);
  const equations = (
    source.arguments ? interpreter.call(found as Closure, source.arguments) : found
  ) as Equations;
  const list = (array: string, length: number, isFixed: (i: number) => boolean = () => false) =>
    new Numbers(Array.from({ length }, (_, i): Value => graph.input({ array, path: [i] }, isFixed(i))));
  const dx = new Numbers(new Array(model.states.length).fill(0));
  interpreter.call(equations.derivative, [
    list("x", model.states.length),
    list("u", model.inputs.length),
    new Given(graph, parameters, { array: "p", path: [] }),
    list("e", environmentLength(model), (i) => i >= model.environment.length),
    dx,
  ]);
  return { graph, rates: dx.cells.map((v) => graph.node(v)), assumptions: interpreter.assumptions };
}
