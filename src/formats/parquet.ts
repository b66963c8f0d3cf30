/** Samples as a Parquet file: a column of doubles for each channel, in groups of rows so that memory stays small. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Field } from "../model/field.ts";
import { SEAL, Sealing, UNSEALED } from "./seal.ts";

/** Rows of a group. */
const GROUP = 8192;

export class ParquetTable {
  private readonly to = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly write: (bytes: Uint8Array) => void;
  private readonly names: readonly string[];
  private readonly columns: readonly Float64Array[];
  private readonly sealing = new Sealing();
  private rows = 0;

  constructor(fields: readonly Field[], write: (bytes: Uint8Array) => void) {
    this.write = write;
    this.names = fields.map((f) => f.name);
    this.columns = fields.map(() => new Float64Array(GROUP));
    this.writer = new ParquetWriter({
      writer: this.to,
      schema: [
        { name: "root", num_children: fields.length },
        ...this.names.map((name) => ({
          name,
          type: "DOUBLE" as const,
          repetition_type: "REQUIRED" as const,
        })),
      ],
      // Units and meanings, by column.
      kvMetadata: [
        ...fields.map(({ name, unit, meaning }) => ({ key: name, value: `${unit}, ${meaning}` })),
        { key: SEAL, value: UNSEALED },
      ],
    });
  }

  add(row: ArrayLike<number>): void {
    this.columns.forEach((column, i) => {
      column[this.rows] = row[i];
    });
    this.rows++;
    if (this.rows === GROUP) this.group();
  }

  private group(): void {
    if (this.rows > 0)
      this.writer.write({
        columnData: this.names.map((name, i) => ({
          name,
          data: this.columns[i].slice(0, this.rows),
          type: "DOUBLE",
        })),
        rowGroupSize: GROUP,
      });
    this.rows = 0;
    this.drain();
  }

  private drain(isLast = false): void {
    const bytes = this.to.getBytes().slice();
    if (isLast) this.sealing.end(bytes);
    else this.sealing.take(bytes);
    this.write(bytes);
    this.to.index = 0;
  }

  end(): void {
    this.group();
    this.writer.finish();
    this.drain(true);
  }
}
