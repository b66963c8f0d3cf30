/** Reads a table of unknown origin in a process that can be ended: a damaged or hostile file takes nobody else along. */
import { upToLastFooter } from "../formats/parquet-recovery.ts";
import { openTable, type Piece, type Table } from "./table.ts";
import { bytesOf } from "./whole-file.ts";

export type Asked =
  /** `isCut`: as far as it goes, where its end is missing. */
  | { readonly open: string; readonly isCut?: boolean }
  | { readonly columns: readonly string[] | undefined }
  | { readonly next: true };

export interface Answer {
  readonly opened?: Omit<Table, "pieces">;
  readonly piece?: Piece;
  readonly failure?: string;
}

let table: Table | undefined;
let pieces: AsyncGenerator<Piece> | undefined;

async function answerTo(asked: Asked): Promise<Answer> {
  if ("open" in asked) {
    const bytes = bytesOf(asked.open);
    table = await openTable(asked.isCut ? ((await upToLastFooter(bytes)) ?? bytes) : bytes);
    const { rows, metadata, columns } = table;
    return { opened: { rows, metadata, columns } };
  }
  if ("columns" in asked) {
    pieces = table?.pieces(asked.columns);
    return {};
  }
  const { value, done } = (await pieces?.next()) ?? { value: undefined, done: true };
  return done ? {} : { piece: value };
}

process.on("message", (asked: Asked) => {
  answerTo(asked).then(
    (answer) => process.send?.(answer),
    (error: Error) => process.send?.({ failure: error.message } satisfies Answer),
  );
});
process.on("disconnect", () => process.exit());
