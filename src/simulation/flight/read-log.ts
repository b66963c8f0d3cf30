/** A flight's log from outside: a link may hold anything. */
import { z } from "zod";
import { check, LARGEST_TEXT, plainSource } from "../../model/document.ts";
import { InputError } from "../../model/input-error.ts";
import type { FlightLog } from "./deeds.ts";

/** More ticks than a day's flight has at 20 ms, and more deeds than hands can do in it. */
const MOST_TICKS = 5e6;
export const MOST_DEEDS = 1e6;

const tick = z.number().int().min(0).max(MOST_TICKS);
const words = z.record(z.string(), z.unknown());
const deed = z.discriminatedUnion("kind", [
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
  z.strictObject({ tick, kind: z.literal("surroundings"), words }),
]);
const log = z.strictObject({
  version: z.string().max(40),
  vehicle: z.union([z.string().max(200), words]),
  name: z.string().max(200),
  scenario: words,
  byHand: z.boolean(),
  files: z
    .array(z.strictObject({ name: z.string().max(200), text: z.string().max(LARGEST_TEXT) }))
    .max(20)
    .optional(),
  deeds: z.array(deed).max(MOST_DEEDS),
  ticks: tick,
  hash: z.string().max(40),
});

/** JSON has no infinity; it is written as YAML does. */
const INFINITE = ".inf";
export const writeFlightLog = (value: FlightLog): string =>
  JSON.stringify(value, (_, v) => (v === Number.POSITIVE_INFINITY ? INFINITE : v));
export const parseFlightLog = (text: string): unknown =>
  JSON.parse(text, (_, v) => (v === INFINITE ? Number.POSITIVE_INFINITY : v));

export function readFlightLog(value: unknown): FlightLog {
  const read = check(log, plainSource(value, "this link")) as FlightLog;
  const late = read.deeds.findIndex((d, i) => i > 0 && d.tick < read.deeds[i - 1].tick);
  if (late >= 0)
    throw new InputError("its deeds are not in order", { file: "this link", field: `deeds.[${late}].tick` });
  return read;
}
