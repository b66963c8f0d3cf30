/**
 * WebAssembly as bytes: as much of its binary format as kernels need. Code is a list of bytes that functions append to;
 * opcodes and sections as in the specification (webassembly.github.io/spec, Binary Format; SIMD opcodes have the prefix 0xfd).
 */

/** Instructions, and the type of a block that gives nothing. */
export const OP = {
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  nothing: 0x40,
  end: 0x0b,
  drop: 0x1a,
  branchIf: 0x0d,
  call: 0x10,
  localGet: 0x20,
  localSet: 0x21,
  i64Load: 0x29,
  i32Const: 0x41,
  i32Eqz: 0x45,
  i64Eqz: 0x50,
  i32Add: 0x6a,
  i32Mul: 0x6c,
} as const;

/** Instructions on vectors: of doubles where no type is named. */
export const SIMD = {
  load: 0x00,
  load64Splat: 0x0a,
  store: 0x0b,
  const: 0x0c,
  shuffle: 0x0d,
  splatI32: 0x11,
  extractI32: 0x1b,
  eq: 0x47,
  lt: 0x49,
  le: 0x4b,
  not: 0x4d,
  and: 0x4e,
  andnot: 0x4f,
  or: 0x50,
  xor: 0x51,
  bitselect: 0x52,
  anyTrue: 0x53,
  load64Lane: 0x57,
  store64Lane: 0x5b,
  load64Zero: 0x5d,
  floor: 0x75,
  i32x4Shl: 0xab,
  i32x4Shr: 0xac,
  i32x4ShrU: 0xad,
  i32x4Add: 0xae,
  i32x4MinU: 0xb7,
  i64x2AllTrue: 0xc3,
  i64x2Shl: 0xcb,
  abs: 0xec,
  neg: 0xed,
  sqrt: 0xef,
  add: 0xf0,
  sub: 0xf1,
  mul: 0xf2,
  div: 0xf3,
  min: 0xf4,
  max: 0xf5,
  pmin: 0xf6,
  pmax: 0xf7,
  truncSatU: 0xfd,
  convertLow: 0xfe,
  convertLowU: 0xff,
} as const;

/** Bytes of a shuffle: the first doubles of two vectors, or the second ones. */
export const FIRSTS = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
export const SECONDS = FIRSTS.map((byte) => byte + 8);

/** Types of values. */
const I32 = 0x7f;
const V128 = 0x7b;

/** Bytes that grow. */
export class Bytes {
  readonly list: number[] = [];

  byte(...bytes: number[]): this {
    this.list.push(...bytes);
    return this;
  }
  /** Unsigned LEB128. */
  unsigned(value: number): this {
    do {
      const low = value % 128;
      value = Math.floor(value / 128);
      this.list.push(value > 0 ? low + 128 : low);
    } while (value > 0);
    return this;
  }
  /** Signed LEB128 of a 32-bit number. */
  signed(value: number): this {
    for (;;) {
      const low = value & 127;
      value >>= 7;
      const isLast = (value === 0 && (low & 64) === 0) || (value === -1 && (low & 64) !== 0);
      this.list.push(isLast ? low : low + 128);
      if (isLast) return this;
    }
  }
  /** A list behind its length. */
  sized(bytes: readonly number[]): this {
    this.unsigned(bytes.length);
    for (const b of bytes) this.list.push(b);
    return this;
  }
  text(word: string): this {
    return this.sized([...word].map((c) => c.charCodeAt(0)));
  }

  get(local: number): this {
    return this.byte(OP.localGet).unsigned(local);
  }
  set(local: number): this {
    return this.byte(OP.localSet).unsigned(local);
  }
  i32(value: number): this {
    return this.byte(OP.i32Const).signed(value);
  }
  simd(op: number): this {
    return this.byte(0xfd).unsigned(op);
  }
  /** Of 2^align bytes at the address on the stack plus `offset`. */
  memory(op: number, align: number, offset: number): this {
    return this.simd(op).unsigned(align).unsigned(offset);
  }
}

/** A function: its parameters are i32, it gives nothing back, all its locals are vectors. */
export interface Code {
  readonly parameters: number;
  readonly vectors: number;
  readonly body: readonly number[];
  /** Name under which it can be called from outside. */
  readonly exported?: string;
}

/** A module of functions that work on an imported memory, env.memory. */
export function moduleOf(functions: readonly Code[]): Uint8Array<ArrayBuffer> {
  const arities = [...new Set(functions.map((f) => f.parameters))];
  const types = new Bytes().unsigned(arities.length);
  for (const n of arities) types.byte(0x60).sized(new Array(n).fill(I32)).unsigned(0);
  const imports = new Bytes().unsigned(1).text("env").text("memory").byte(0x02, 0x00).unsigned(1);
  const declared = new Bytes().unsigned(functions.length);
  for (const f of functions) declared.unsigned(arities.indexOf(f.parameters));
  const named = functions.flatMap((f, i) => (f.exported === undefined ? [] : [[f.exported, i] as const]));
  const exports = new Bytes().unsigned(named.length);
  for (const [name, i] of named) exports.text(name).byte(0x00).unsigned(i);
  const code = new Bytes().unsigned(functions.length);
  for (const { vectors, body } of functions) {
    const whole = new Bytes();
    if (vectors === 0) whole.unsigned(0);
    else whole.unsigned(1).unsigned(vectors).byte(V128);
    for (const b of body) whole.list.push(b);
    code.sized(whole.byte(OP.end).list);
  }
  const bytes = new Bytes().byte(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
  for (const [id, section] of [
    [1, types],
    [2, imports],
    [3, declared],
    [7, exports],
    [10, code],
  ] as const)
    bytes.byte(id).sized(section.list);
  return Uint8Array.from(bytes.list);
}
