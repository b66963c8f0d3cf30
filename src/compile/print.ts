/** Equations and their derivatives as JavaScript that can be read, and run. */
import type { Model } from "../model/model.ts";
import { functionOf, type Javascript, javascriptOf, type Names, textOf } from "./emit-javascript.ts";
import { expand } from "./expand.ts";
import type { Graph, Node } from "./graph.ts";
import { type By, columnsOf, entriesOf } from "./jacobian.ts";
import type { TracedModel } from "./trace.ts";

/** Names of the model's fields for what is read from x, u and e, and those of the source for the rest. */
export const readable =
  (model: Model): Names =>
  ({ label, source }) => {
    if (source === undefined) return label;
    const fields = { x: model.states, u: model.inputs, e: model.environment }[source.array];
    return fields?.[source.path[0] as number]?.name;
  };

/** With names it is to be read, and elementary functions stay calls; without it is to be run. */
function code(
  graph: Graph,
  roots: readonly Node[],
  results: string,
  targets: string[],
  names: Names | undefined,
): Javascript {
  const made = names === undefined ? expand(graph, roots) : { graph, roots };
  return javascriptOf(
    made.graph,
    `x, u, p, e, ${results}`,
    made.roots.map((root, i) => [targets[i], root]),
    names,
  );
}

/** Code of a function (x, u, p, e, dx). */
export const derivativeCode = ({ graph, rates }: TracedModel, names?: Names): string =>
  textOf(
    code(
      graph,
      rates,
      "dx",
      rates.map((_, i) => `dx[${i}]`),
      names,
    ),
  );

/** Code of a function (x, u, p, e, J) that writes what is not always zero. */
export const jacobianCode = (model: Model, lifted: TracedModel, by: By, names?: Names): string =>
  textOf(jacobianPieces(model, lifted, by, names));

export function jacobianPieces(model: Model, lifted: TracedModel, by: By, names?: Names): Javascript {
  const entries = entriesOf(model, lifted, by);
  const columns = columnsOf(model, by);
  return code(
    lifted.graph,
    entries.map(({ node }) => node),
    "J",
    entries.map(({ row, column }) => `J[${row * columns + column}]`),
    names,
  );
}

/** The derivative as generated JavaScript. */
export const generatedDerivative = (lifted: TracedModel): Model["derivative"] =>
  functionOf<Model["derivative"]>(derivativeCode(lifted));
