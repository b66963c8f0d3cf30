import * as z from "zod";
import { quantity } from "../model/schema.ts";

/** -1 asks for a seed to be drawn. */
export const seedSchema = quantity({
  unit: "1",
  meaning: "seed of all random numbers; -1 draws one",
  min: -1,
  max: Number.MAX_SAFE_INTEGER,
}).transform((seed, context) => {
  if (Number.isInteger(seed)) return seed;
  context.addIssue({
    code: "custom",
    message: `${seed} is not a whole number`,
    params: { allowed: "-1, 0, 1, 2, ..." },
  });
  return z.NEVER;
});

/** The seed, or a drawn one for -1. Whoever runs it prints it, so that the run can be repeated. */
export function drawnSeed(seed: number): number {
  return seed === -1 ? Math.floor(Math.random() * 4294967296) : seed;
}
