/** Session messages on a socket: JSON in which arrays of doubles and non-finite numbers are objects of one key. */

const ARRAY = "$f64";
const NUMBER = "$number";

export function encode(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => {
    if (v instanceof Float64Array) return { [ARRAY]: base64(v) };
    return typeof v === "number" && !Number.isFinite(v) ? { [NUMBER]: String(v) } : v;
  });
}

/** No message of the protocol is nested deeper. */
const DEEPEST = 40;

export function decode(text: string): unknown {
  let depth = 0;
  let deepest = 0;
  for (const letter of text) {
    if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    deepest = Math.max(deepest, depth);
  }
  // Brackets within strings count, too: no message has so many.
  if (deepest > DEEPEST) throw new Error("nested too deeply");
  return JSON.parse(text, (_, v: unknown) => {
    if (typeof v !== "object" || v === null) return v;
    const { [ARRAY]: array, [NUMBER]: number } = v as Record<string, unknown>;
    if (typeof array === "string") return doubles(array);
    return typeof number === "string" ? Number(number) : v;
  });
}

/** Little-endian, as every platform of Node and browsers is. */
function base64(values: Float64Array): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

function doubles(text: string): Float64Array {
  const raw = atob(text);
  const bytes = Uint8Array.from({ length: raw.length - (raw.length % 8) }, (_, i) => raw.charCodeAt(i));
  return new Float64Array(bytes.buffer);
}
