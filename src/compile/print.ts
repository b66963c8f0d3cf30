/** Equations and their derivatives as JavaScript that can be read, and run. */
import type { Model } from "../model/model.ts";
import { functionOf, javascriptOf, type Names } from "./emit-javascript.ts";
import { expand } from "./expand.ts";
import type { Graph, Node } from "./graph.ts";
import { type By, columnsOf, entriesOf } from "./jacobian.ts";
import type { Lifted } from "./lift.ts";

/** To be run: elementary functions taken apart. Or to be read: as calls, and with the names of the fields. */
export type Style = Names | undefined;

/** Names of the model's fields for what is read from x, u and e, and those of the source for the rest. */
export const readable =
  (model: Model): Names =>
  ({ label, source }) => {
    if (source === undefined) return label;
    const fields = { x: model.states, u: model.inputs, e: model.environment }[source.array];
    return fields?.[source.path[0] as number]?.name;
  };

function code(
  graph: Graph,
  roots: readonly Node[],
  results: string,
  targets: string[],
  style: Style,
): string {
  const made = style === undefined ? expand(graph, roots) : { graph, roots };
  return javascriptOf(
    made.graph,
    `x, u, p, e, ${results}`,
    made.roots.map((root, i) => [targets[i], root]),
    style,
  );
}

/** Code of a function (x, u, p, e, dx). */
export const derivativeCode = ({ graph, rates }: Lifted, style?: Style): string =>
  code(
    graph,
    rates,
    "dx",
    rates.map((_, i) => `dx[${i}]`),
    style,
  );

/** Code of a function (x, u, p, e, J) that writes what is not always zero. */
export function jacobianCode(model: Model, lifted: Lifted, by: By, style?: Style): string {
  const entries = entriesOf(model, lifted, by);
  const columns = columnsOf(model, by);
  return code(
    lifted.graph,
    entries.map(({ node }) => node),
    "J",
    entries.map(({ row, column }) => `J[${row * columns + column}]`),
    style,
  );
}

/** The derivative as generated JavaScript. */
export const generatedDerivative = (lifted: Lifted): Model["derivative"] =>
  functionOf<Model["derivative"]>(derivativeCode(lifted));
