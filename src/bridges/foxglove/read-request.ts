/** Checks clients' JSON requests, which are untrusted. */
import * as z from "zod";
import type { Request } from "./protocol.ts";

const id = z.number().int().min(0).max(0xffffffff);
const names = z.array(z.string().max(256)).max(10_000);
const note = z.string().max(256).optional();
const some = 1000;

const request = z.discriminatedUnion("op", [
  z.object({ op: z.literal("subscribe"), subscriptions: z.array(z.object({ id, channelId: id })).max(some) }),
  z.object({ op: z.literal("unsubscribe"), subscriptionIds: z.array(id).max(some) }),
  z.object({
    op: z.literal("advertise"),
    channels: z.array(z.object({ id, topic: z.string().max(256), encoding: z.string().max(64) })).max(some),
  }),
  z.object({ op: z.literal("unadvertise"), channelIds: z.array(id).max(some) }),
  z.object({ op: z.literal("getParameters"), parameterNames: names, id: note }),
  z.object({
    op: z.literal("setParameters"),
    parameters: z.array(z.object({ name: z.string().max(256), value: z.unknown() })).max(some),
    id: note,
  }),
  z.object({
    op: z.enum(["subscribeParameterUpdates", "unsubscribeParameterUpdates"]),
    parameterNames: names,
  }),
]);

/** Throws an Error whose message says what is wrong. */
export function readRequest(text: string): Request {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error("not valid JSON");
  }
  const read = request.safeParse(value);
  if (read.success) return read.data as Request;
  const { op } = (value ?? {}) as { op?: unknown };
  const [{ path, message }] = read.error.issues;
  throw new Error(
    `${typeof op === "string" ? op.slice(0, 40) : "a message"}: ${[...path, message].join(" ")}`,
  );
}
