/** Runs of a block, side by side where the equations can be compiled: the same rows in any case. */
import { runBatch } from "../compile/batch.ts";
import { ParquetTable } from "../formats/parquet.ts";
import { InputError } from "../model/input-error.ts";
import { createSimulation } from "../simulation/create.ts";
import { RunError } from "../simulation/divergence.ts";
import { columnsOf as placesOf, type Sink } from "../simulation/recorder.ts";
import { Run, run } from "../simulation/run.ts";
import type { Campaign, Planned } from "./campaign.ts";
import { Meter } from "./measures.ts";
import { RowDigest } from "./row-digest.ts";
import { MOST_TRACES_A_BLOCK } from "./specification.ts";
import { columnsOf, type Row, TableWriter } from "./table.ts";

/** What a block gives: bytes, to be kept whatever becomes of the others. */
export interface BlockResult {
  readonly part: Uint8Array;
  readonly runs: number;
  readonly failed: number;
  readonly traces: readonly { readonly run: number; readonly bytes: Uint8Array }[];
  /** Traces that were too many to keep. */
  readonly dropped: number;
}

export interface BlockOptions {
  readonly isPlain?: boolean;
}

export const rangeOf = ({ blockSize, runs }: Campaign, block: number): [from: number, to: number] => [
  block * blockSize,
  Math.min(runs, (block + 1) * blockSize),
];

/** Key-value metadata of every file of a campaign. */
export const metadataOf = ({ hash, words }: Campaign): Record<string, string> => ({
  "sideslip.hash": hash,
  "sideslip.campaign": JSON.stringify(words),
});

/** Flies one block of a campaign and gives the bytes of its part of the result; the same wherever it is flown. */
export function runBlock(campaign: Campaign, block: number, options: BlockOptions = {}): BlockResult {
  const [from, to] = rangeOf(campaign, block);
  const rows = rowsOf(campaign, from, to, options);
  const chunks: Uint8Array[] = [];
  const columns = columnsOf(campaign);
  const writer = new TableWriter(
    columns,
    { "sideslip.hash": campaign.hash, "sideslip.block": String(block), "sideslip.digest": "" },
    (bytes) => chunks.push(bytes),
  );
  const digest = new RowDigest();
  for (const row of rows) {
    const values = columns.map((c) => c.of(row));
    digest.add(values);
    writer.add(values);
  }
  writer.end({ "sideslip.digest": digest.toString() });
  const traced = rows.filter((row) => isTraced(campaign, row));
  return {
    part: joined(chunks),
    runs: rows.length,
    failed: rows.filter((row) => row.failed).length,
    traces: traced
      .slice(0, MOST_TRACES_A_BLOCK)
      .map((row) => ({ run: row.run, bytes: traceOf(campaign, row.run) })),
    dropped: Math.max(0, traced.length - MOST_TRACES_A_BLOCK),
  };
}

/** Rows of the runs from..to, in their order. */
export function rowsOf(campaign: Campaign, from: number, to: number, { isPlain }: BlockOptions = {}): Row[] {
  const rows: Row[] = new Array(to - from);
  const underWay = new Map<Run, { planned: Planned; meter: Meter }>();
  const put = (row: Row) => {
    rows[row.run - from] = row;
  };
  function* runs(): Generator<Run> {
    for (let index = from; index < to; index++) {
      const begun = begin(campaign, index, put);
      if (begun === undefined) continue;
      underWay.set(begun.run, begun);
      yield begun.run;
    }
  }
  runBatch(
    runs(),
    (job, error) => {
      const { planned, meter } = underWay.get(job) as { planned: Planned; meter: Meter };
      underWay.delete(job);
      put(rowOf(campaign, planned, job, meter, error));
    },
    isPlain === undefined ? {} : { isPlain },
  );
  return rows;
}

const isExpected = (error: unknown): error is Error =>
  error instanceof InputError || error instanceof RunError;

/** A run made ready; where its numbers are invalid, its row is complete at once. */
function begin(
  campaign: Campaign,
  index: number,
  put: (row: Row) => void,
): { run: Run; planned: Planned; meter: Meter } | undefined {
  try {
    const planned = campaign.plan(index);
    const meter = new Meter(campaign.measures);
    const simulation = createSimulation(planned.scenario);
    return {
      run: new Run(simulation, planned.scenario.duration, meter.isNeeded ? [meter] : []),
      planned,
      meter,
    };
  } catch (error) {
    if (!isExpected(error)) throw error;
    const { drawn, seed } = campaign.draw(index);
    put({
      run: index,
      seed,
      drawn,
      measured: campaign.measures.map(() => Number.NaN),
      t_end: 0,
      end: "error",
      failed: true,
      error: `cannot begin: ${error.message}`,
      hash: "",
    });
    return undefined;
  }
}

function rowOf(campaign: Campaign, planned: Planned, job: Run, meter: Meter, error?: unknown): Row {
  if (error !== undefined && !isExpected(error)) throw error;
  const { simulation } = job;
  const nothing = () => Float64Array.from(campaign.measures, () => Number.NaN);
  const measured = error === undefined ? meter.values(simulation) : nothing();
  const outcome = Float64Array.from([...measured, simulation.t]);
  return {
    run: planned.index,
    seed: planned.seed,
    drawn: planned.drawn,
    measured,
    t_end: simulation.t,
    end:
      error !== undefined
        ? "error"
        : simulation.finished
          ? (simulation.events.at(-1)?.name ?? "end")
          : "duration",
    failed: error !== undefined || campaign.fails?.(outcome) === true,
    error: error?.message,
    hash: simulation.digest(),
  };
}

function isTraced({ traces }: Campaign, { run: index, measured, t_end, hash }: Row): boolean {
  if (hash === "") return false;
  const isRegular = index < traces.first || (traces.every > 0 && index % traces.every === 0);
  return isRegular || traces.when?.(Float64Array.from([...Array.from(measured), t_end])) === true;
}

/** A run is a pure function: to keep its samples it is flown again. */
function traceOf(campaign: Campaign, index: number): Uint8Array {
  const { scenario } = campaign.plan(index);
  const simulation = createSimulation(scenario);
  const chunks: Uint8Array[] = [];
  const places = placesOf(simulation.channels, campaign.traces.fields);
  const table = new ParquetTable(
    Array.from(places, (i) => simulation.channels[i]),
    (bytes) => chunks.push(bytes),
  );
  const chosen = new Float64Array(places.length);
  const sink: Sink = {
    open: () => campaign.traces.fields,
    write(row) {
      for (let i = 0; i < places.length; i++) chosen[i] = row[places[i]];
      table.add(chosen);
    },
    close: () => table.end(),
  };
  try {
    run(simulation, scenario.duration, [sink]);
  } catch (error) {
    // What was flown before it failed is kept.
    if (!isExpected(error)) throw error;
  }
  return joined(chunks);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((n, c) => n + c.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
