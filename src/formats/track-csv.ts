/** Tracks as brains2 stores them: cones (color,X,Y) and centre lines (s,X,Y,phi,kappa,w) as CSV. */
import { type CenterLine, type Cone, type ConeColor, centerLine } from "../environment/track/track.ts";
import { InputError } from "../model/input-error.ts";

const COLORS: readonly ConeColor[] = ["blue", "yellow", "orange"];
/** Nobody's track has more. */
const MOST_ROWS = 200_000;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Header and rows; `wanted` are the columns that must be there, by name, in any order. */
function readTable(text: string, file: string, wanted: readonly string[]): { rows: Row[]; at: number[] } {
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
  if (rows.length > MOST_ROWS)
    throw new InputError(`has ${rows.length} rows`, { file, allowed: `up to ${MOST_ROWS}` });
  const short = rows.find(({ cells }) => cells.length < header.length);
  if (short)
    throw new InputError(`has ${short.cells.length} cells`, {
      file,
      line: short.line,
      allowed: `${header.length}, as the header`,
    });
  return { rows, at };
}

function numberAt({ line, cells }: Row, column: number, name: string, file: string, most = 1e6): number {
  const text = cells[column] ?? "";
  const value = Number(text);
  if (text === "" || !(Math.abs(value) <= most))
    throw new InputError(text === "" ? "is missing" : `"${text}" is no number in range`, {
      file,
      line,
      field: name,
      value: text,
      allowed: `-${most} to ${most}`,
    });
  return value;
}

export function readCones(text: string, file: string): Cone[] {
  const { rows, at } = readTable(text, file, ["color", "X", "Y"]);
  return rows.map((row) => {
    const color = row.cells[at[0]];
    if (!COLORS.includes(color as ConeColor))
      throw new InputError(`"${color}" is no colour of a cone`, {
        file,
        line: row.line,
        field: "color",
        value: color,
        allowed: `${COLORS.join(", ")} (blue left, yellow right, orange at the gate)`,
      });
    return {
      color: color as ConeColor,
      X: numberAt(row, at[1], "X", file),
      Y: numberAt(row, at[2], "Y", file),
    };
  });
}

/**
 * Only places and widths are taken; distance, direction and curvature follow from them. brains2 writes three laps, from one
 * behind the start to two ahead: of these the one from s = 0 on is taken.
 */
export function readCenterLine(text: string, file: string, isClosed: boolean): CenterLine {
  const { rows, at } = readTable(text, file, ["s", "X", "Y", "w"]);
  const s = rows.map((row) => numberAt(row, at[0], "s", file));
  s.forEach((v, i) => {
    if (i > 0 && !(v > s[i - 1]))
      throw new InputError(`${v} m comes after ${s[i - 1]} m`, {
        file,
        line: rows[i].line,
        field: "s",
        value: v,
        allowed: "distances that increase from row to row",
      });
  });
  const column = (i: number, name: string) => rows.map((row) => numberAt(row, at[i], name, file));
  const [X, Y, w] = [column(1, "X"), column(2, "Y"), column(3, "w")];
  w.forEach((v, i) => {
    if (!(v > 0))
      throw new InputError(`a half width of ${v} m leaves no track`, {
        file,
        line: rows[i].line,
        field: "w",
        value: v,
        allowed: "> 0 m",
      });
  });
  const round = isClosed && s[0] < 0 && s[s.length - 1] > -1.5 * s[0] ? -s[0] : undefined;
  const ofLap = (v: readonly number[]) =>
    round === undefined ? v : v.filter((_, i) => s[i] >= -1e-9 && s[i] < round - 1e-9);
  try {
    return centerLine(ofLap(X), ofLap(Y), ofLap(w), isClosed);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, { ...error.mistake, file });
  }
}
