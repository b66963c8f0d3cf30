/** Tracks as brains2 stores them: cones (color,X,Y) and centre lines (s,X,Y,phi,kappa,w) as CSV. */
import { type CenterLine, type Cone, type ConeColor, centerLine } from "../environment/track/track.ts";
import { InputError } from "../model/input-error.ts";
import { numberAt, readTable } from "./csv-table.ts";

const COLORS: readonly ConeColor[] = ["blue", "yellow", "orange"];
/** Reads cones from CSV text with the columns color, X, Y [m]; `file` is what errors call it. */
export function readCones(text: string, file: string): Cone[] {
  const { rows, at } = readTable(text, file, ["color", "X", "Y"]);
  return rows.map((row) => {
    const color = row.cells[at[0]];
    if (!COLORS.includes(color as ConeColor))
      throw new InputError(`"${color}" is not a cone colour`, {
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
    throw new InputError(error.problem, { ...error.details, file });
  }
}
