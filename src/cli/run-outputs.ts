/** What `sideslip run --out` writes: samples as CSV, a picture as HTML or SVG. */
import { FlightPlot } from "../analysis/flight-plot.ts";
import { csvHeader, csvRow } from "../formats/csv.ts";
import type { Series } from "../formats/svg-chart.ts";
import type { Field } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import { columnsOf, type Sink } from "../simulation/recorder.ts";
import { OutputFile } from "./files.ts";

export type Facts = readonly (readonly [string, string])[];

export interface Output {
  readonly sink: Sink;
  /** Completes the file; the facts go into the page. */
  finish(title: string, facts: Facts): void;
  /** Leaves no trace. */
  discard(): void;
}

export function openOutput(
  path: string,
  channels: readonly Field[],
  fields?: string,
  map: readonly Series[] = [],
): Output {
  const ending = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === "csv") return csvOutput(path, channels, fields);
  if (ending !== "html" && ending !== "svg")
    throw new InputError("what kind of file is this?", {
      field: "--out",
      value: path,
      file: path,
      allowed: ".csv, .html, .svg",
    });
  const file = new OutputFile(path);
  const plot = new FlightPlot(map);
  return {
    sink: plot,
    finish(title, facts) {
      plot.close();
      file.write(ending === "svg" ? plot.svg() : plot.html(title, facts));
      file.finish();
    },
    discard: () => file.discard(),
  };
}

function csvOutput(path: string, channels: readonly Field[], fields?: string): Output {
  const columns = columnsOf(channels, fieldNames(channels, fields));
  const file = new OutputFile(path);
  const chosen = new Float64Array(columns.length);
  return {
    sink: {
      open() {
        const chosen = Array.from(columns, (c) => channels[c]);
        file.write(csvHeader(chosen));
        return chosen.map((f) => f.name);
      },
      write(row) {
        for (let i = 0; i < columns.length; i++) chosen[i] = row[columns[i]];
        file.write(csvRow(chosen));
      },
      close() {},
    },
    finish: () => file.finish(),
    discard: () => file.discard(),
  };
}

function fieldNames(channels: readonly Field[], fields?: string): string[] | undefined {
  return fields?.split(",").map((text) => {
    const name = text.trim();
    if (channels.some((c) => c.name === name)) return name;
    const near = closest(
      name,
      channels.map((c) => c.name),
    );
    throw new InputError(`there is no field "${name}"${near ? `; did you mean "${near}"?` : ""}`, {
      field: "--fields",
      value: fields,
      allowed: "names from `sideslip describe`",
    });
  });
}
