/** What a campaign's results tell: estimates, what they depend on, and the worst runs. */
import type { Campaign } from "./campaign.ts";
import {
  type Estimate,
  histogram,
  meanOf,
  proportionOf,
  quantileOf,
  rankCorrelation,
  type Scatter,
  scatterOf,
} from "./statistics.ts";
import type { Table } from "./table.ts";

export const QUANTILES = [0.05, 0.5, 0.95, 0.99] as const;
const WORST = 10;

export interface Sensitivity {
  readonly field: string;
  readonly rho: number;
  readonly isSignificant: boolean;
}

export interface MeasureSummary {
  readonly name: string;
  /** Runs that have it. */
  readonly count: number;
  readonly missing: number;
  readonly min: number;
  readonly max: number;
  readonly mean: Estimate & { readonly sd: number };
  readonly quantiles: readonly (Estimate & { readonly p: number })[];
  readonly histogram: ReturnType<typeof histogram>;
  /** The mean after so many runs. */
  readonly convergence: readonly (Estimate & { readonly runs: number })[];
  /** The strongest first. */
  readonly sensitivity: readonly Sensitivity[];
}

export interface WorstRun {
  readonly run: number;
  readonly why: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface Summary {
  readonly runs: number;
  readonly planned: number;
  readonly failed: Estimate & { readonly count: number };
  readonly ends: Readonly<Record<string, number>>;
  /** Errors and how often, the most frequent first. */
  readonly errors: readonly (readonly [message: string, count: number])[];
  readonly measures: readonly MeasureSummary[];
  readonly landing?: { readonly names: readonly [string, string]; readonly scatter: Scatter };
  readonly worst: readonly WorstRun[];
}

/** Numbers of a table, column by column. */
export interface Columns {
  readonly rows: number;
  readonly run: Float64Array;
  readonly failed: Uint8Array;
  readonly end: readonly string[];
  readonly error: readonly (string | null)[];
  /** Varied fields and measures; texts as the places of their values, what is missing as NaN. */
  readonly numbers: ReadonlyMap<string, Float64Array>;
}

const PIECE = 65536;

export async function readColumns(campaign: Campaign, table: Table): Promise<Columns> {
  const { rows } = table;
  const names = [...campaign.varied.map((v) => v.name), ...campaign.measures.map((m) => m.name)];
  const numbers = new Map(names.map((name) => [name, new Float64Array(rows)]));
  const words = new Map(
    campaign.varied.flatMap(({ name, distribution: d }) =>
      "values" in d ? [[name, d.values.map(String)] as const] : [],
    ),
  );
  const run = new Float64Array(rows);
  const failed = new Uint8Array(rows);
  const known = new Map<string, string>();
  const once = (text: string) => {
    if (!known.has(text)) known.set(text, text);
    return known.get(text) as string;
  };
  const [end, error]: [string[], (string | null)[]] = [[], []];
  for (let from = 0; from < rows; from += PIECE) {
    const cells = await table.read(from, Math.min(rows, from + PIECE));
    cells.forEach((row, k) => {
      const i = from + k;
      run[i] = Number(row.run);
      failed[i] = row.failed === true ? 1 : 0;
      // Few words, many rows: each word is kept once.
      end.push(once(String(row.end)));
      error.push((row.error as string | null | undefined) ?? null);
      for (const name of names) {
        const value = row[name];
        (numbers.get(name) as Float64Array)[i] =
          typeof value === "number"
            ? value
            : typeof value === "string"
              ? (words.get(name)?.indexOf(value) ?? Number.NaN)
              : Number.NaN;
      }
    });
  }
  return { rows, run, failed, end, error, numbers };
}

export function summarise(campaign: Campaign, columns: Columns): Summary {
  const { rows, failed, end, error, numbers } = columns;
  const count = failed.reduce((a, b) => a + b, 0);
  const tally = (list: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of list) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  };
  const { landing } = campaign;
  return {
    runs: rows,
    planned: campaign.runs,
    failed: { count, ...proportionOf(count, rows) },
    ends: Object.fromEntries(tally(end)),
    // Numbers in messages differ from run to run.
    errors: tally(
      error.filter((e): e is string => e !== null).map((e) => e.replace(/-?\d[\d.e+-]*/g, "#")),
    ).slice(0, 10),
    measures: campaign.measures.map(({ name }) => measureSummary(name, campaign, columns)),
    landing: landing && {
      names: landing,
      scatter: scatterOf(...(pairs(numbers, landing) as [Float64Array, Float64Array])),
    },
    worst: worstRuns(campaign, columns),
  };
}

/** Of runs that have both. */
export function pairs(
  numbers: Columns["numbers"],
  names: readonly [string, string],
): [Float64Array, Float64Array] {
  const [a, b] = names.map((name) => numbers.get(name) as Float64Array);
  const has = Array.from(a, (_, i) => i).filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  return [Float64Array.from(has, (i) => a[i]), Float64Array.from(has, (i) => b[i])];
}

function measureSummary(name: string, { varied }: Campaign, { numbers }: Columns): MeasureSummary {
  const all = numbers.get(name) as Float64Array;
  const values = all.filter((v) => !Number.isNaN(v));
  const sorted = values.slice().sort();
  const none = values.length === 0;
  const sensitivity = varied
    .map((field): Sensitivity => {
      const [x, y] = pairs(numbers, [field.name, name]);
      return { field: field.name, ...rankCorrelation(x, y) };
    })
    .filter(({ rho }) => !Number.isNaN(rho))
    .sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho));
  const convergence: (Estimate & { runs: number })[] = [];
  for (let runs = 8; runs < values.length; runs *= 2) {
    const { value, low, high } = meanOf(values.subarray(0, runs));
    convergence.push({ runs, value, low, high });
  }
  const mean = meanOf(values);
  if (!none) convergence.push({ runs: values.length, value: mean.value, low: mean.low, high: mean.high });
  return {
    name,
    count: values.length,
    missing: all.length - values.length,
    min: none ? Number.NaN : sorted[0],
    max: none ? Number.NaN : sorted[sorted.length - 1],
    mean: none ? { ...mean, value: Number.NaN } : mean,
    quantiles: QUANTILES.map((p) =>
      none ? { p, value: Number.NaN, low: Number.NaN, high: Number.NaN } : { p, ...quantileOf(sorted, p) },
    ),
    histogram: none ? { from: 0, step: 1, counts: [] } : histogram(sorted),
    convergence,
    sensitivity,
  };
}

/** Runs that failed, then the extremes of each measure. */
function worstRuns(campaign: Campaign, { rows, run, failed, error, numbers }: Columns): WorstRun[] {
  const found = new Map<number, string>();
  const names = campaign.measures.map((m) => m.name);
  for (let i = 0; i < rows && found.size < WORST / 2; i++)
    if (failed[i] === 1) found.set(i, error[i] === null ? "failed" : `failed: ${error[i]}`);
  for (const name of names) {
    const values = numbers.get(name) as Float64Array;
    let [least, most] = [-1, -1];
    for (let i = 0; i < rows; i++) {
      if (Number.isNaN(values[i])) continue;
      if (most < 0 || values[i] > values[most]) most = i;
      if (least < 0 || values[i] < values[least]) least = i;
    }
    if (most < 0 || values[most] === values[least]) continue;
    if (!found.has(most)) found.set(most, `largest ${name}`);
    if (!found.has(least)) found.set(least, `smallest ${name}`);
  }
  return [...found].slice(0, 2 * WORST).map(([i, why]) => ({
    run: run[i],
    why,
    values: Object.fromEntries(names.map((name) => [name, (numbers.get(name) as Float64Array)[i]])),
  }));
}
