/** Tables of the same campaign as one, whoever made them. */
import { metadataOf } from "./block.ts";
import type { Campaign } from "./campaign.ts";
import { RowDigest } from "./row-digest.ts";
import { columnsOf, eachRow, type Piece, type Table, TableWriter } from "./table.ts";
import { WholeFile } from "./whole-file.ts";

/** Hears of rows, one after the other. */
export type TakeRow = (values: readonly unknown[]) => void;

/** Whether the rows are those that were written. */
export async function isUnchanged(table: Table): Promise<boolean> {
  const digest = new RowDigest();
  await eachRow(table, (values) => digest.add(values));
  return digest.toString() === table.metadata["sideslip.digest"];
}

/** The place of `run` among the columns of a campaign. */
const RUN = 0;

/** A place in a table that goes on row by row. */
class Cursor {
  private readonly pieces: AsyncGenerator<Piece>;
  private piece: Piece | undefined;
  private row = 0;

  constructor(table: Table) {
    this.pieces = table.pieces();
  }

  /** Beyond all others at the end. */
  get run(): number {
    return this.piece === undefined ? Number.POSITIVE_INFINITY : Number(this.piece.columns[RUN][this.row]);
  }

  get values(): unknown[] {
    return (this.piece?.columns ?? []).map((column) => column[this.row] ?? null);
  }

  async next(): Promise<void> {
    if (this.piece !== undefined && ++this.row < this.piece.rows) return;
    this.piece = (await this.pieces.next()).value as Piece | undefined;
    this.row = 0;
  }
}

/** Rows of tables that are each in order of their runs, in order; a run that stands twice is taken once. */
export async function inOrder(tables: readonly Table[], take: TakeRow): Promise<void> {
  const cursors = tables.map((table) => new Cursor(table));
  await Promise.all(cursors.map((cursor) => cursor.next()));
  for (let last = -1; ; ) {
    const least = cursors.reduce((a, b) => (b.run < a.run ? b : a));
    if (least.run === Number.POSITIVE_INFINITY) return;
    if (least.run > last) take(least.values);
    last = least.run;
    await least.next();
  }
}

/** Rows of a campaign as one table. */
export async function mergeRows(
  campaign: Campaign,
  rows: (take: TakeRow) => Promise<void>,
  out: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const digest = new RowDigest();
  // The digest goes into the metadata, which is written last.
  const metadata: Record<string, string> = { ...metadataOf(campaign), ...more, "sideslip.digest": "" };
  const file = new WholeFile(out);
  try {
    const writer = new TableWriter(columnsOf(campaign), metadata, (bytes) => file.write(bytes));
    await rows((values) => {
      digest.add(values);
      writer.add(values);
    });
    writer.end({ "sideslip.digest": digest.toString() });
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}
