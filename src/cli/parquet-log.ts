/** The log of a run that is a Parquet file, whole or cut off. */
import { openGuarded } from "../campaign/guarded-table.ts";
import { type ChannelsLog, MOST_NUMBERS } from "../formats/mcap-channels.ts";
import { InputError } from "../model/input-error.ts";
import { reason } from "./files.ts";

export async function readParquetLog(path: string, isCut: boolean): Promise<ChannelsLog> {
  const wrong = (problem: string, allowed?: string) => new InputError(problem, { file: path, allowed });
  let table: Awaited<ReturnType<typeof openGuarded>>;
  try {
    table = await openGuarded(path, new URL("./sideslip-reader.js", import.meta.url), undefined, isCut);
  } catch (error) {
    throw wrong(
      isCut
        ? "was cut off before its first block of samples was complete"
        : `cannot be read: ${reason(error)}`,
      isCut ? "at least one block of 8192 samples" : undefined,
    );
  }
  try {
    const names = table.columns.map((column) => column.name);
    if (names[0] !== "t")
      throw wrong(
        "is not a log of Sideslip",
        "a file of `sideslip run --out x.parquet`, whose first column is t",
      );
    if (table.rows * names.length > MOST_NUMBERS)
      throw wrong(
        `holds ${table.rows} samples of ${names.length} channels`,
        `up to ${MOST_NUMBERS / 1e6} million numbers`,
      );
    const rows: Float64Array[] = [];
    for await (const { rows: count, columns } of table.pieces())
      for (let i = 0; i < count; i++) rows.push(Float64Array.from(columns, (column) => Number(column[i])));
    if (rows.length < 2) throw wrong("has fewer than two samples", "at least two samples");
    const last = rows[rows.length - 1][0];
    const problem = isCut
      ? `was cut off; all samples up to t = ${Number(last.toFixed(6))} s were read`
      : undefined;
    return { names, rows, problem };
  } catch (error) {
    throw error instanceof InputError ? error : wrong(`cannot be read: ${reason(error)}`);
  } finally {
    table.close();
  }
}
