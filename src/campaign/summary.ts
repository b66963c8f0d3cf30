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
  /** How often runs ended by what. */
  readonly ends: ReadonlyMap<string, number>;
  /** Of runs that have one. */
  readonly errors: ReadonlyMap<number, string>;
  /** Varied fields and measures; texts as the places of their values, what is missing as NaN. */
  readonly numbers: ReadonlyMap<string, Float64Array>;
}

/** Rank correlations are known well enough from so many runs, taken evenly. */
const MOST_RANKED = 100_000;

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
  const ends = new Map<string, number>();
  const errors = new Map<number, string>();
  await table.scan(["run", "failed", "end", "error", ...names], (column, values, from) => {
    const to = numbers.get(column);
    for (let k = 0; k < values.length; k++) {
      const value = values[k];
      const i = from + k;
      if (column === "run") run[i] = Number(value);
      else if (column === "failed") failed[i] = value === true ? 1 : 0;
      else if (column === "end") ends.set(String(value), (ends.get(String(value)) ?? 0) + 1);
      else if (column === "error") {
        if (typeof value === "string") errors.set(i, value);
      } else if (to)
        to[i] =
          value === null || value === undefined
            ? Number.NaN
            : typeof value === "string"
              ? (words.get(column)?.indexOf(value) ?? Number.NaN)
              : Number(value);
    }
  });
  return { rows, run, failed, ends, errors, numbers };
}

export function summarise(campaign: Campaign, columns: Columns): Summary {
  const { rows, failed, ends, errors, numbers } = columns;
  const count = failed.reduce((a, b) => a + b, 0);
  const byCount = (counts: ReadonlyMap<string, number>) => [...counts].sort((a, b) => b[1] - a[1]);
  // Numbers in messages differ from run to run: the first of each kind stands for the others.
  const kinds = new Map<string, [message: string, count: number]>();
  for (const message of errors.values()) {
    const kind = message.replace(/-?\d[\d.e+-]*/g, "#");
    const [first = message, count = 0] = kinds.get(kind) ?? [];
    kinds.set(kind, [first, count + 1]);
  }
  const { landing } = campaign;
  const scratch = new Float64Array(rows);
  return {
    runs: rows,
    planned: campaign.runs,
    failed: { count, ...proportionOf(count, rows) },
    ends: Object.fromEntries(byCount(ends)),
    errors: [...kinds.values()].sort((a, b) => b[1] - a[1]).slice(0, 10),
    measures: campaign.measures.map(({ name }) => measureSummary(name, campaign, columns, scratch)),
    landing: landing && {
      names: landing,
      scatter: scatterOf(...(pairs(numbers, landing) as [Float64Array, Float64Array])),
    },
    worst: worstRuns(campaign, columns),
  };
}

/** Of runs that have both, every so many of them. */
export function pairs(
  numbers: Columns["numbers"],
  names: readonly [string, string],
  every = 1,
): [Float64Array, Float64Array] {
  const [a, b] = names.map((name) => numbers.get(name) as Float64Array);
  const x = new Float64Array(Math.ceil(a.length / every));
  const y = new Float64Array(x.length);
  let count = 0;
  for (let i = 0; i < a.length; i += every)
    if (!Number.isNaN(a[i]) && !Number.isNaN(b[i])) {
      x[count] = a[i];
      y[count++] = b[i];
    }
  return [x.subarray(0, count), y.subarray(0, count)];
}

/** `scratch` has room for all runs: a million of them should not need it for every measure. */
function measureSummary(
  name: string,
  { varied }: Campaign,
  { numbers }: Columns,
  scratch: Float64Array,
): MeasureSummary {
  const all = numbers.get(name) as Float64Array;
  let count = 0;
  for (const v of all) if (!Number.isNaN(v)) scratch[count++] = v;
  const values = scratch.subarray(0, count);
  const none = values.length === 0;
  const sensitivity = varied
    .map((field): Sensitivity => {
      const [x, y] = pairs(numbers, [field.name, name], Math.ceil(all.length / MOST_RANKED));
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
  const sorted = values.sort();
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

/** Some that could not go on, the extremes of each measure, and more that failed. */
function worstRuns(campaign: Campaign, { rows, run, failed, errors, numbers }: Columns): WorstRun[] {
  const found = new Map<number, string>();
  const names = campaign.measures.map((m) => m.name);
  for (const [i, message] of [...errors].slice(0, WORST / 4)) found.set(i, `failed: ${message}`);
  for (const name of names) {
    const values = numbers.get(name) as Float64Array;
    let [least, most] = [-1, -1];
    for (let i = 0; i < rows; i++) {
      if (Number.isNaN(values[i])) continue;
      if (most < 0 || values[i] > values[most]) most = i;
      if (least < 0 || values[i] < values[least]) least = i;
    }
    if (most < 0 || values[most] === values[least]) continue;
    if (!found.has(most)) found.set(most, `largest ${name}${failed[most] ? ", failed" : ""}`);
    if (!found.has(least)) found.set(least, `smallest ${name}${failed[least] ? ", failed" : ""}`);
  }
  for (let i = 0; i < rows && found.size < 2 * WORST; i++)
    if (failed[i] === 1 && !found.has(i)) found.set(i, "failed");
  return [...found].slice(0, 2 * WORST).map(([i, why]) => ({
    run: run[i],
    why,
    values: Object.fromEntries(names.map((name) => [name, (numbers.get(name) as Float64Array)[i]])),
  }));
}
