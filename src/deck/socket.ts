/** The deck's words on a socket: JSON, with arrays of doubles and numbers that JSON has not as objects of one key. */

export type ToDeck = { readonly order: unknown } | { readonly id: number; readonly question: unknown };
/** Whether a viewer may steer: somebody else does, or it does, or whoever begins; or the server has gone. */
export type Role = "viewer" | "pilot" | "free" | "gone";

const ARRAY = "$f64";
const NUMBER = "$number";

export function encode(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) => {
    if (v instanceof Float64Array) return { [ARRAY]: base64(v) };
    return typeof v === "number" && !Number.isFinite(v) ? { [NUMBER]: String(v) } : v;
  });
}

/** Nothing that is said here is nested deeper. */
const DEEPEST = 40;

export function decode(text: string): unknown {
  let depth = 0;
  let deepest = 0;
  for (const letter of text) {
    if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    deepest = Math.max(deepest, depth);
  }
  // Brackets within texts count, too: none of ours has so many.
  if (deepest > DEEPEST) throw new Error("nested too deeply");
  return JSON.parse(text, (_, v: unknown) => {
    if (typeof v !== "object" || v === null) return v;
    const { [ARRAY]: array, [NUMBER]: number } = v as Record<string, unknown>;
    if (typeof array === "string") return doubles(array);
    return typeof number === "string" ? Number(number) : v;
  });
}

/** Little-endian, as every machine of today has them. */
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
