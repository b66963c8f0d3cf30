/** From a model's source to the graph of its equations. */
import { environmentLength } from "../environment/environment.ts";
import { stream } from "../math/random.ts";
import type { EquationsSource, Model } from "../model/model.ts";
import { NATIVE } from "./elementary.ts";
import { evaluator } from "./evaluate.ts";
import { reachable } from "./expand.ts";
import { Graph, type Node, type Value } from "./graph.ts";
import { type Assumption, Interpreter } from "./interpreter.ts";
import { SOURCES } from "./sources.generated.ts";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";
import { type Closure, Given, Numbers } from "./values.ts";

/** dx = f(x, u, p, e) as a graph, for one vehicle and those that fulfil the same assumptions. */
export interface TracedModel {
  /** Models whose functions it is. */
  readonly proven: WeakSet<Model>;
  readonly model: Model;
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
      // A method has its name before its parameters, anything else is an expression.
      const isMethod = /^(async\s+)?[\w$]+\s*\(/.test(text) && !text.startsWith("function");
      return [`${name}: ${isMethod ? text.replace(/^[\w$]+/, "function ") : text}`];
    },
  );
  // Elementary functions are known by their names. On one line, so that lines are counted as the functions do.
  const names = Object.keys(NATIVE).join(", ");
  const text = `import { ${names} } from "./math/elementary.ts"; export const EQUATIONS = { ${methods.join(",\n")} };`;
  return { source: { file: HERE, name: "EQUATIONS" }, sources: { ...SOURCES, [HERE]: text } };
}

/** Traces the equations of a model, and verifies that the graph reproduces its functions. */
export function trace(model: Model, parameters: unknown, surroundings: Float64Array): TracedModel {
  try {
    const lifted = follow(model, parameters, surroundings);
    verify(model, lifted, parameters, surroundings);
    lifted.proven.add(model);
    return lifted;
  } catch (error) {
    if (error instanceof UnsupportedSyntax) throw error;
    throw new UnsupportedSyntax(
      model.source?.file ?? HERE,
      1,
      `cannot be traced: ${error}`,
      "write it more plainly",
    );
  }
}

function follow(model: Model, parameters: unknown, surroundings: Float64Array): TracedModel {
  const { source, sources } = sourceOf(model);
  const graph = new Graph();
  const interpreter = new Interpreter(graph, sources, { p: parameters, e: surroundings });
  const found = interpreter.imported(source.file, source.name);
  if (found === undefined)
    throw new UnsupportedSyntax(
      source.file,
      1,
      `declares no ${source.name}`,
      "name what holds the equations",
    );
  const equations = (
    source.arguments ? interpreter.call(found as Closure, source.arguments) : found
  ) as Equations;
  const list = (array: string, length: number, isFixed: (i: number) => boolean = () => false) =>
    new Numbers(Array.from({ length }, (_, i): Value => graph.input({ array, path: [i] }, isFixed(i))));
  const n = model.states.length;
  const given = new Given(graph, parameters, { array: "p", path: [] });
  const dx = list(UNWRITTEN, n);
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
  const [rates, projected] = [nodes(dx), nodes(x)];
  const left = reachable(graph, rates).find(({ source: from }) => from?.array === UNWRITTEN);
  if (left)
    throw new UnsupportedSyntax(
      source.file,
      1,
      `the rate of ${model.states[left.source?.path[0] as number].name} is not written on every path`,
      "write each rate once, whatever the conditions",
    );
  const { assumptions } = interpreter;
  return { proven: new WeakSet(), model, graph, rates, projected, assumptions };
}

/** What stands for a rate before it is written. */
const UNWRITTEN = "dx";

/** Whether the graph is also valid for this model with these parameters in this environment. */
export function holds(
  lifted: TracedModel,
  model: Model,
  parameters: unknown,
  surroundings: Float64Array,
): boolean {
  if (!lifted.proven.has(model) && !isLike(lifted.model, model)) return false;
  const valueAt = evaluator({ p: parameters, e: surroundings });
  if (!lifted.assumptions.every(({ condition, holds }) => valueAt(condition) === holds)) return false;
  if (lifted.proven.has(model)) return true;
  try {
    verify(model, lifted, parameters, surroundings);
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return false;
    throw error;
  }
  lifted.proven.add(model);
  return true;
}

/** Whether two models may have the same equations: of the same source, or the same functions. */
function isLike(a: Model, b: Model): boolean {
  if (a.states.length !== b.states.length || a.inputs.length !== b.inputs.length) return false;
  if (a.source && b.source) return JSON.stringify(a.source) === JSON.stringify(b.source);
  return a.derivative === b.derivative && a.project === b.project;
}

/** How many instants the graph is tried at: names in functions made at run time may be those of Math, whose bits seldom differ. */
const TRIALS = 6;
const TRIALS_AT_RUN_TIME = 1500;

/** A name may mean something else around the function, a variable may be changed elsewhere: then the bits differ. */
function verify(
  model: Model,
  { rates, projected }: TracedModel,
  p: unknown,
  surroundings: Float64Array,
): void {
  const noise = stream(1, "trial");
  let drawn = 0;
  const draw = () => 2 * noise.uniform(drawn++) - 1;
  const reject = (what: string): never => {
    throw new UnsupportedSyntax(
      model.source?.file ?? HERE,
      1,
      `${what} depends on more than the traced source`,
      "compute it from x, u, p, e and the functions of src/math alone",
    );
  };
  const trials = model.source ? TRIALS : TRIALS_AT_RUN_TIME;
  for (let trial = 0; trial < trials; trial++) {
    const size = [1, 1, 10, 10, 1e3, 1e-3][trial % 6];
    const x = Float64Array.from(model.states, () => size * draw());
    const u = Float64Array.from(model.inputs, () => size * draw());
    const e = surroundings.map((v, i) => (i < model.environment.length ? v + draw() : v));
    const dx = new Float64Array(x.length);
    const valueAt = evaluator({ x, u, p, e });
    model.derivative(x, u, p, e, dx);
    const wrong = rates.findIndex((node, i) => !Object.is(valueAt(node), dx[i]));
    if (wrong >= 0) reject(`the rate of ${model.states[wrong].name}`);
    const after = projected.map(valueAt);
    model.project?.(x, p);
    const moved = after.findIndex((v, i) => !Object.is(v, x[i]));
    if (moved >= 0) reject(`what \`project\` makes of ${model.states[moved].name}`);
  }
}
