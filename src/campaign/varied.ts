/** Varied fields and their distributions, as the campaign file gives them. */
import * as z from "zod";
import type { Document } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { show, strict } from "../model/schema.ts";
import { parseUnit, type Unit } from "../model/units.ts";
import type { Distribution, Word } from "./distributions.ts";

/** A number or a text; anything else is rejected with a message. */
export const numberOrText = (meaning: string) =>
  z
    .unknown()
    .meta({ description: meaning, type: ["number", "string"] })
    .transform((value, context): number | string => {
      if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) return value;
      context.addIssue({
        code: "custom",
        message: value === undefined ? "is missing" : `${show(value)} is not valid here`,
        params: { allowed: meaning },
      });
      return z.NEVER;
    });
export const amount = numberOrText("a number in SI units, or with its unit as text");
const plainValue = z.union([z.number(), z.string(), z.boolean()]);

export const distributionSchema = strict({
  normal: strict({ mean: amount, sd: amount }).optional(),
  truncated: strict({ mean: amount, sd: amount, from: amount, to: amount }).optional(),
  uniform: strict({ from: amount, to: amount }).optional(),
  lognormal: strict({ median: amount, sigma: z.number() }).optional(),
  choice: z.array(plainValue).min(1).optional(),
  weights: z.array(z.number()).optional(),
  grid: z
    .union([z.array(plainValue).min(1), strict({ from: amount, to: amount, count: z.number() })])
    .optional(),
});

export interface Varied {
  /** Place in the scenario, as written. */
  readonly name: string;
  readonly distribution: Distribution;
  /** Values as written that the scenario must be able to take. */
  readonly probes: readonly unknown[];
}

export type Complain = (problem: string, path: readonly (string | number)[], allowed?: string) => InputError;
export const complainer =
  (source: Document): Complain =>
  (problem, path, allowed) =>
    new InputError(problem, { file: source.file, ...source.locate(path), field: path.join("."), allowed });

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
export const siOf = (value: number | string) => amountOf(value)?.si ?? Number.NaN;

const SI: Unit = { factor: 1, divisor: 1, dimension: [] };
type Block = z.infer<typeof distributionSchema>;

export function readVaried(name: string, block: Block, complain: Complain): Varied {
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
    if (!(from < to)) throw complain(`empty range: ${from} to ${to}`, [...path, given[0]], "from below to");
  };
  const spread = (sd: number, key: string) => {
    if (!(sd > 0)) throw complain(`${sd} is not a standard deviation`, [...path, given[0], key], "> 0");
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
      if (!(median > 0)) throw complain(`${median} is not a median`, [...path, "lognormal", "median"], "> 0");
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
    if (Array.isArray(grid) && new Set(grid).size < grid.length)
      throw complain(
        "has a value twice",
        [...path, "grid"],
        "values that differ; `runs` may be a multiple of the cells",
      );
    if (Array.isArray(grid))
      return { distribution: { kind: "grid", values: grid.map((v, i) => amountOrWord(v, i)) }, probes: grid };
    const [from, to] = [number(grid.from, "from"), number(grid.to, "to")];
    const { count } = grid;
    ordered(from, to);
    if (!Number.isInteger(count) || count < 2 || count > 1e6)
      throw complain(
        `${count} is not a count`,
        [...path, "grid", "count"],
        "a whole number from 2 to 1000000",
      );
    const values = Array.from({ length: count }, (_, i) => from + (i / (count - 1)) * (to - from));
    return { distribution: { kind: "grid", values }, probes: [grid.from, grid.to] };
  }
}
