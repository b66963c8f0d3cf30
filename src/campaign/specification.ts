/** The checked content of a campaign file. */
import * as z from "zod";
import { check, type Document } from "../model/document.ts";
import { quantity, strict } from "../model/schema.ts";
import { ExpressionError, parseExpression } from "./expression.ts";
import { type Measure, OF_EVENTS, OF_SAMPLES } from "./measures.ts";
import { dimensionsOf, SAMPLINGS, type Sampling } from "./sampling.ts";
import {
  amount,
  complainer,
  distributionSchema,
  numberOrText,
  readVaried,
  siOf,
  type Varied,
} from "./varied.ts";

export const MOST_RUNS = 10_000_000;
/** Runs whose samples are kept; of those that a condition chooses so many a block. */
export const MOST_TRACES = 10_000;
export const MOST_TRACES_A_BLOCK = 100;
/** Seeds of runs are made of the campaign's seed and the index. */
export const LARGEST_SEED = 1_048_575;

const whole = (meaning: string, min: number, max: number) =>
  quantity({ unit: "1", meaning, min, max }).refine(Number.isInteger, { message: "is not a whole number" });
const expression = numberOrText("an expression over names, as hypot(north, east) or altitude < 10 and t > 5");
const measureSchema = strict({
  ...Object.fromEntries(OF_SAMPLES.map((kind) => [kind, expression.optional()])),
  settle: strict({ of: expression, to: amount, within: amount }).optional(),
  ...Object.fromEntries(OF_EVENTS.map((kind) => [kind, z.string().optional()])),
});

export const campaignSchema = strict({
  description: z.string().optional().meta({ description: "one-line description" }),
  scenario: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: "a scenario: its file, a vehicle's name, or the scenario itself" }),
  runs: whole("number of runs; optional where grids define it", 1, MOST_RUNS).optional(),
  seed: whole("seed of all that is drawn", 0, LARGEST_SEED).optional(),
  sampling: z
    .enum(SAMPLINGS)
    .optional()
    .meta({ description: "random (default), latin (hypercube) or sobol (evenly spread)" }),
  vary: z
    .record(z.string(), distributionSchema)
    .optional()
    .meta({ description: "fields of the scenario, by their place in it, and their distributions" }),
  measure: z.record(z.string(), measureSchema).meta({ description: "what is measured of each run, by name" }),
  fail: expression
    .optional()
    .meta({ description: "condition over the measures under which a run has failed" }),
  landing: z
    .array(z.string())
    .refine((names) => names.length === 2, {
      message: "does not have two names",
      params: { allowed: "two measures, north and east" },
    })
    .optional()
    .meta({ description: "two measures that give the landing point, north and east" }),
  traces: strict({
    first: whole("of so many runs from the first on", 0, MOST_RUNS).optional(),
    every: whole("of every so many", 1, MOST_RUNS).optional(),
    when: expression.optional(),
    fields: z.array(z.string()).min(1).optional(),
  })
    .optional()
    .meta({ description: "runs whose samples are kept" }),
});
export type CampaignFile = z.infer<typeof campaignSchema>;

export interface Specification {
  readonly description?: string;
  readonly runs: number;
  readonly seed: number;
  readonly sampling: Sampling;
  readonly varied: readonly Varied[];
}

/** All but the measures, which need the run's channels. */
export function readSpecification(source: Document): { file: CampaignFile; specification: Specification } {
  const file = check(campaignSchema, source);
  const complain = complainer(source);
  const varied = Object.entries(file.vary ?? {}).map(([name, block]) => readVaried(name, block, complain));
  const cells = varied.reduce((n, { distribution: d }) => n * (d.kind === "grid" ? d.values.length : 1), 1);
  if (cells > MOST_RUNS) throw complain(`${cells} cells are too many`, ["vary"], `up to ${MOST_RUNS}`);
  const runs = file.runs ?? (cells > 1 ? cells : undefined);
  if (runs === undefined) throw complain("is missing", ["runs"], `a whole number from 1 to ${MOST_RUNS}`);
  if (runs % cells !== 0)
    throw complain(
      `${runs} runs do not fill the grid of ${cells}`,
      ["runs"],
      `a multiple of ${cells}, as ${cells * Math.max(1, Math.round(runs / cells))}`,
    );
  const sampling = file.sampling ?? "random";
  const drawn = varied.filter(({ distribution }) => distribution.kind !== "grid").length;
  if (drawn > dimensionsOf(sampling))
    throw complain(
      `${drawn} fields are too many for ${sampling}`,
      ["sampling"],
      "random or latin; or fewer fields",
    );
  return {
    file,
    specification: { description: file.description, runs, seed: file.seed ?? 1, sampling, varied },
  };
}

export interface Evaluation {
  readonly measures: readonly Measure[];
  /** Over the measures and t_end. */
  readonly fails?: (row: ArrayLike<number>) => boolean;
  readonly landing?: readonly [north: string, east: string];
  readonly traces: {
    readonly first: number;
    readonly every: number;
    readonly when?: (row: ArrayLike<number>) => boolean;
    readonly fields?: readonly string[];
  };
}

/** Names that a table of runs has besides fields and measures. */
export const RESERVED = ["run", "seed", "t_end", "end", "failed", "error", "hash"] as const;

/** Measures, what fails and what is kept, over the channels and events that a run has. */
export function readEvaluation(
  { measure, fail, landing, traces = {}, vary = {} }: CampaignFile,
  channels: readonly string[],
  events: readonly string[],
  runs: number,
  source: Document,
): Evaluation {
  const complain = complainer(source);
  const parsed = (text: string | number, known: readonly string[], path: readonly (string | number)[]) => {
    try {
      return parseExpression(String(text), known);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw complain(
        `"${text}": ${error.message}`,
        path,
        known === channels
          ? "an expression over the run's channels (`sideslip describe`; quoted, if it has commas)"
          : `an expression over ${known.join(", ")}`,
      );
    }
  };
  const names = Object.keys(measure);
  if (names.length === 0) throw complain("measures nothing", ["measure"], "at least one measure");
  const measures = names.map((name): Measure => {
    const path = ["measure", name];
    if (!/^[A-Za-z_]\w*$/.test(name) || [...RESERVED, ...Object.keys(vary)].includes(name))
      throw complain(
        `"${name}" cannot be a measure's name`,
        path,
        "letters, digits and _, not taken by a column",
      );
    const block = measure[name] as Readonly<Record<string, unknown>>;
    const [kind, ...more] = Object.keys(block).filter((k) => block[k] !== undefined);
    if (kind === undefined || more.length > 0)
      throw complain(
        kind === undefined ? "measures nothing" : `is ${[kind, ...more].join(" and ")}`,
        path,
        `one of ${[...OF_SAMPLES, "settle", ...OF_EVENTS].join(", ")}`,
      );
    if (kind === "event" || kind === "count") {
      const event = block[kind] as string;
      if (!events.includes(event))
        throw complain(
          `there is no event "${event}"`,
          [...path, kind],
          events.join(", ") || "none: these runs have no events",
        );
      return { name, kind, event };
    }
    if (kind === "settle") {
      const { of, to, within } = block.settle as { of: string; to: number | string; within: number | string };
      const [value, band] = [siOf(to), siOf(within)];
      if (!Number.isFinite(value) || !(band > 0))
        throw complain("needs a value and a band", [...path, kind], "to: a number, within: > 0");
      return { name, kind, of: parsed(of, channels, [...path, kind, "of"]), to: value, within: band };
    }
    const sampled = kind as (typeof OF_SAMPLES)[number];
    return { name, kind: sampled, of: parsed(block[kind] as string, channels, [...path, kind]) };
  });
  const outcome = [...names, "t_end"];
  const condition = (
    text: string | number | undefined,
    path: readonly (string | number)[],
    isMet: (v: number) => boolean,
  ) => {
    if (text === undefined) return undefined;
    const { evaluate } = parsed(text, outcome, path);
    return (row: ArrayLike<number>) => isMet(evaluate(row));
  };
  if (landing !== undefined && landing[0] === landing[1])
    throw complain("has the same measure twice", ["landing"], "two measures, north and east");
  landing?.forEach((name, i) => {
    if (!names.includes(name)) throw complain(`"${name}" is not measured`, ["landing", i], names.join(", "));
  });
  const kept = (traces.first ?? 0) + (traces.every ? runs / traces.every : 0);
  if (kept > MOST_TRACES)
    throw complain(`keeps the samples of ${Math.ceil(kept)} runs`, ["traces"], `up to ${MOST_TRACES}`);
  const lost = traces.fields?.find((name) => !channels.includes(name));
  if (lost !== undefined)
    throw complain(
      `there is no channel "${lost}"`,
      ["traces", "fields"],
      "names that `sideslip describe` lists",
    );
  return {
    measures,
    // A run whose `fail` expression is undefined, because a measure is missing, counts as failed.
    fails: condition(fail, ["fail"], (v) => !(v <= 0)),
    landing: landing as readonly [string, string] | undefined,
    traces: {
      first: traces.first ?? 0,
      every: traces.every ?? 0,
      when: condition(traces.when, ["traces", "when"], (v) => v > 0),
      fields: traces.fields,
    },
  };
}
