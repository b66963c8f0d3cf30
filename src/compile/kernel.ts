/** WebAssembly kernels: modules instantiated and ready to be called, where the engine has SIMD. */
import type { Lanes } from "./emit-kernel.ts";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";
import { Bytes, type Code, moduleOf, OP, SIMD } from "./wasm.ts";

/** The part of the WebAssembly interface that is used; the language's own types come with those of browsers only. */
interface WebAssemblyInterface {
  validate(bytes: Uint8Array): boolean;
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
  Module: new (bytes: Uint8Array) => object;
  Instance: new (
    module: object,
    imports: Record<string, Record<string, unknown>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}
const engine = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;

/** Of kernels that step vehicles. */
export const LANES: Lanes = 4;

export type Call = (...addresses: number[]) => void;

export interface Kernel {
  readonly memory: Float64Array<ArrayBuffer>;
  readonly calls: Readonly<Record<string, Call>>;
  /** Of the module. */
  readonly bytes: number;
}

const PAGE = 65536;

/** Makes machines of the same module, each with so many bytes of memory; throws where the engine or a page's policy does not allow it. */
export function kernelsOf(bytes: Uint8Array, size: number): () => Kernel {
  if (engine === undefined)
    throw new UnsupportedSyntax("WebAssembly", 1, "is not available", "use a newer engine");
  const { Memory, Instance, Module } = engine;
  let module: object;
  try {
    module = new Module(bytes);
  } catch (error) {
    throw new UnsupportedSyntax(
      "WebAssembly",
      1,
      `rejects a kernel of ${bytes.length} bytes: ${error}`,
      "make the model smaller",
    );
  }
  return () => {
    const memory = new Memory({ initial: Math.max(1, Math.ceil(size / PAGE)) });
    const { exports } = new Instance(module, { env: { memory } });
    return {
      memory: new Float64Array(memory.buffer),
      calls: exports as Readonly<Record<string, Call>>,
      bytes: bytes.length,
    };
  };
}

/** One of them, of functions. */
export const kernelOf = (functions: readonly Code[], size: number): Kernel =>
  kernelsOf(moduleOf(functions), size)();

let known: boolean | undefined;

/** Whether kernels with SIMD can be compiled and run here. */
export function hasVectors(): boolean {
  if (known !== undefined) return known;
  try {
    const body = new Bytes().get(0).memory(SIMD.load64Splat, 3, 0).simd(SIMD.anyTrue).byte(OP.drop).list;
    kernelOf([{ parameters: 1, vectors: 0, body, exported: "try" }], 1).calls.try(0);
    known = true;
  } catch {
    known = false;
  }
  return known;
}
