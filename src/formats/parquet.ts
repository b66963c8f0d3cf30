/**
 * Samples as a Parquet file: a column of doubles for each channel, in groups of rows so that memory stays small. Behind a group
 * stands a footer as the file's end would have it, and the file goes on: what is left of a killed run ends with one somewhere.
 */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Field } from "../model/field.ts";
import { SEAL, Sealing, UNSEALED } from "./seal.ts";

/** Rows of a group. */
const GROUP = 8192;
/** Of the file, for footers that are not its last. */
const FOOTERS = 0.05;

export class ParquetTable {
  private readonly to = new ByteWriter();
  private readonly writer: ParquetWriter;
  private readonly write: (bytes: Uint8Array) => void;
  private readonly names: readonly string[];
  private readonly columns: readonly Float64Array[];
  private readonly sealing = new Sealing();
  private rows = 0;
  private written = 0;
  private inFooters = 0;

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
    this.footer();
  }

  /** The end of a file with the groups so far; what follows goes behind it. It has no checksum, which is the whole file's. */
  private footer(): void {
    const { to, writer } = this;
    const own = new ByteWriter();
    const end = new ParquetWriter({
      writer: own,
      schema: writer.schema,
      kvMetadata: writer.kvMetadata?.filter(({ key }) => key !== SEAL),
    });
    // Its first mark is that of the file.
    own.index = 0;
    own.offset = to.offset;
    end.row_groups = writer.row_groups;
    end.num_rows = writer.num_rows;
    end.finish();
    const bytes = own.getBytes().slice();
    if (this.inFooters > 0 && this.inFooters + bytes.length > FOOTERS * this.written) return;
    this.inFooters += bytes.length;
    to.offset += bytes.length;
    this.send(bytes);
  }

  private drain(isLast = false): void {
    const bytes = this.to.getBytes().slice();
    this.to.index = 0;
    this.send(bytes, isLast);
  }

  private send(bytes: Uint8Array, isLast = false): void {
    if (isLast) this.sealing.end(bytes);
    else this.sealing.take(bytes);
    this.written += bytes.length;
    this.write(bytes);
  }

  end(): void {
    if (this.rows > 0) this.group();
    this.writer.finish();
    this.drain(true);
  }
}
