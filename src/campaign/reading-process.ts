/** Reads a table of unknown origin in a process that can be ended: a damaged or hostile file takes nobody else along. */
import { openTable, type Piece, type Table } from "./table.ts";
import { bytesOf } from "./whole-file.ts";

export type Asked =
  | { readonly open: string }
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
    table = await openTable(bytesOf(asked.open));
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
