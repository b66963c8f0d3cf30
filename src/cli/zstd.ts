/** Zstandard, which Node 20 has not. */
import { createRequire } from "node:module";

interface Zstd {
  readonly isLoaded: Promise<unknown>;
  compress(bytes: Uint8Array, level?: number): Uint8Array;
}

export async function compressor(): Promise<(bytes: Uint8Array) => Uint8Array> {
  // Loaded as it lies in node_modules: its WebAssembly is a file beside it.
  const zstd = createRequire(import.meta.url)("@foxglove/wasm-zstd") as Zstd;
  await zstd.isLoaded;
  return (bytes) => zstd.compress(bytes);
}
