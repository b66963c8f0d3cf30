/** Prints a result as text or JSON and writes it as a picture and a page, all from the same pieces. */
import type { Command } from "commander";
import { htmlPage, type Piece } from "../formats/html-page.ts";
import { svgSheet } from "../formats/svg-chart.ts";
import { InputError } from "../model/input-error.ts";
import { pack } from "../model/parameters.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { OutputFile } from "./files.ts";
import { printJson, table } from "./table.ts";
import { type Emphasis, print } from "./terminal.ts";

export interface ReportOptions {
  readonly out?: string;
  readonly report?: string;
  readonly json?: boolean;
}

export function addReportFlags(command: Command, picture: string): Command {
  return command
    .option("--out <file>", `draw ${picture} (.svg)`)
    .option("--report <file>", "a self-contained page: tables, plots, parameters and this command (.html)")
    .option("--json", "print as JSON (SI, radians)");
}

/** Checks the file names before anything is computed. */
export function validateReportFlags({ out, report }: ReportOptions): void {
  if (out !== undefined && !/\.svg$/i.test(out))
    throw new InputError("is not the name of an SVG picture", {
      field: "--out",
      value: out,
      allowed: "x.svg",
    });
  if (report !== undefined && !/\.html?$/i.test(report))
    throw new InputError("is not the name of an HTML page", {
      field: "--report",
      value: report,
      allowed: "x.html",
    });
}

export interface Report {
  readonly title: string;
  readonly pieces: readonly Piece[];
  /** What is drawn only where it is asked for. */
  readonly drawn?: () => readonly Piece[];
  readonly json: unknown;
}

export function report(vehicle: Vehicle, content: Report, options: ReportOptions): void {
  const { title, pieces, json } = content;
  const isDrawn = options.out !== undefined || options.report !== undefined;
  const drawn = isDrawn && content.drawn ? content.drawn() : [];
  if (options.out !== undefined)
    write(options.out, svgSheet(drawn.flatMap((p) => ("pictures" in p ? p.pictures : []))));
  if (options.report !== undefined)
    write(options.report, htmlPage(title, [...pieces, ...drawn, ...origin(vehicle)]));
  if (options.json) {
    printJson(json);
    return;
  }
  print(`${title}\n`, "bold");
  for (const piece of pieces) printPiece(piece);
  for (const file of [options.out, options.report]) if (file !== undefined) print(`wrote ${file}\n`);
}

function write(path: string, content: string): void {
  const file = new OutputFile(path);
  file.write(content);
  file.finish();
}

/** Rows that begin with a verdict. */
const VERDICTS: Readonly<Record<string, Emphasis>> = {
  fine: "green",
  WRONG: "red",
  accepted: "yellow",
  note: "cyan",
};

function printPiece(piece: Piece): void {
  if ("heading" in piece) print(`\n${piece.heading}\n`, "bold");
  else if ("text" in piece) print(`${piece.text}\n`);
  else if ("facts" in piece) for (const [k, v] of piece.facts) print(`${k}: ${v}\n`);
  else if ("table" in piece)
    for (const line of table(piece.table.header, piece.table.rows).split(/(?<=\n)/)) {
      const [verdict] = line.split(" ", 1);
      if (!Object.hasOwn(VERDICTS, verdict)) print(line);
      else {
        print(verdict, VERDICTS[verdict]);
        print(line.slice(verdict.length));
      }
    }
}

/** The parameters behind a page, and the command line that made it. */
function origin(vehicle: Vehicle): Piece[] {
  const { model, parameters, sources } = vehicle;
  const values = pack(model.parameters, parameters);
  const source = (name: string) => sources[name] ?? sources[name.split(".")[0]] ?? "";
  return [
    { heading: `Parameters of ${vehicle.name}` },
    { text: vehicle.description },
    {
      table: {
        header: ["parameter", "value", "unit", "meaning", "source"],
        rows: model.parameters.map((f, i) => [f.name, String(values[i]), f.unit, f.meaning, source(f.name)]),
      },
    },
    { heading: "Made by" },
    { text: ["sideslip", ...process.argv.slice(2).map(quoted)].join(" ") },
  ];
}

const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text}'`);
