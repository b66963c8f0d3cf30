/** Columns of a campaign's results as numbers. */
import type { Campaign } from "./campaign.ts";
import type { Table } from "./table.ts";

/** Of a varied field or a measure in one of `every` rows; texts as the places of their values, what is missing as NaN. */
export async function numbersOf(
  { varied }: Campaign,
  table: Table,
  name: string,
  every = 1,
): Promise<Float64Array> {
  const distribution = varied.find((v) => v.name === name)?.distribution;
  const texts = distribution !== undefined && "values" in distribution ? distribution.values : [];
  const places = new Map(texts.map((text, i) => [String(text), i]));
  const numbers = new Float64Array(Math.ceil(table.rows / every));
  for await (const {
    from,
    rows,
    columns: [values],
  } of table.pieces([name]))
    for (let i = Math.ceil(from / every); i * every < from + rows; i++) {
      const value = values[i * every - from] ?? Number.NaN;
      numbers[i] = typeof value === "string" ? (places.get(value) ?? Number.NaN) : Number(value);
    }
  return numbers;
}

/** Numbers that are there, moved to the front. (`filter` boxes each, which a million feel.) */
export function present(numbers: Float64Array): Float64Array {
  let count = 0;
  for (const v of numbers) if (!Number.isNaN(v)) numbers[count++] = v;
  return numbers.subarray(0, count);
}

/** Those that both have, moved to the front of both. */
export function pairs(a: Float64Array, b: Float64Array): [Float64Array, Float64Array] {
  for (let i = 0; i < a.length; i++) if (Number.isNaN(a[i]) || Number.isNaN(b[i])) a[i] = b[i] = Number.NaN;
  return [present(a), present(b)];
}

/** How runs ended. */
export interface Ends {
  /** By row. */
  readonly failed: Uint8Array;
  /** How often by what. */
  readonly counts: ReadonlyMap<string, number>;
  /** Runs with an error. */
  readonly stopped: number;
  /** Numbers in messages differ from run to run: of each kind the first, its row, and how often. */
  readonly errors: readonly { readonly message: string; readonly row: number; readonly count: number }[];
}

export async function endsOf(table: Table): Promise<Ends> {
  const failed = new Uint8Array(table.rows);
  const counts = new Map<string, number>();
  const kinds = new Map<string, { message: string; row: number; count: number }>();
  let stopped = 0;
  for await (const { from, rows, columns } of table.pieces(["failed", "end", "error"]))
    for (let i = 0; i < rows; i++) {
      const [isFailed, end, error] = columns.map((column) => column[i]);
      if (isFailed === true) failed[from + i] = 1;
      counts.set(String(end), (counts.get(String(end)) ?? 0) + 1);
      if (typeof error !== "string") continue;
      stopped++;
      const kind = error.replace(/-?\d[\d.e+-]*/g, "#");
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { message: error, row: from + i, count: 1 });
      else known.count++;
    }
  return { failed, counts, stopped, errors: [...kinds.values()].sort((a, b) => b.count - a.count) };
}
