/** Checks the messages of pages over a socket. Pages control the vehicle but cannot choose it. */
import * as z from "zod";
import { InputError } from "../../model/input-error.ts";
import type { ClientMessage } from "../../session/protocol.ts";

const number = z.number();
const name = z.string().max(200);
const command = z.discriminatedUnion("type", [
  z.strictObject({ type: z.enum(["play", "pause", "step", "restart", "reset", "takeControl"]) }),
  z.strictObject({ type: z.literal("setSpeed"), value: number }),
  z.strictObject({ type: z.literal("seek"), tick: number.int() }),
  z.strictObject({
    type: z.literal("moveStick"),
    stick: number.int().min(0).max(1000),
    motion: z.enum(["push", "hold", "put"]),
    value: number,
  }),
  z.strictObject({
    type: z.literal("setParameters"),
    values: z.record(name, z.union([number, z.literal(Infinity)])),
  }),
  z.strictObject({ type: z.literal("setEnvironment"), spec: z.record(name, z.unknown()) }),
]);
const query = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("history"),
    names: z.array(name).max(200),
    from: number,
    to: number,
    most: number.int().min(1).max(20_000),
  }),
  z.strictObject({ type: z.literal("sample"), t: number }),
  z.strictObject({ type: z.literal("csv"), names: z.array(name).max(1000) }),
  z.strictObject({ type: z.enum(["log", "explain", "yaml"]) }),
]);
const message = z.union([z.strictObject({ command }), z.strictObject({ id: number.int().min(0), query })]);

export function readPageMessage(value: unknown): ClientMessage {
  const read = message.safeParse(value);
  if (read.success) return read.data as ClientMessage;
  const asked = (value as { command?: { type?: unknown } } | null)?.command?.type;
  const isOther = ["start", "repeat", "openLog", "openFiles"].includes(String(asked));
  throw new InputError(
    isOther
      ? "this page shows a simulation of a server: choose the vehicle with sideslip serve, or open a page of your own with sideslip fly"
      : `not understood: ${z.prettifyError(read.error).split("\n")[0]}`,
  );
}
