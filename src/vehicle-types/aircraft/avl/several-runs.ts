/** One set of coefficients from several runs: what suits all of them best on average. */

import type { Coefficients } from "../../../formats/avl/coefficients.ts";
import type { AvlOutput } from "../../../formats/avl/output.ts";
import type { Finding } from "../../../formats/avl/sanity.ts";
import { InputError } from "../../../model/input-error.ts";
import { refuseAnother } from "./prediction.ts";

const PI = 3.141592653589793;
/** A derivative that is smaller than this, or that changes by less than this part, is not reported. */
const SMALL = 0.005;
const LITTLE = 0.25;
const MOST_TOLD = 6;

export interface SeveralRuns {
  readonly coefficients: Coefficients;
  /** The run whose state is nearest to the mean's. */
  readonly st: AvlOutput;
  readonly findings: readonly Finding[];
}

/**
 * Derivatives are means over the runs. Lift and pitch over angle of attack are the straight lines through the runs' own
 * constants and slopes: CL0 and Cem0 are what is left on average once the mean slopes are taken away.
 */
export function severalRuns(
  runs: readonly { readonly st: AvlOutput; readonly coefficients: Coefficients }[],
): SeveralRuns {
  const [first, ...others] = runs;
  for (const { st } of others) refuseAnother(first.st, st);
  const alphas = runs.map(({ coefficients }) => coefficients.alpha);
  if (Math.max(...alphas) - Math.min(...alphas) < 1e-6)
    throw new InputError("all runs have one angle of attack", {
      file: runs[1].st.file,
      field: "Alpha",
      value: runs[1].st.values.Alpha,
      allowed: "runs at several angles of attack",
    });
  const mean = (of: (c: Coefficients) => number) =>
    runs.reduce((sum, { coefficients }) => sum + of(coefficients), 0) / runs.length;
  const means = (names: readonly string[], of: (c: Coefficients) => Readonly<Record<string, number>>) =>
    Object.fromEntries(names.map((name) => [name, mean((c) => of(c)[name])]));
  const numbers = means(Object.keys(first.coefficients.numbers), (c) => c.numbers);
  // A run's constant belongs to its own slope.
  for (const [constant, slope] of [
    ["CL0", "CLa"],
    ["Cem0", "Cema"],
  ])
    numbers[constant] = mean((c) => c.numbers[constant] + (c.numbers[slope] - numbers[slope]) * c.alpha);
  const alpha = mean((c) => c.alpha);
  const nearest = runs.reduce((best, run) =>
    Math.abs(run.coefficients.alpha - alpha) < Math.abs(best.coefficients.alpha - alpha) ? run : best,
  );
  const origin = `mean of ${runs.length} runs`;
  return {
    coefficients: {
      alpha,
      numbers,
      controls: first.coefficients.controls.map(({ name, numbers: own }, i) => ({
        name,
        numbers: means(Object.keys(own), (c) => c.controls[i].numbers),
      })),
      origins: Object.fromEntries(Object.keys(first.coefficients.origins).map((name) => [name, origin])),
      efficiency: nearest.coefficients.efficiency,
      leftOver: nearest.coefficients.leftOver,
    },
    st: nearest.st,
    findings: [changes(runs.map(({ coefficients }) => coefficients))],
  };
}

/** Which derivatives are not the same in all runs. */
function changes(all: readonly Coefficients[]): Finding {
  const degrees = (alpha: number) => Number(((alpha * 180) / PI).toFixed(2));
  const sorted = [...all].sort((a, b) => a.alpha - b.alpha);
  const [low, high] = [sorted[0], sorted[sorted.length - 1]];
  const changed = Object.keys(low.numbers)
    .filter((name) => !/^(CL0|Cem0|eff)$/.test(name))
    .map((name) => {
      const values = sorted.map((c) => c.numbers[name]);
      const size = Math.max(...values.map(Math.abs));
      return { name, part: (Math.max(...values) - Math.min(...values)) / size, size };
    })
    .filter(({ part, size }) => size > SMALL && part > LITTLE)
    .sort((a, b) => b.part - a.part)
    .slice(0, MOST_TOLD)
    .map(({ name }) => `${name} ${low.numbers[name].toPrecision(3)} to ${high.numbers[name].toPrecision(3)}`);
  const range = `from ${degrees(low.alpha)} to ${degrees(high.alpha)} deg`;
  return {
    weight: "note",
    sentence:
      changed.length === 0
        ? `Derivatives hardly change ${range}: their means are taken.`
        : `Derivatives are means over the runs; ${range} these change most: ${changed.join(", ")}.`,
  };
}
