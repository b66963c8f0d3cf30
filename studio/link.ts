/** A flight as a word for an address, and back: JSON, deflated, in letters that addresses may hold. */
import type { FlightLog } from "../src/simulation/flight/deeds.ts";
import { VERSION } from "../src/version.ts";

const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream as BodyInit).arrayBuffer());

export async function packFlight(log: FlightLog): Promise<string> {
  const text = new Blob([JSON.stringify(log)]).stream();
  const packed = await bytesOf(text.pipeThrough(new CompressionStream("deflate-raw")));
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Longer flights than a link can hold are not asked for. */
const LARGEST = 20e6;

export async function unpackFlight(word: string): Promise<FlightLog> {
  let log: Partial<FlightLog>;
  try {
    const binary = atob(word.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const plain = await bytesOf(
      new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")),
    );
    if (plain.length > LARGEST) throw new Error("too long");
    log = JSON.parse(new TextDecoder().decode(plain));
  } catch {
    throw new Error(
      "This link is damaged: part of it may have been lost when it was copied. Ask for it once more.",
    );
  }
  if (typeof log?.version !== "string") throw new Error("This link holds no flight. Ask for it once more.");
  const own = VERSION.split(".").slice(0, 2).join(".");
  if (!log.version.startsWith(`${own}.`))
    throw new Error(
      `This link is of Sideslip ${log.version}, and this page is ${VERSION}: their physics may differ, so it is not flown. Open it with that version.`,
    );
  return log as FlightLog;
}
