/** Files of the UIUC propeller database: advance (J CT CP eta), static (RPM CT CP) and geometry (r/R c/R beta). */
import { tan } from "../math/elementary.ts";
import { InputError } from "../model/input-error.ts";

export interface UiucName {
  /** Name without run and kind: `apce_10x5`, `da4022_9x6.75_3b`. */
  readonly propeller: string;
  /** Metres, where the name gives them. */
  readonly diameter?: number;
  readonly pitch?: number;
  readonly blades: number;
  /** Only names of advance files give it. */
  readonly rpm?: number;
}
interface Common extends UiucName {
  readonly file: string;
  /** What was not taken, and why. */
  readonly notes: readonly string[];
}
/** A file of the UIUC propeller database. */
export type UiucFile =
  | (Common & { readonly kind: "advance"; readonly rows: readonly AdvanceRow[] })
  | (Common & { readonly kind: "static"; readonly rows: readonly StaticRow[] })
  | (Common & { readonly kind: "geometry"; readonly rows: readonly GeometryRow[] });
export interface AdvanceRow {
  readonly J: number;
  readonly CT: number;
  readonly CP: number;
  readonly eta: number;
}
export interface StaticRow {
  readonly rpm: number;
  readonly CT: number;
  readonly CP: number;
}
export interface GeometryRow {
  /** r/R and c/R. */
  readonly radius: number;
  readonly chord: number;
  /** Blade angle [rad]. */
  readonly beta: number;
}

export const INCH = 0.0254;
/** Larger than any propeller here in inches: such names are in millimetres. */
const MILLIMETRES_FROM = 40;

/** What a file's name says: `<brand>_<D>x<P>[_3b]_<run>_<rpm>.txt`, or a diameter and a blade angle at 75 % radius. */
export function readUiucName(path: string): UiucName {
  const name = path.replace(/^.*[/\\]/, "").replace(/\.txt$/i, "");
  const run = /^(.*?)_(?:static_.*|geom|(?:[a-z]{2}\d{4}|\d{4}[a-z]{2})_(\d+)(?:_.*)?)$/i.exec(name);
  const propeller = run?.[1] ?? name;
  const rpm = run?.[2] === undefined ? undefined : Number(run[2]);
  const blades = Number(/_(\d)b(?:_|$)/.exec(propeller)?.[1] ?? 2);
  const byPitch = /(?:^|_)(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)/.exec(propeller);
  if (byPitch) {
    const unit = Number(byPitch[1]) >= MILLIMETRES_FROM ? 1e-3 : INCH;
    return { propeller, rpm, blades, diameter: Number(byPitch[1]) * unit, pitch: Number(byPitch[2]) * unit };
  }
  const byAngle = /_(\d+(?:\.\d+)?)_(\d+(?:\.\d+)?)deg/.exec(propeller);
  if (byAngle) {
    const diameter = Number(byAngle[1]) * INCH;
    const angle = (Number(byAngle[2]) * Math.PI) / 180;
    return { propeller, rpm, blades, diameter, pitch: Math.PI * 0.75 * diameter * tan(angle) };
  }
  return { propeller, rpm, blades };
}

const HEADERS = {
  "j ct cp eta": "advance",
  "rpm ct cp": "static",
  "r/r c/r beta": "geometry",
} as const;
const words = (line: string) => line.trim().split(/\s+/);
const decimals = (text: string) => text.length - text.indexOf(".");

/** Reads a file of the UIUC propeller database: geometry, static or wind-tunnel data. */
export function readUiuc(text: string, file: string): UiucFile {
  const lines = text.split(/\r?\n/);
  const notes: string[] = [];
  const wrong = (line: number, problem: string, allowed?: string) =>
    new InputError(problem, { file, line: line + 1, allowed });
  let at = lines.findIndex((line) => line.trim() !== "");
  if (at < 0) throw new InputError("is empty", { file, allowed: "a file of the UIUC propeller database" });
  if (/^\s*RPM average\s*=/i.test(lines[at])) {
    notes.push(`line ${at + 1}: "${lines[at].trim()}" gives the speed`);
    at++;
  }
  const header = words(lines[at] ?? "").join(" ");
  const kind = HEADERS[header.toLowerCase() as keyof typeof HEADERS];
  if (kind === undefined)
    throw wrong(
      at,
      `"${header.slice(0, 60)}" is not a header of propeller data`,
      "J CT CP eta, or RPM CT CP, or r/R c/R beta",
    );

  const width = words(header).length;
  const rows: number[][] = [];
  const places: number[] = [];
  // Of the last column: a number cut in the middle has fewer.
  let digits = 0;
  for (let i = at + 1; i < lines.length; i++) {
    if (lines[i].trim() === "") continue;
    const cells = words(lines[i]);
    const row = cells.map(Number);
    const isLast = i === lines.length - 1;
    const isCut = isLast && decimals(cells[cells.length - 1]) < digits;
    digits = Math.max(digits, decimals(cells[width - 1] ?? ""));
    if (cells.length !== width || row.some((v) => !Number.isFinite(v)) || isCut)
      throw wrong(
        i,
        isLast
          ? `the file is cut off here: "${lines[i].trim()}"`
          : `"${lines[i].trim().slice(0, 60)}" is not a row`,
        `${width} numbers: ${header}`,
      );
    const last = rows[rows.length - 1];
    if (last !== undefined && kind !== "static" && row[0] <= last[0]) {
      const same = row.every((v, k) => v === last[k]);
      notes.push(
        `line ${i + 1} skipped: ` +
          (same
            ? `repeats line ${places[places.length - 1] + 1}`
            : `${words(header)[0]} ${row[0]} does not rise above ${last[0]}`),
      );
      continue;
    }
    rows.push(row);
    places.push(i);
  }
  if (rows.length < 2) throw wrong(lines.length - 1, `holds ${rows.length} rows`, "at least two");
  const common = { ...readUiucName(file), file, notes };
  if (kind === "advance")
    return { ...common, kind, rows: rows.map(([J, CT, CP, eta]) => ({ J, CT, CP, eta })) };
  if (kind === "static") return { ...common, kind, rows: rows.map(([rpm, CT, CP]) => ({ rpm, CT, CP })) };
  return {
    ...common,
    kind,
    rows: rows.map(([radius, chord, beta]) => ({ radius, chord, beta: (beta * Math.PI) / 180 })),
  };
}
