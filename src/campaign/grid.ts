/** What runs give in each cell of the grid that a campaign runs through. */
import type { Campaign } from "./campaign.ts";
import type { Word } from "./distributions.ts";
import { numbersOf, present } from "./numbers.ts";
import { type Estimate, meanOf, NO_ESTIMATE, proportionOf } from "./statistics.ts";
import type { Table } from "./table.ts";

interface Axis {
  readonly field: string;
  readonly values: readonly Word[];
}
export interface Cell {
  /** Along each axis. */
  readonly at: readonly Word[];
  readonly runs: number;
  readonly failed: Estimate & { readonly count: number };
  /** Means of the measures, over the runs that have them. */
  readonly means: Readonly<Record<string, Estimate>>;
}
export interface Grid {
  readonly axes: readonly Axis[];
  /** The first axis runs fastest. */
  readonly cells: readonly Cell[];
}

/** Along the first two fields of the grid: more do not fit on a page. */
export async function gridOf(campaign: Campaign, table: Table): Promise<Grid | undefined> {
  const axes = campaign.varied
    .flatMap(({ name, distribution: d }) => (d.kind === "grid" ? [{ field: name, values: d.values }] : []))
    .slice(0, 2);
  if (axes.length === 0) return undefined;
  const cellOf = await cellsOf(campaign, table, axes);
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  const inCells = async (name: string) => {
    const numbers = await numbersOf(campaign, table, name);
    const counts = new Int32Array(size);
    for (const cell of cellOf) counts[cell]++;
    const lists = Array.from(counts, (count) => new Float64Array(count));
    counts.fill(0);
    cellOf.forEach((cell, row) => {
      lists[cell][counts[cell]++] = numbers[row];
    });
    return lists;
  };
  const failed = await inCells("failed");
  const means = failed.map((): Record<string, Estimate> => ({}));
  for (const { name } of campaign.measures)
    (await inCells(name)).forEach((list, cell) => {
      const values = present(list);
      const { value, low, high } = meanOf(values);
      means[cell][name] = values.length === 0 ? NO_ESTIMATE : { value, low, high };
    });
  const cells = failed.map((list, cell): Cell => {
    const count = list.reduce((a, b) => a + b, 0);
    const [x, y] = axes;
    const at = [x.values[cell % x.values.length]];
    if (y) at.push(y.values[Math.floor(cell / x.values.length)]);
    return {
      at,
      runs: list.length,
      failed: { count, ...proportionOf(count, list.length) },
      means: means[cell],
    };
  });
  return { axes, cells };
}

/** The cell of each row. */
async function cellsOf(campaign: Campaign, table: Table, axes: readonly Axis[]): Promise<Int32Array> {
  const cells = new Int32Array(table.rows);
  let step = 1;
  for (const { field, values } of axes) {
    const numbers = await numbersOf(campaign, table, field);
    // A column with one text has texts alone, which are read as their places.
    const isText = values.some((value) => typeof value === "string");
    const places = new Map(values.map((value, i) => [isText ? i : Number(value), i]));
    for (let row = 0; row < cells.length; row++) cells[row] += step * (places.get(numbers[row]) ?? 0);
    step *= values.length;
  }
  return cells;
}
