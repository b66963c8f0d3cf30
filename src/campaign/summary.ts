/** Summary of a campaign's results: estimates, sensitivities, and the worst runs. */
import type { Campaign } from "./campaign.ts";
import { type Grid, gridOf } from "./grid.ts";
import { type Ends, endsOf, numbersOf, pairs, present } from "./numbers.ts";
import { regression } from "./regression.ts";
import {
  type Estimate,
  histogram,
  meanOf,
  NO_ESTIMATE,
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
  /** Change of the measure per unit of the field, the other fields held; NaN where the field has texts. */
  readonly slope: Estimate;
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
  /** Part of its variance that the slopes explain. */
  readonly explained: number;
}

export interface WorstRun {
  readonly run: number;
  readonly why: string;
  readonly values: Readonly<Record<string, number>>;
}

/** Statistics of the results of a campaign: means, quantiles, shares of failures with confidence intervals, sensitivities. */
export interface Summary {
  readonly runs: number;
  readonly planned: number;
  readonly failed: Estimate & { readonly count: number };
  readonly ends: Readonly<Record<string, number>>;
  /** Runs that an error ended. */
  readonly stopped: number;
  /** Errors and how often, the most frequent first. */
  readonly errors: readonly (readonly [message: string, count: number])[];
  readonly measures: readonly MeasureSummary[];
  readonly landing?: { readonly names: readonly [string, string]; readonly scatter: Scatter };
  readonly grid?: Grid;
  readonly worst: readonly WorstRun[];
}

/** Rank correlations are known well enough from so many runs, taken evenly. */
const MOST_RANKED = 100_000;

/** Reads a column at a time: a million runs of many measures do not fit into memory that others want, too. */
export async function summarise(campaign: Campaign, table: Table): Promise<Summary> {
  const { rows } = table;
  const { landing, varied } = campaign;
  const ends = await endsOf(table);
  const failed = ends.failed.reduce((a, b) => a + b, 0);
  const every = Math.max(1, Math.ceil(rows / MOST_RANKED));
  const fields: Field[] = [];
  for (const { name, distribution } of varied)
    fields.push({
      name,
      numbers: await numbersOf(campaign, table, name, every),
      isText: "values" in distribution && distribution.values.some((v) => typeof v === "string"),
    });
  const measures: MeasureSummary[] = [];
  const extremes: Extreme[] = [];
  for (const { name } of campaign.measures) {
    const values = await numbersOf(campaign, table, name);
    extremes.push(...extremesOf(name, values));
    measures.push(measureSummary(name, values, fields, every));
  }
  return {
    runs: rows,
    planned: campaign.runs,
    failed: { count: failed, ...proportionOf(failed, rows) },
    ends: Object.fromEntries([...ends.counts].sort((a, b) => b[1] - a[1])),
    stopped: ends.stopped,
    errors: ends.errors.slice(0, 10).map(({ message, count }) => [message, count]),
    measures,
    landing: landing && {
      names: landing,
      scatter: scatterOf(
        ...pairs(await numbersOf(campaign, table, landing[0]), await numbersOf(campaign, table, landing[1])),
      ),
    },
    grid: await gridOf(campaign, table),
    worst: await worstRuns(campaign, table, ends, extremes),
  };
}

/** What varies, in the runs that are ranked. */
interface Field {
  readonly name: string;
  readonly numbers: Float64Array;
  readonly isText: boolean;
}

/** `fields` of one in `every` run; `all` is used up. */
function measureSummary(
  name: string,
  all: Float64Array,
  fields: readonly Field[],
  every: number,
): MeasureSummary {
  const some = Float64Array.from({ length: Math.ceil(all.length / every) }, (_, i) => all[i * every]);
  const numeric = fields.filter(({ isText }) => !isText);
  const { slopes, explained } = regression(
    numeric.map(({ numbers }) => numbers),
    some,
  );
  const sensitivity = fields
    .map(
      (field): Sensitivity => ({
        field: field.name,
        ...rankCorrelation(...pairs(field.numbers.slice(), some.slice())),
        slope: slopes[numeric.indexOf(field)] ?? NO_ESTIMATE,
      }),
    )
    .filter(({ rho }) => !Number.isNaN(rho))
    .sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho));
  const values = present(all);
  const none = values.length === 0;
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
    quantiles: QUANTILES.map((p) => (none ? { p, ...NO_ESTIMATE } : { p, ...quantileOf(sorted, p) })),
    histogram: none ? { from: 0, step: 1, counts: [] } : histogram(sorted),
    convergence,
    sensitivity,
    explained,
  };
}

interface Extreme {
  readonly row: number;
  readonly why: string;
}

/** Of what varies. */
function extremesOf(name: string, values: Float64Array): Extreme[] {
  let [least, most] = [-1, -1];
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    if (most < 0 || values[i] > values[most]) most = i;
    if (least < 0 || values[i] < values[least]) least = i;
  }
  if (most < 0 || values[most] === values[least]) return [];
  return [
    { row: most, why: `largest ${name}` },
    { row: least, why: `smallest ${name}` },
  ];
}

/** Some that could not go on, the extremes of each measure, and more that failed. */
async function worstRuns(
  campaign: Campaign,
  table: Table,
  { failed, errors }: Ends,
  extremes: readonly Extreme[],
): Promise<WorstRun[]> {
  const found = new Map<number, string>();
  for (const { row, message } of errors.slice(0, WORST / 4)) found.set(row, `failed: ${message}`);
  for (const { row, why } of extremes)
    if (!found.has(row)) found.set(row, `${why}${failed[row] ? ", failed" : ""}`);
  for (let row = 0; row < failed.length && found.size < 2 * WORST; row++)
    if (failed[row] === 1 && !found.has(row)) found.set(row, "failed");
  const rows = [...found.keys()].slice(0, 2 * WORST);
  const names = campaign.measures.map((m) => m.name);
  const at = new Map<string, number[]>();
  for (const name of ["run", ...names]) {
    const numbers = await numbersOf(campaign, table, name);
    at.set(
      name,
      rows.map((row) => numbers[row]),
    );
  }
  const valueAt = (name: string, k: number) => at.get(name)?.[k] ?? Number.NaN;
  return rows.map((row, k) => ({
    run: valueAt("run", k),
    why: found.get(row) as string,
    values: Object.fromEntries(names.map((name) => [name, valueAt(name, k)])),
  }));
}
