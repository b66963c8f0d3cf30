/** Exact derivatives of a model's rates, as machine code where that can be, and else by walking over the graph: with the same bits. */
import type { Field } from "../model/field.ts";
import type { Model } from "../model/model.ts";
import { differentiate, type Entry } from "./differentiate.ts";
import { kernelOf } from "./emit-kernel.ts";
import { evaluator } from "./evaluate.ts";
import { expand } from "./expand.ts";
import type { Source } from "./graph.ts";
import { Layout, lengthsOf, OUT, POINTERS } from "./layout.ts";
import type { Lifted } from "./lift.ts";
import { machineOf } from "./machine.ts";

/** What rates are differentiated by. */
export type By = Parameters<NonNullable<Model["jacobian"]>>[0];

/** Where the numbers that it is differentiated by come from, column by column. */
function seedsOf({ states, inputs, parameters }: Model, by: By): Source[] {
  if (by === "parameters") return parameters.map((f) => ({ array: "p", path: f.name.split(".") }));
  const places = (array: string, fields: readonly Field[]) => fields.map((_, i) => ({ array, path: [i] }));
  return [...places("x", states), ...(by === "states" ? [] : places("u", inputs))];
}

export const columnsOf = (model: Model, by: By): number => seedsOf(model, by).length;

/** Derivatives that are not always zero, row by row. */
export function entriesOf(model: Model, { graph, rates }: Lifted, by: By): Entry[] {
  const seeds = seedsOf(model, by).map((source) => graph.input(source, source.array === "p"));
  return differentiate(graph, rates, seeds);
}

/** Writes all derivatives into J, zeros and all. */
export type Jacobian = (
  x: Float64Array,
  u: Float64Array,
  p: unknown,
  e: Float64Array,
  J: Float64Array,
  dx?: Float64Array,
) => void;

/** By walking over the graph. */
export function walkedJacobian(model: Model, lifted: Lifted, by: By): Jacobian {
  const entries = entriesOf(model, lifted, by);
  const columns = columnsOf(model, by);
  return (x, u, p, e, J, dx) => {
    const valueAt = evaluator({ x, u, p, e });
    dx?.set(lifted.rates.map(valueAt) as number[]);
    J.fill(0);
    for (const { row, column, node } of entries) J[row * columns + column] = valueAt(node) as number;
  };
}

/** As machine code for one vehicle at a time, and its size. */
export function machineJacobian(
  model: Model,
  lifted: Lifted,
  by: By,
  parameters: unknown,
): { readonly jacobian: Jacobian; readonly bytes: number } {
  const entries = entriesOf(model, lifted, by);
  const { graph, roots } = expand(lifted.graph, [...entries.map(({ node }) => node), ...lifted.rates]);
  const layout = new Layout(1, graph, roots, parameters, lengthsOf(model));
  const columns = columnsOf(model, by);
  const n = model.states.length;
  // The rates behind the matrix.
  const placeOf = (i: number) =>
    i < entries.length ? entries[i].row * columns + entries[i].column : n * columns + i - entries.length;
  const code = kernelOf(
    graph,
    POINTERS,
    roots.map((root, i) => [{ pointer: OUT, offset: 8 * placeOf(i) }, root]),
    layout,
  );
  const block = layout.constantSize;
  const state = block + layout.size;
  const around = state + 8 * n;
  const fields = model.environment.length;
  const out = around + 8 * fields;
  const { memory, calls, bytes } = machineOf(
    [{ ...code, exported: "jacobian" }],
    out + 8 * n * (columns + 1),
  );
  const [xAt, uAt, bAt, eAt] = [state, block + layout.inputs, block + layout.boundaries, around].map(
    (a) => a / 8,
  );
  const result = memory.subarray(out / 8, out / 8 + n * columns);
  const rates = memory.subarray(out / 8 + n * columns, out / 8 + n * (columns + 1));
  layout.begin(memory);
  let prepared: unknown;
  const jacobian: Jacobian = (x, u, p, e, J, dx) => {
    if (p !== prepared) layout.prepare(memory, block, 0, p);
    prepared = p;
    for (let i = 0; i < n; i++) memory[xAt + i] = x[i];
    for (let i = 0; i < u.length; i++) memory[uAt + i] = u[i];
    for (let i = 0; i < fields; i++) memory[eAt + i] = e[i];
    for (let i = fields; i < e.length; i++) memory[bAt + i - fields] = e[i];
    calls.jacobian(state, out, block, around);
    J.set(result);
    if (dx !== undefined) for (let i = 0; i < n; i++) dx[i] = rates[i];
  };
  return { jacobian, bytes };
}
