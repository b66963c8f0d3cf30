/** The action log of a flight as text. Whether it is one, `readFlightLog` finds. */
import type { FlightLog } from "./action.ts";

/** JSON has no infinity; it is written as YAML does. */
const INFINITE = ".inf";
export const writeFlightLog = (value: FlightLog): string =>
  JSON.stringify(value, (_, v) => (v === Number.POSITIVE_INFINITY ? INFINITE : v));
export const parseFlightLog = (text: string): unknown =>
  JSON.parse(text, (_, v) => (v === INFINITE ? Number.POSITIVE_INFINITY : v));

/** The log as the word of a link: deflated, in the letters of an address. */
export async function packFlightLog(log: FlightLog): Promise<string> {
  const text = new Blob([writeFlightLog(log)]).stream();
  const packed = await new Response(text.pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
  let binary = "";
  for (const byte of new Uint8Array(packed)) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
