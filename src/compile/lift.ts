/** From a model's source to the graph of its equations. */
import { environmentLength } from "../environment/environment.ts";
import type { EquationsSource, Model } from "../model/model.ts";
import { evaluator } from "./evaluate.ts";
import { Graph, type Node, type Value } from "./graph.ts";
import { type Assumption, Interpreter } from "./interpreter.ts";
import { Refusal } from "./refusal.ts";
import { SOURCES } from "./sources.generated.ts";
import { type Closure, Given, Numbers } from "./values.ts";

/** dx = f(x, u, p, e) as a graph, for one vehicle and those that fulfil the same assumptions. */
export interface Lifted {
  readonly graph: Graph;
  readonly rates: readonly Node[];
  /** The states after `project`. */
  readonly projected: readonly Node[];
  readonly assumptions: readonly Assumption[];
}

type Equations = Readonly<Record<string, Closure | undefined>>;

/** The file that a function has which was defined at run time. */
const HERE = "the model";

/** Where equations stand: in the project's own source, or in what a function says of itself. */
function sourceOf(model: Model): { source: EquationsSource; sources: Readonly<Record<string, string>> } {
  if (model.source !== undefined) return { source: model.source, sources: SOURCES };
  const methods = Object.entries({ derivative: model.derivative, project: model.project }).flatMap(
    ([name, method]) => {
      if (method === undefined) return [];
      const text = method.toString();
      return [text.startsWith(name) ? text : `${name}: ${text}`];
    },
  );
  // Elementary functions are known by their names.
  const text = `import { acos, asin, atan, atan2, cos, exp, expm1, hypot, log, pow, sin, tan, tanh } from "./math/elementary.ts";
export const EQUATIONS = { ${methods.join(",\n")} };`;
  return { source: { file: HERE, name: "EQUATIONS" }, sources: { ...SOURCES, [HERE]: text } };
}

export function lift(model: Model, parameters: unknown, surroundings: Float64Array): Lifted {
  const { source, sources } = sourceOf(model);
  const graph = new Graph();
  const interpreter = new Interpreter(graph, sources, { p: parameters, e: surroundings });
  const found = interpreter.imported(source.file, source.name);
  const equations = (
    source.arguments ? interpreter.call(found as Closure, source.arguments) : found
  ) as Equations;
  const list = (array: string, length: number, isFixed: (i: number) => boolean = () => false) =>
    new Numbers(Array.from({ length }, (_, i): Value => graph.input({ array, path: [i] }, isFixed(i))));
  const n = model.states.length;
  const given = new Given(graph, parameters, { array: "p", path: [] });
  const dx = new Numbers(new Array(n).fill(0));
  interpreter.call(equations.derivative as Closure, [
    list("x", n),
    list("u", model.inputs.length),
    given,
    list("e", environmentLength(model), (i) => i >= model.environment.length),
    dx,
  ]);
  const x = list("x", n);
  if (equations.project) interpreter.call(equations.project, [x, given]);
  const nodes = ({ cells }: Numbers) => cells.map((v) => graph.node(v));
  return { graph, rates: nodes(dx), projected: nodes(x), assumptions: interpreter.assumptions };
}

/** Whether the graph is that of a vehicle with these parameters in these surroundings, too. */
export function holds({ assumptions }: Lifted, parameters: unknown, surroundings: Float64Array): boolean {
  const valueAt = evaluator({ p: parameters, e: surroundings });
  return assumptions.every(({ condition, holds }) => valueAt(condition) === holds);
}

/** Refuses a graph that is not its function: a name that means something else there, a variable that somebody changes. */
export function verify(
  model: Model,
  { rates }: Lifted,
  x: Float64Array,
  u: Float64Array,
  p: unknown,
  e: Float64Array,
): void {
  const dx = new Float64Array(x.length);
  model.derivative(x, u, p, e, dx);
  const valueAt = evaluator({ x, u, p, e });
  const wrong = rates.findIndex((node, i) => !Object.is(valueAt(node), dx[i]));
  if (wrong >= 0)
    throw new Refusal(
      model.source?.file ?? HERE,
      1,
      `the rate of ${model.states[wrong].name} follows from more than the source says`,
      "compute it from x, u, p, e and the functions of src/math alone",
    );
}
