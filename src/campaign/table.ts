/** Runs as rows of a Parquet file, and back. */
import { parquetMetadataAsync, parquetRead } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { isSealed, SEAL, Sealing, UNSEALED } from "../formats/seal.ts";
import type { Campaign } from "./campaign.ts";
import type { Word } from "./distributions.ts";

/** What became of a run. */
export interface Row {
  readonly run: number;
  readonly seed: number;
  readonly drawn: readonly Word[];
  /** NaN where there is none. */
  readonly measured: ArrayLike<number>;
  readonly t_end: number;
  /** The event that ended it, "duration", or "error". */
  readonly end: string;
  readonly failed: boolean;
  readonly error?: string;
  /** Of all states at every sample; "" where it never began. */
  readonly hash: string;
}

export type Kind = "INT32" | "INT64" | "DOUBLE" | "STRING" | "BOOLEAN";
export interface Column {
  readonly name: string;
  readonly kind: Kind;
  readonly isOptional: boolean;
  of(row: Row): unknown;
}

const column = (name: string, kind: Kind, of: (row: Row) => unknown, isOptional = false): Column => ({
  name,
  kind,
  isOptional,
  of,
});
/** NaN is never written to a file: an undefined value is missing. */
const orNull = (v: number) => (Number.isFinite(v) ? v : null);

/** Of the results of a campaign. */
export function columnsOf({ varied, measures }: Pick<Campaign, "varied" | "measures">): Column[] {
  return [
    column("run", "INT32", (row) => row.run),
    column("seed", "INT64", (row) => BigInt(Math.floor(row.seed))),
    ...varied.flatMap(({ name, distribution: d }, i) => {
      if (name === "seed") return [];
      const isText = "values" in d && d.values.some((v) => typeof v !== "number");
      return [
        column(name, isText ? "STRING" : "DOUBLE", (row) => (isText ? String(row.drawn[i]) : row.drawn[i])),
      ];
    }),
    ...measures.map(({ name }, i) => column(name, "DOUBLE", (row) => orNull(row.measured[i]), true)),
    column("t_end", "DOUBLE", (row) => row.t_end),
    column("end", "STRING", (row) => row.end),
    column("failed", "BOOLEAN", (row) => row.failed),
    column("error", "STRING", (row) => row.error ?? null, true),
    column("hash", "STRING", (row) => row.hash),
  ];
}

const TYPES = {
  INT32: { type: "INT32" },
  INT64: { type: "INT64" },
  DOUBLE: { type: "DOUBLE" },
  BOOLEAN: { type: "BOOLEAN" },
  STRING: { type: "BYTE_ARRAY", converted_type: "UTF8" },
} as const;

/** Rows of a group. */
const GROUP = 8192;

/** Writes a table group by group, so that memory does not grow with it. */
export class TableWriter {
  private readonly to = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly columns: readonly Pick<Column, "name" | "kind" | "isOptional">[];
  private readonly write: (bytes: Uint8Array) => void;
  private data: unknown[][];
  private readonly sealing = new Sealing();

  constructor(
    columns: readonly Pick<Column, "name" | "kind" | "isOptional">[],
    metadata: Readonly<Record<string, string>>,
    write: (bytes: Uint8Array) => void,
  ) {
    this.columns = columns;
    this.write = write;
    this.data = columns.map(() => []);
    this.writer = new ParquetWriter({
      writer: this.to,
      schema: [
        { name: "root", num_children: columns.length },
        ...columns.map(({ name, kind, isOptional }) => ({
          name,
          ...TYPES[kind],
          repetition_type: isOptional ? ("OPTIONAL" as const) : ("REQUIRED" as const),
        })),
      ],
      kvMetadata: Object.entries({ ...metadata, [SEAL]: UNSEALED }).map(([key, value]) => ({ key, value })),
    });
  }

  /** Values in the order of the columns. */
  add(values: readonly unknown[]): void {
    values.forEach((value, i) => {
      this.data[i].push(value);
    });
    if (this.data[0].length >= GROUP) this.group();
  }

  /** Metadata that are known only at the end; they are written there. */
  end(known: Readonly<Record<string, string>> = {}): void {
    this.group();
    this.writer.kvMetadata = this.writer.kvMetadata?.map(({ key, value }) => ({
      key,
      value: known[key] ?? value,
    }));
    this.writer.finish();
    this.drain(true);
  }

  private group(): void {
    const rows = this.data[0]?.length ?? 0;
    if (rows === 0) return;
    void this.writer.write({
      columnData: this.columns.map(
        ({ name, kind }, i): ColumnSource => ({ name, data: this.data[i], type: kind }),
      ),
      rowGroupSize: GROUP,
    });
    this.data = this.columns.map(() => []);
    this.drain();
  }

  private drain(isLast = false): void {
    const bytes = this.to.getBytes().slice();
    if (isLast) this.sealing.end(bytes);
    else this.sealing.take(bytes);
    this.write(bytes);
    this.to.index = 0;
  }
}

/** A file, or bytes in memory, read in pieces. */
export interface Bytes {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** Rows that follow one another, column by column. */
export interface Piece {
  readonly from: number;
  readonly rows: number;
  readonly columns: readonly ArrayLike<unknown>[];
}

export interface Table {
  readonly rows: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly columns: readonly Pick<Column, "name" | "kind" | "isOptional">[];
  /** One group of rows after the other, so that memory does not grow with the table. */
  pieces(columns?: readonly string[]): AsyncGenerator<Piece>;
}

/** The four letters that a Parquet file begins and ends with. */
const MARK = 0x31524150;

async function isMarked(file: Bytes, at: number): Promise<boolean> {
  return new DataView(await file.slice(at, at + 4)).getUint32(0, true) === MARK;
}

/** Throws where a file is no table, or a damaged one. */
export async function openTable(file: Bytes): Promise<Table> {
  const { byteLength: size } = file;
  if (size < 12 || !(await isMarked(file, 0)) || !(await isMarked(file, size - 4)))
    throw new Error("it is not a Parquet file, or was cut off");
  if ((await isSealed(file)) === false) throw new Error("it is damaged: its checksum does not match");
  const metadata = await readable(() => parquetMetadataAsync(file));
  const all = metadata.schema.slice(1).map(({ name, type, converted_type, repetition_type }) => ({
    name,
    kind: converted_type === "UTF8" ? "STRING" : (type as Kind),
    isOptional: repetition_type === "OPTIONAL",
  }));
  return {
    rows: Number(metadata.num_rows),
    metadata: Object.fromEntries(
      (metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""]),
    ),
    columns: all,
    async *pieces(names = all.map(({ name }) => name)) {
      let from = 0;
      for (const { num_rows } of metadata.row_groups) {
        const rows = Number(num_rows);
        if (rows === 0) continue;
        const columns = names.map(() => new Array<unknown>(rows));
        await readable(() =>
          parquetRead({
            file,
            metadata,
            rowStart: from,
            rowEnd: from + rows,
            columns: [...names],
            onChunk({ columnName, columnData, rowStart }) {
              const column = columns[names.indexOf(columnName)];
              for (let i = 0; i < columnData.length; i++) column[rowStart - from + i] = columnData[i];
            },
          }),
        );
        yield { from, rows, columns };
        from += rows;
      }
    },
  };
}

/** The library speaks of its own insides where a file is damaged. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw new Error("it is damaged");
  }
}

/** Values in the order of the columns, in a list that is used again for the next row. */
export async function eachRow(table: Table, take: (values: readonly unknown[]) => void): Promise<void> {
  const values = new Array<unknown>(table.columns.length);
  for await (const { columns, rows } of table.pieces())
    for (let i = 0; i < rows; i++) {
      for (let c = 0; c < values.length; c++) values[c] = columns[c][i] ?? null;
      take(values);
    }
}
