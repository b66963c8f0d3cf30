/** Tables of the same campaign as one, whoever made them. */
import { metadataOf } from "./block.ts";
import type { Campaign } from "./campaign.ts";
import { RowDigest } from "./row-digest.ts";
import { type Cells, columnsOf, type Table, TableWriter } from "./table.ts";
import { WholeFile } from "./whole-file.ts";

/** Rows that are read at once. */
const PIECE = 8192;

export async function* rowsIn(table: Table): AsyncGenerator<Cells> {
  for (let from = 0; from < table.rows; from += PIECE)
    yield* await table.read(from, Math.min(table.rows, from + PIECE));
}

/** Whether the rows are those that were written. */
export async function isUnchanged(table: Table): Promise<boolean> {
  const digest = new RowDigest();
  const names = table.columns.map((c) => c.name);
  for await (const row of rowsIn(table)) digest.add(names.map((name) => row[name] ?? null));
  return digest.toString() === table.metadata["sideslip.digest"];
}

/** Rows of tables that are each in order of their runs, in order; a run that stands twice is taken once. */
export async function* inOrder(tables: readonly Table[]): AsyncGenerator<Cells> {
  const streams = tables.map((table) => rowsIn(table));
  const heads = await Promise.all(streams.map((stream) => stream.next()));
  for (let last = -1; ; ) {
    let least = -1;
    heads.forEach(({ done, value }, k) => {
      if (!done && (least < 0 || Number(value.run) < Number(heads[least].value.run))) least = k;
    });
    if (least < 0) return;
    const row = heads[least].value as Cells;
    if (Number(row.run) > last) yield row;
    last = Number(row.run);
    heads[least] = await streams[least].next();
  }
}

/** Rows of a campaign as one table. */
export async function mergeRows(
  campaign: Campaign,
  rows: AsyncIterable<Cells>,
  out: string,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const columns = columnsOf(campaign);
  const names = columns.map((c) => c.name);
  const digest = new RowDigest();
  // The digest goes into the metadata, which is written last.
  const metadata: Record<string, string> = { ...metadataOf(campaign), ...more, "sideslip.digest": "" };
  const file = new WholeFile(out);
  try {
    const writer = new TableWriter(columns, metadata, (bytes) => file.write(bytes));
    for await (const row of rows) {
      const values = names.map((name) => row[name] ?? null);
      digest.add(values);
      writer.add(values);
    }
    writer.end({ "sideslip.digest": digest.toString() });
    file.finish();
  } catch (error) {
    file.discard();
    throw error;
  }
}
