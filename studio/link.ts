/** A flight as text for an address, and back: deflated JSON in base64url. */
import type { FlightLog } from "../src/simulation/flight/action.ts";
import { parseFlightLog } from "../src/simulation/flight/flight-log-text.ts";
import { VERSION } from "../src/version.ts";

/**
 * All bytes of a stream, or undefined where they exceed the limit: a short text can inflate to any
 * length.
 */
async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      return undefined;
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Longer than hours of flight by hand are [bytes]. */
const LARGEST = 20e6;
const DAMAGED = "This link is damaged: part of it was lost when it was copied. Ask the sender for it again.";

async function textOf(word: string): Promise<string> {
  try {
    const binary = atob(word.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const plain = await bytesOf(stream, LARGEST);
    if (plain !== undefined) return new TextDecoder().decode(plain);
  } catch {
    throw new Error(DAMAGED);
  }
  throw new Error("This link is too long for a flight and is not opened.");
}

/** What a link holds; the session checks whether it is a flight. */
export async function unpackFlight(word: string): Promise<FlightLog> {
  const text = await textOf(word);
  let log: { version?: unknown } | null;
  try {
    log = parseFlightLog(text) as { version?: unknown } | null;
  } catch {
    throw new Error(DAMAGED);
  }
  if (typeof log?.version !== "string")
    throw new Error("This link contains no flight. Ask the sender for it again.");
  const own = VERSION.split(".").slice(0, 2).join(".");
  if (!log.version.startsWith(`${own}.`))
    throw new Error(
      `This link was made with Sideslip ${log.version.slice(0, 20)}, and this page is ${VERSION}: results may differ, so it is not opened. Use that version.`,
    );
  return log as unknown as FlightLog;
}
