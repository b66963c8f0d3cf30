/** What pages say over a socket, checked. They steer what flies; what flies is the server's to say. */
import { z } from "zod";
import type { Order, Question } from "../../deck/protocol.ts";
import { InputError } from "../../model/input-error.ts";

const number = z.number();
const name = z.string().max(200);
const order = z.discriminatedUnion("do", [
  z.strictObject({ do: z.enum(["play", "pause", "step", "restart", "reset", "take"]) }),
  z.strictObject({ do: z.literal("speed"), value: number }),
  z.strictObject({ do: z.literal("seek"), tick: number.int() }),
  z.strictObject({
    do: z.literal("gesture"),
    stick: number.int().min(0).max(1000),
    kind: z.enum(["push", "hold", "put"]),
    value: number,
  }),
  z.strictObject({ do: z.literal("change"), values: z.record(name, z.union([number, z.literal(Infinity)])) }),
  z.strictObject({ do: z.literal("surround"), words: z.record(name, z.unknown()) }),
]);
const question = z.discriminatedUnion("ask", [
  z.strictObject({
    ask: z.literal("series"),
    names: z.array(name).max(200),
    from: number,
    to: number,
    most: number.int().min(1).max(20_000),
  }),
  z.strictObject({ ask: z.literal("row"), t: number }),
  z.strictObject({ ask: z.literal("csv"), names: z.array(name).max(1000) }),
  z.strictObject({ ask: z.enum(["log", "explain", "yaml"]) }),
]);
const message = z.union([z.strictObject({ order }), z.strictObject({ id: number.int().min(0), question })]);

export type FromPage = { readonly order: Order } | { readonly id: number; readonly question: Question };

export function readFromPage(value: unknown): FromPage {
  const read = message.safeParse(value);
  if (read.success) return read.data as FromPage;
  const asked = (value as { order?: { do?: unknown } } | null)?.order?.do;
  const isOther = ["begin", "again", "watch", "open"].includes(String(asked));
  throw new InputError(
    isOther
      ? "this page looks at a simulation that runs elsewhere: what flies is chosen there (sideslip serve), or in a page of its own (sideslip fly)"
      : `not understood: ${z.prettifyError(read.error).split("\n")[0]}`,
  );
}
