/** What a person writes to ask for a campaign, checked. */
import { z } from "zod";
import { check, type Source } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { quantity, show, strict } from "../model/schema.ts";
import { parseUnit, type Unit } from "../model/units.ts";
import type { Distribution, Word } from "./distributions.ts";
import { ExpressionError, parseExpression } from "./expression.ts";
import { type Measure, OF_EVENTS, OF_SAMPLES } from "./measures.ts";
import { dimensionsOf, SAMPLINGS, type Sampling } from "./sampling.ts";

export const MOST_RUNS = 10_000_000;
/** Runs whose samples are kept; of those that a condition chooses so many a block. */
export const MOST_TRACES = 10_000;
export const MOST_TRACES_A_BLOCK = 100;
/** Seeds of runs are made of the campaign's seed and the index. */
export const LARGEST_SEED = 1_048_575;

const whole = (meaning: string, min: number, max: number) =>
  quantity({ unit: "1", meaning, min, max }).refine(Number.isInteger, { message: "is not a whole number" });
/** A number or a text; what else people write is refused in words. */
const numberOrText = (meaning: string) =>
  z
    .unknown()
    .meta({ description: meaning, type: ["number", "string"] })
    .transform((value, context): number | string => {
      if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) return value;
      context.addIssue({
        code: "custom",
        message: value === undefined ? "is missing" : `${show(value)} is not what belongs here`,
        params: { allowed: meaning },
      });
      return z.NEVER;
    });
const amount = numberOrText("a number in SI units, or with its unit as text");
const expression = numberOrText("an expression over names, as hypot(north, east) or altitude < 10 and t > 5");
const word = z.union([z.number(), z.string(), z.boolean()]);

const distributionSchema = strict({
  normal: strict({ mean: amount, sd: amount }).optional(),
  truncated: strict({ mean: amount, sd: amount, from: amount, to: amount }).optional(),
  uniform: strict({ from: amount, to: amount }).optional(),
  lognormal: strict({ median: amount, sigma: z.number() }).optional(),
  choice: z.array(word).min(1).optional(),
  weights: z.array(z.number()).optional(),
  grid: z.union([z.array(word).min(1), strict({ from: amount, to: amount, count: z.number() })]).optional(),
});

const measureSchema = strict({
  ...Object.fromEntries(OF_SAMPLES.map((kind) => [kind, expression.optional()])),
  settle: strict({ of: expression, to: amount, within: amount }).optional(),
  ...Object.fromEntries(OF_EVENTS.map((kind) => [kind, z.string().optional()])),
});

export const campaignSchema = strict({
  description: z.string().optional().meta({ description: "one line for people" }),
  scenario: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .meta({ description: "a scenario: its file, a vehicle's name, or its words" }),
  runs: whole("how many runs; may be left out where grids decide it", 1, MOST_RUNS).optional(),
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
  fail: expression.optional().meta({ description: "a run with this has failed, over the measures" }),
  landing: z
    .array(z.string())
    .refine((names) => names.length === 2, {
      message: "has not two names",
      params: { allowed: "two measures, north and east" },
    })
    .optional()
    .meta({ description: "two measures that are a place on the ground, north and east" }),
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

export interface Varied {
  /** Place in the scenario, as written. */
  readonly name: string;
  readonly distribution: Distribution;
  /** Values as written that the scenario must be able to take. */
  readonly probes: readonly unknown[];
}

export interface Specification {
  readonly description?: string;
  readonly runs: number;
  readonly seed: number;
  readonly sampling: Sampling;
  readonly varied: readonly Varied[];
}

type Complain = (problem: string, path: readonly (string | number)[], allowed?: string) => InputError;
const complainer =
  (source: Source): Complain =>
  (problem, path, allowed) =>
    new InputError(problem, { file: source.file, ...source.locate(path), field: path.join("."), allowed });

/** All but the measures, which need the run's channels. */
export function readSpecification(source: Source): { file: CampaignFile; specification: Specification } {
  const file = check(campaignSchema, source);
  const complain = complainer(source);
  const varied = Object.entries(file.vary ?? {}).map(([name, block]) => readVaried(name, block, complain));
  const cells = varied.reduce((n, { distribution: d }) => n * (d.kind === "grid" ? d.values.length : 1), 1);
  if (cells > MOST_RUNS) throw complain(`${cells} cells are too many`, ["vary"], `up to ${MOST_RUNS}`);
  const runs = file.runs ?? (cells > 1 ? cells : undefined);
  if (runs === undefined) throw complain("is missing", ["runs"], `a whole number from 1 to ${MOST_RUNS}`);
  if (runs % cells !== 0)
    throw complain(`${runs} runs do not fill the grid of ${cells}`, ["runs"], `a multiple of ${cells}`);
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

/** A number as written: its unit, and what it is in SI. */
function amountOf(
  value: number | string,
): (Unit & { readonly unit: string; readonly si: number }) | undefined {
  const [, digits, unit = ""] =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*)$/.exec(String(value).trim()) ?? [];
  const known = unit === "" ? SI : parseUnit(unit);
  if (digits === undefined || known === undefined || !Number.isFinite(Number(digits))) return undefined;
  return { ...known, unit, si: (Number(digits) * known.factor) / known.divisor };
}
const siOf = (value: number | string) => amountOf(value)?.si ?? Number.NaN;

const SI: Unit = { factor: 1, divisor: 1, dimension: [] };
type Block = z.infer<typeof distributionSchema>;

function readVaried(name: string, block: Block, complain: Complain): Varied {
  const path = ["vary", name];
  const { weights, ...kinds } = block;
  const given = Object.keys(kinds).filter((k) => kinds[k as keyof typeof kinds] !== undefined);
  const all = "normal, truncated, uniform, lognormal, choice or grid";
  if (given.length !== 1)
    throw complain(
      given.length === 0 ? "has no distribution" : `has ${given.join(" and ")}`,
      path,
      `one of ${all}`,
    );
  if (weights !== undefined && block.choice === undefined)
    throw complain("belongs to a choice", [...path, "weights"]);
  const units = new Map<string, Unit>();
  const number = (value: number | string, key: string): number => {
    const found = amountOf(value);
    if (found === undefined)
      throw complain(`"${value}" is not a number with a unit`, [...path, given[0], key]);
    if (found.unit !== "") units.set(found.unit, found);
    return found.si;
  };
  // A bare number is SI; the unit of the others must fit the field all the same.
  const inUnits = (si: number) =>
    [...units].map(([unit, { factor, divisor }]) => `${(si * divisor) / factor} ${unit}`);
  const ordered = (from: number, to: number) => {
    if (!(from < to))
      throw complain(`from ${from} to ${to} there is nothing`, [...path, given[0]], "from below to");
  };
  const spread = (sd: number, key: string) => {
    if (!(sd > 0)) throw complain(`${sd} is no spread`, [...path, given[0], key], "> 0");
  };
  const result = ((): { distribution: Distribution; probes: readonly unknown[] } => {
    if (block.normal) {
      const [mean, sd] = [number(block.normal.mean, "mean"), number(block.normal.sd, "sd")];
      spread(sd, "sd");
      return { distribution: { kind: "normal", mean, sd }, probes: [block.normal.mean, ...inUnits(mean)] };
    }
    if (block.truncated) {
      const t = block.truncated;
      const [mean, sd] = [number(t.mean, "mean"), number(t.sd, "sd")];
      const [from, to] = [number(t.from, "from"), number(t.to, "to")];
      spread(sd, "sd");
      ordered(from, to);
      if (Math.max(from - mean, mean - to) > 30 * sd)
        throw complain("its range is more than 30 sd from its mean", path, "a range that holds some of it");
      return { distribution: { kind: "truncated", mean, sd, from, to }, probes: [t.from, t.to] };
    }
    if (block.uniform) {
      const [from, to] = [number(block.uniform.from, "from"), number(block.uniform.to, "to")];
      ordered(from, to);
      return { distribution: { kind: "uniform", from, to }, probes: [block.uniform.from, block.uniform.to] };
    }
    if (block.lognormal) {
      const median = number(block.lognormal.median, "median");
      if (!(median > 0)) throw complain(`${median} is no median`, [...path, "lognormal", "median"], "> 0");
      spread(block.lognormal.sigma, "sigma");
      return {
        distribution: { kind: "lognormal", median, sigma: block.lognormal.sigma },
        probes: [block.lognormal.median],
      };
    }
    if (block.choice) {
      const values = block.choice.map((v, i) => amountOrWord(v, i));
      const shares = weights ?? values.map(() => 1);
      if (shares.length !== values.length || !shares.every((w) => w >= 0) || !shares.some((w) => w > 0))
        throw complain(
          "does not fit the choice",
          [...path, "weights"],
          `${values.length} numbers >= 0, one at least above`,
        );
      return { distribution: { kind: "choice", values, weights: shares }, probes: block.choice };
    }
    return readGrid(block.grid as NonNullable<Block["grid"]>);
  })();
  const dimensions = new Set([...units.values()].map(({ dimension }) => dimension.join()));
  if (dimensions.size > 1)
    throw complain(
      `its numbers are of different kinds (${[...units.keys()].join(", ")})`,
      path,
      "one kind of unit",
    );
  return { name, ...result };

  function amountOrWord(value: Word, i: number): Word {
    return typeof value === "string" && /^[+-]?[\d.]/.test(value.trim()) ? number(value, String(i)) : value;
  }
  function readGrid(grid: NonNullable<Block["grid"]>): {
    distribution: Distribution;
    probes: readonly unknown[];
  } {
    if (Array.isArray(grid))
      return { distribution: { kind: "grid", values: grid.map((v, i) => amountOrWord(v, i)) }, probes: grid };
    const [from, to] = [number(grid.from, "from"), number(grid.to, "to")];
    const { count } = grid;
    ordered(from, to);
    if (!Number.isInteger(count) || count < 2 || count > 1e6)
      throw complain(`${count} is no count`, [...path, "grid", "count"], "a whole number from 2 to 1000000");
    const values = Array.from({ length: count }, (_, i) => from + (i / (count - 1)) * (to - from));
    return { distribution: { kind: "grid", values }, probes: [grid.from, grid.to] };
  }
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
  source: Source,
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
          `nothing called "${event}" happens`,
          [...path, kind],
          events.join(", ") || "no events here",
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
    // Where it cannot be decided, because a measure is missing, the run has failed.
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
