/** What `sideslip run --out` writes: samples as CSV, Parquet or an MCAP log, a picture as HTML or SVG. */
import { resolve } from "node:path";
import { FlightPlot } from "../analysis/flight-plot.ts";
import { csvHeader, csvRow } from "../formats/csv.ts";
import type { Series } from "../formats/svg-chart.ts";
import type { Field } from "../model/field.ts";
import { closest, InputError } from "../model/input-error.ts";
import type { TopicSettings } from "../model/topics.ts";
import { columnsOf, type Sink } from "../simulation/recorder.ts";
import type { Scenario } from "../simulation/scenario.ts";
import { withParameters } from "../vehicles/vehicle.ts";
import { OutputFile } from "./files.ts";

export type Facts = readonly (readonly [string, string])[];

export interface Output {
  readonly sink: Sink;
  /** Brings what was written so far to the file; called now and then. */
  flush?(): Promise<void>;
  /** Completes the file; the facts go into the page. */
  finish(title: string, facts: Facts): void | Promise<void>;
  /** Removes the partial file. */
  discard(): void;
}

/** The content of an output file. */
export interface Written {
  readonly channels: readonly Field[];
  readonly scenario: Scenario;
  /** Columns, where not all are wanted. */
  readonly fields?: string;
  readonly map?: readonly Series[];
  /** Topic settings of a log; the scenario's by default. */
  readonly settings?: TopicSettings;
}

/** Kinds of files that hold a table, of which columns may be chosen. */
const isTable = (path: string): boolean => /\.(csv|parquet)$/i.test(path);

async function openOutput(path: string, written: Written): Promise<Output> {
  const ending = /\.([^.]+)$/.exec(path)?.[1]?.toLowerCase();
  if (ending === "csv") return csvOutput(path, written);
  if (ending === "parquet") return parquetOutput(path, written);
  if (ending === "mcap") return mcapOutput(path, written);
  if (ending !== "html" && ending !== "svg")
    throw new InputError("has an unknown file type", {
      field: "--out",
      value: path,
      file: path,
      allowed: ".csv, .parquet, .mcap, .html, .svg",
    });
  const file = new OutputFile(path);
  const plot = new FlightPlot(written.map ?? []);
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

/** A sink of some columns. */
function tableSink(
  { channels, fields }: Written,
  begin: (chosen: readonly Field[]) => void,
  add: (row: Float64Array) => void,
): Sink {
  const columns = columnsOf(channels, fieldNames(channels, fields));
  const chosen = new Float64Array(columns.length);
  return {
    open() {
      const selected = Array.from(columns, (c) => channels[c]);
      begin(selected);
      return selected.map((f) => f.name);
    },
    write(row) {
      for (let i = 0; i < columns.length; i++) chosen[i] = row[columns[i]];
      add(chosen);
    },
    close() {},
  };
}

function csvOutput(path: string, written: Written): Output {
  fieldNames(written.channels, written.fields);
  const file = new OutputFile(path);
  return {
    sink: tableSink(
      written,
      (chosen) => file.write(csvHeader(chosen)),
      (row) => file.write(csvRow(row)),
    ),
    finish: () => file.finish(),
    discard: () => file.discard(),
  };
}

async function parquetOutput(path: string, written: Written): Promise<Output> {
  fieldNames(written.channels, written.fields);
  const { ParquetTable } = await import("../formats/parquet.ts");
  const file = new OutputFile(path);
  let table: InstanceType<typeof ParquetTable> | undefined;
  return {
    sink: tableSink(
      written,
      (chosen) => {
        table = new ParquetTable(chosen, (bytes) => file.writeBytes(bytes));
      },
      (row) => table?.add(row),
    ),
    finish() {
      table?.end();
      file.finish();
    },
    discard: () => file.discard(),
  };
}

async function mcapOutput(path: string, { scenario, settings }: Written): Promise<Output> {
  const { McapSink } = await import("../bridges/mcap-sink.ts");
  const { settingsOf } = await import("../topics/topics-of.ts");
  const { compressor } = await import("./zstd.ts");
  const compress = await compressor();
  const file = new OutputFile(path);
  const { vehicle, changedParameters } = scenario;
  const sink = new McapSink(
    withParameters(vehicle, changedParameters),
    settings ?? settingsOf(scenario),
    (bytes) => file.writeBytes(bytes),
    compress,
  );
  return {
    sink,
    flush: () => sink.flush(),
    async finish() {
      await sink.end();
      file.finish();
    },
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

/** All outputs or none: if one cannot be opened, the partial files of the others are removed. */
export async function openOutputs(paths: readonly string[], written: Written): Promise<Output[]> {
  if (written.fields !== undefined && !paths.some(isTable))
    throw new InputError("needs a table output", {
      field: "--fields",
      allowed: "with --out x.csv or --out x.parquet",
    });
  const opened: Output[] = [];
  const seen = new Set<string>();
  try {
    for (const path of paths) {
      if (seen.has(resolve(path)))
        throw new InputError("is given twice", { field: "--out", value: path, file: path });
      seen.add(resolve(path));
      opened.push(await openOutput(path, written));
    }
  } catch (error) {
    for (const output of opened) output.discard();
    throw error;
  }
  return opened;
}
