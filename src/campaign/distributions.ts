/** What a number of a run may be: distributions, by the value that belongs to a uniform number. */
import { exp } from "../math/elementary.ts";
import { normalProbability, normalQuantile } from "./normal.ts";

export type Distribution =
  | { readonly kind: "normal"; readonly mean: number; readonly sd: number }
  | {
      readonly kind: "truncated";
      readonly mean: number;
      readonly sd: number;
      readonly from: number;
      readonly to: number;
    }
  | { readonly kind: "uniform"; readonly from: number; readonly to: number }
  | { readonly kind: "lognormal"; readonly median: number; readonly sigma: number }
  | { readonly kind: "choice"; readonly values: readonly Word[]; readonly weights: readonly number[] }
  | { readonly kind: "grid"; readonly values: readonly Word[] };

/** What may stand in a scenario. */
export type Word = number | string | boolean;

/** The value that belongs to a uniform number of (0, 1). */
export function quantileOf(distribution: Distribution): (u: number) => Word {
  switch (distribution.kind) {
    case "normal": {
      const { mean, sd } = distribution;
      return (u) => mean + sd * normalQuantile(u);
    }
    case "truncated": {
      const { mean, sd, from, to } = distribution;
      // Probabilities near 1 have no digits left: the upper tail is the lower one's mirror image.
      if (from > mean) {
        const mirror = quantileOf({ kind: "truncated", mean: -mean, sd, from: -to, to: -from });
        return (u) => -(mirror(1 - u) as number);
      }
      const low = normalProbability((from - mean) / sd);
      const span = normalProbability((to - mean) / sd) - low;
      return (u) => Math.min(to, Math.max(from, mean + sd * normalQuantile(low + u * span)));
    }
    case "uniform": {
      const { from, to } = distribution;
      return (u) => from + u * (to - from);
    }
    case "lognormal": {
      const { median, sigma } = distribution;
      return (u) => median * exp(sigma * normalQuantile(u));
    }
    case "choice": {
      const { values, weights } = distribution;
      const total = weights.reduce((a, b) => a + b, 0);
      return (u) => {
        let left = u * total;
        const chosen = weights.findIndex((weight) => {
          left -= weight;
          return left < 0;
        });
        return values[chosen < 0 ? values.length - 1 : chosen];
      };
    }
    case "grid":
      throw new Error("a grid is not drawn from");
  }
}
