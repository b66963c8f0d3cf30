/** Inputs of a scenario: lines of its own, or a table of another file. */
import * as z from "zod";
import type { Interpolation, TimelineEntry } from "../control/timeline.ts";
import { numberAt, readTable } from "../formats/csv-table.ts";
import type { Document, Open } from "../model/document.ts";
import type { Field } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import type { Model } from "../model/model.ts";
import { quantity, strict } from "../model/schema.ts";
import { type Lines, readTimeline } from "./timeline-lines.ts";

const table = strict({
  file: z
    .string()
    .meta({ description: "a CSV file with t and columns named as inputs, in SI units and radians" }),
  interpolate: z.enum(["hold", "linear"]).optional().meta({
    description:
      "between its rows: each held until the next (hold, unless said otherwise), or straight lines",
  }),
});

export const inputsSchema = (inputs: readonly Field[]) => {
  const time = quantity({ unit: "s", meaning: "when this line takes effect", min: 0 });
  const named = Object.fromEntries(inputs.map((f) => [f.name, quantity(f).optional()]));
  const lines = z.array(strict({ t: time, ...named }));
  return z.union([lines, table]).meta({
    description: "input timeline, each line held until the next; or { file: inputs.csv }",
  });
};

export interface Inputs {
  readonly inputs: readonly TimelineEntry[];
  readonly interpolate: Interpolation;
}

export function readInputs(
  block: Lines | z.infer<typeof table>,
  source: Document,
  model: Model,
  open?: Open,
): Inputs {
  if (!("file" in block)) return { inputs: readTimeline(block, source, "inputs"), interpolate: "hold" };
  const { file, interpolate = "hold" } = block;
  if (open === undefined)
    throw new InputError(`${file} cannot be opened here`, {
      file: source.file,
      ...source.locate(["inputs", "file"]),
      field: "inputs.file",
      allowed: "a scenario run from the command line",
    });
  const found = open(file);
  return { inputs: readInputTable(found.text, found.file, model), interpolate };
}

/** Rows of a CSV. Columns that are no inputs but other channels of the vehicle are left out: logs have them. */
function readInputTable(text: string, file: string, { inputs, states, outputs }: Model): TimelineEntry[] {
  const { header, rows, at } = readTable(text, file, ["t"]);
  const columns = inputs.flatMap((field) => {
    const column = header.indexOf(field.name);
    return column < 0 ? [] : [{ field, column }];
  });
  const names = inputs.map((f) => f.name);
  const others = ["t", ...names, ...states.map((f) => f.name), ...outputs.map((f) => f.name)];
  const complain = (problem: string) =>
    new InputError(problem, { file, line: 1, allowed: `t and any of ${names.join(", ")}` });
  for (const name of header) {
    const near = others.includes(name) ? undefined : closest(name, names);
    if (near !== undefined) throw complain(`"${name}" is not an input; did you mean "${near}"?`);
  }
  if (columns.length === 0) throw complain("has no column that is an input");
  let last = Number.NEGATIVE_INFINITY;
  return rows.map((row) => {
    const t = numberAt(row, at[0], "t", file, { min: 0, max: 1e9 });
    if (!(t > last))
      throw new InputError(t === last ? `the time ${t} s appears twice` : `${t} s comes after ${last} s`, {
        file,
        line: row.line,
        field: "t",
        value: t,
        allowed: "times that increase from row to row",
      });
    last = t;
    const values = columns.map(({ field, column }) => [
      field.name,
      numberAt(row, column, field.name, file, field),
    ]);
    return { t, inputs: Object.fromEntries(values) };
  });
}
