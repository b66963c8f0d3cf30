/** Reads and writes the action log of a flight, which a link carries and which may therefore hold anything. */
import * as z from "zod";
import { check, LARGEST_TEXT, plainSource } from "../../model/document.ts";
import { InputError } from "../../model/input-error.ts";
import type { FlightLog } from "./action.ts";

/** A day's flight at 20 ms has fewer ticks, and nobody acts as often in it. */
const MOST_TICKS = 5e6;
export const MOST_ACTIONS = 1e6;

const tick = z.number().int().min(0).max(MOST_TICKS);
const spec = z.record(z.string(), z.unknown());
const action = z.discriminatedUnion("kind", [
  z.strictObject({
    tick,
    kind: z.enum(["push", "hold", "put"]),
    stick: z.number().int().min(0).max(1000),
    value: z.number(),
  }),
  z.strictObject({ tick, kind: z.enum(["take", "reset"]) }),
  z.strictObject({ tick, kind: z.literal("inputs"), values: z.record(z.string(), z.number()) }),
  z.strictObject({
    tick,
    kind: z.literal("parameters"),
    values: z.record(z.string(), z.union([z.number(), z.literal(Number.POSITIVE_INFINITY)])),
  }),
  z.strictObject({ tick, kind: z.literal("environment"), spec }),
]);
const log = z.strictObject({
  version: z.string().max(40),
  vehicle: z.union([z.string().max(200), spec]),
  name: z.string().max(200),
  scenario: spec,
  byHand: z.boolean(),
  files: z
    .array(z.strictObject({ name: z.string().max(200), text: z.string().max(LARGEST_TEXT) }))
    .max(20)
    .optional(),
  actions: z.array(action).max(MOST_ACTIONS),
  ticks: tick,
  hash: z.string().max(40),
});

export function readFlightLog(value: unknown): FlightLog {
  const read = check(log, plainSource(withCurrentNames(value), "this link")) as FlightLog;
  const late = read.actions.findIndex((d, i) => i > 0 && d.tick < read.actions[i - 1].tick);
  if (late >= 0)
    throw new InputError("its actions are not in order", {
      file: "this link",
      field: `actions.[${late}].tick`,
    });
  return read;
}

/** Links of version 0.1 call actions "deeds", and a change of environment "surroundings" with "words". */
function withCurrentNames(value: unknown): unknown {
  const { deeds, ...rest } = (value ?? {}) as Record<string, unknown>;
  if (!Array.isArray(deeds)) return value;
  const actions = deeds.map((deed: unknown) => {
    const { words, ...same } = (deed ?? {}) as Record<string, unknown>;
    return same.kind === "surroundings" ? { ...same, kind: "environment", spec: words } : deed;
  });
  return { ...rest, actions };
}
