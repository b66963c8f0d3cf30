/** Tables that people write: a header and rows of numbers with commas. */
import { InputError } from "../model/input-error.ts";

/** Largest number of rows. */
const MOST_ROWS = 200_000;

export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Header and rows; `wanted` are the columns that must be there, by name, in any order: `at` their places. */
export function readTable(
  text: string,
  file: string,
  wanted: readonly string[],
): { header: string[]; rows: Row[]; at: number[] } {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const header = lines[0].split(",").map((c) => c.trim());
  const at = wanted.map((name) => header.indexOf(name));
  wanted.forEach((name, i) => {
    if (at[i] < 0)
      throw new InputError(`has no column "${name}"`, {
        file,
        line: 1,
        allowed: `a header with ${wanted.join(",")}`,
      });
  });
  const rows: Row[] = lines
    .map((line, i) => ({ line: i + 1, cells: line.split(",").map((c) => c.trim()) }))
    .slice(1)
    .filter(({ cells }) => cells.length > 1 || cells[0] !== "");
  if (rows.length === 0)
    throw new InputError("has no rows", { file, allowed: "a header and at least one row of numbers" });
  if (rows.length > MOST_ROWS)
    throw new InputError(`has ${rows.length} rows`, { file, allowed: `up to ${MOST_ROWS}` });
  const short = rows.find(({ cells }) => cells.length < header.length);
  if (short)
    throw new InputError(`has ${short.cells.length} ${short.cells.length === 1 ? "cell" : "cells"}`, {
      file,
      line: short.line,
      allowed: `${header.length}, as the header`,
    });
  return { header, rows, at };
}

/** A cell as a number within `range`. */
export function numberAt(
  { line, cells }: Row,
  column: number,
  name: string,
  file: string,
  { min = -1e6, max = 1e6 }: { readonly min?: number; readonly max?: number } = {},
): number {
  const text = cells[column] ?? "";
  const value = Number(text);
  if (text === "" || !(value >= min && value <= max))
    throw new InputError(text === "" ? "is missing" : `"${text}" is not a number in range`, {
      file,
      line,
      field: name,
      value: text,
      allowed: `${min} to ${max}`,
    });
  return value;
}
