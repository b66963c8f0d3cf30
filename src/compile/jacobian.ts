/** Exact derivatives of a model's rates: as a WebAssembly kernel, or by interpreting the graph, with the same bits. */
import type { Field } from "../model/field.ts";
import type { Model } from "../model/model.ts";
import { differentiate, type Entry } from "./differentiate.ts";
import { emitKernel } from "./emit-kernel.ts";
import { evaluator } from "./evaluate.ts";
import { expand } from "./expand.ts";
import type { InputRef } from "./graph.ts";
import type { Jacobian, JacobianCode } from "./jacobian-kernel.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import type { TracedModel } from "./trace.ts";
import { moduleOf } from "./wasm.ts";

/** What rates are differentiated by. */
export type By = Parameters<NonNullable<Model["jacobian"]>>[0];

/** Where the numbers that it is differentiated by come from, column by column. */
function seedsOf({ states, inputs, parameters }: Model, by: By): InputRef[] {
  if (by === "parameters") return parameters.map((f) => ({ array: "p", path: f.name.split(".") }));
  const places = (array: string, fields: readonly Field[]) => fields.map((_, i) => ({ array, path: [i] }));
  return [...places("x", states), ...(by === "states" ? [] : places("u", inputs))];
}

export const columnsOf = (model: Model, by: By): number => seedsOf(model, by).length;

/** Derivatives that are not always zero, row by row. */
export function entriesOf(model: Model, { graph, rates }: TracedModel, by: By): Entry[] {
  const seeds = seedsOf(model, by).map((source) => graph.input(source, source.array === "p"));
  return differentiate(graph, rates, seeds);
}

/** By walking over the graph. */
export function walkedJacobian(model: Model, lifted: TracedModel, by: By): Jacobian {
  const entries = entriesOf(model, lifted, by);
  const columns = columnsOf(model, by);
  return (x, u, p, e, J, dx) => {
    const valueAt = evaluator({ x, u, p, e });
    dx?.set(lifted.rates.map(valueAt) as number[]);
    J.fill(0);
    for (const { row, column, node } of entries) J[row * columns + column] = valueAt(node) as number;
  };
}

/** As machine code, with branches where they spare so many operations; the usual ones if nothing is said. */
export function jacobianModule(
  model: Model,
  lifted: TracedModel,
  by: By,
  parameters: unknown,
  worth?: number,
): JacobianCode {
  const entries = entriesOf(model, lifted, by);
  const { graph, roots } = expand(lifted.graph, [...entries.map(({ node }) => node), ...lifted.rates]);
  const layout = new Layout(1, graph, roots, parameters, lengthsOf(model));
  const columns = columnsOf(model, by);
  const n = model.states.length;
  // The rates behind the matrix.
  const placeOf = (i: number) =>
    i < entries.length ? entries[i].row * columns + entries[i].column : n * columns + i - entries.length;
  const code = emitKernel(
    graph,
    POINTERS,
    roots.map((root, i) => [{ pointer: OUT, offset: 8 * placeOf(i) }, root]),
    layout,
    false,
    worth,
  );
  const block = layout.constantSize;
  return {
    module: moduleOf([{ ...code, exported: "jacobian" }]),
    initialisation: layout.initialisation,
    shape: {
      states: n,
      columns,
      fields: model.environment.length,
      block,
      inputs: block + layout.inputs,
      boundaries: block + layout.boundaries,
      end: block + layout.size,
    },
  };
}
