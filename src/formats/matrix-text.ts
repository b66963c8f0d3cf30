/** A linear model in the languages of other tools: MATLAB, NumPy, CSV. */
import type { Field } from "../model/field.ts";

interface NamedMatrix {
  readonly name: string;
  readonly rows: readonly Field[];
  readonly columns: readonly Field[];
  readonly values: Float64Array;
}

/** x' = A x + B u, y = C x + D u; row-major, with what stands at the rows and columns. */
export interface StateSpace {
  readonly states: readonly Field[];
  readonly inputs: readonly Field[];
  readonly outputs: readonly Field[];
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly C: Float64Array;
  readonly D: Float64Array;
  /** What the deviations are from. */
  readonly at: { readonly states: Float64Array; readonly inputs: Float64Array };
}

export function matricesOf({ states, inputs, outputs, A, B, C, D }: StateSpace): NamedMatrix[] {
  return [
    { name: "A", rows: states, columns: states, values: A },
    { name: "B", rows: states, columns: inputs, values: B },
    { name: "C", rows: outputs, columns: states, values: C },
    { name: "D", rows: outputs, columns: inputs, values: D },
  ];
}

const row = ({ columns, values }: NamedMatrix, i: number) =>
  Array.from(values.subarray(i * columns.length, (i + 1) * columns.length));
const quoted = (fields: readonly Field[], pick: (f: Field) => string, mark: string) =>
  fields.map((f) => `${mark}${pick(f)}${mark}`).join(", ");

/** A script: A, B, C, D, names and units; the model as an object where the Control System Toolbox is there. */
export function matlabText(model: StateSpace, title: string): string {
  const { states, inputs, outputs } = model;
  const matrix = (m: NamedMatrix) =>
    `${m.name} = [\n${m.rows.map((_, i) => `  ${row(m, i).join(" ")};`).join("\n")}\n];`;
  const names = (fields: readonly Field[]) => `{${quoted(fields, (f) => f.name, "'")}}`;
  const units = (fields: readonly Field[]) => `{${quoted(fields, (f) => f.unit, "'")}}`;
  return `% ${title}
% x and u are deviations from x0 and u0: state = x0 + x, input = u0 + u; SI units
${matricesOf(model).map(matrix).join("\n")}
x0 = [${model.at.states.join("; ")}];
u0 = [${model.at.inputs.join("; ")}];
state_names = ${names(states)};
state_units = ${units(states)};
input_names = ${names(inputs)};
input_units = ${units(inputs)};
output_names = ${names(outputs)};
output_units = ${units(outputs)};
if exist('ss', 'file')
  sys = ss(A, B, C, D, 'StateName', state_names, 'InputName', input_names, 'OutputName', output_names);
end
`;
}

export function numpyText(model: StateSpace, title: string): string {
  const { states, inputs, outputs } = model;
  const matrix = (m: NamedMatrix) =>
    `${m.name} = np.array([\n${m.rows.map((_, i) => `    [${row(m, i).join(", ")}],`).join("\n")}\n]).reshape(${m.rows.length}, ${m.columns.length})`;
  const list = (fields: readonly Field[], pick: (f: Field) => string) => `[${quoted(fields, pick, '"')}]`;
  return `# ${title}
# x and u are deviations from x0 and u0: state = x0 + x, input = u0 + u; SI units
import numpy as np

${matricesOf(model).map(matrix).join("\n")}
x0 = np.array([${model.at.states.join(", ")}])
u0 = np.array([${model.at.inputs.join(", ")}])
state_names = ${list(states, (f) => f.name)}
state_units = ${list(states, (f) => f.unit)}
input_names = ${list(inputs, (f) => f.name)}
input_units = ${list(inputs, (f) => f.unit)}
output_names = ${list(outputs, (f) => f.name)}
output_units = ${list(outputs, (f) => f.unit)}
`;
}

/** One line per entry that is not zero: matrix, row, column, value, unit. */
export function matrixCsv(model: StateSpace): string {
  const lines = matricesOf(model).flatMap((m) =>
    m.rows.flatMap((r, i) =>
      row(m, i).flatMap((v, j) => (v === 0 ? [] : [`${m.name},${r.name},${m.columns[j].name},${v}`])),
    ),
  );
  const { states, inputs, at } = model;
  const point = (name: string, fields: readonly Field[], values: Float64Array) =>
    fields.map((f, i) => `${name},${f.name},,${values[i]}`);
  lines.push(...point("x0", states, at.states), ...point("u0", inputs, at.inputs));
  return `matrix,row,column,value\n${lines.join("\n")}\n`;
}
