/** Bytes of RTPS messages: read within bounds, written at their place. Endianness changes from submessage to submessage. */

/** A malformed packet; it is counted and not passed on. */
export class Malformed extends Error {}

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

export class WireReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
  isLittle: boolean;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, isLittle: boolean, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.isLittle = isLittle;
    this.at = at;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  /** Moves on by so many bytes, and answers where they began. */
  skip(count: number): number {
    const from = this.at;
    if (!(count >= 0) || count > this.end - from)
      throw new Malformed(`ends ${count - this.left} bytes too early`);
    this.at = from + count;
    return from;
  }
  u8 = (): number => this.bytes[this.skip(1)];
  u16 = (): number => this.view.getUint16(this.skip(2), this.isLittle);
  u32 = (): number => this.view.getUint32(this.skip(4), this.isLittle);
  i32 = (): number => this.view.getInt32(this.skip(4), this.isLittle);
  /** Of network order, whatever the rest has. */
  entity = (): number => this.view.getUint32(this.skip(4), false);
  /** A window, not a copy. */
  take(count: number): Uint8Array {
    const from = this.skip(count);
    return this.bytes.subarray(from, from + count);
  }
  /** As CDR has it: length with the final zero, then the text. */
  text(): string {
    const length = this.u32();
    const bytes = this.take(length);
    return utf8.decode(bytes.subarray(0, Math.max(0, length - 1)));
  }
  /** Sequence numbers beyond 2^52 are invalid. */
  sequence(): number {
    const high = this.i32();
    const low = this.u32();
    if (high < -1 || high >= 1 << 20) throw new Malformed("sequence number out of range");
    return high * 4294967296 + low;
  }
}

/** Always little-endian; grows as it is written. */
export class WireWriter {
  private bytes: Uint8Array;
  private view: DataView;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Room for so many bytes; answers where they are. */
  room(count: number): number {
    const from = this.length;
    const needed = from + count;
    if (needed > this.bytes.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    this.length = needed;
    return from;
  }
  u8(value: number): void {
    const at = this.room(1);
    this.view.setUint8(at, value);
  }
  u16(value: number): void {
    const at = this.room(2);
    this.view.setUint16(at, value, true);
  }
  u32(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, true);
  }
  i32(value: number): void {
    const at = this.room(4);
    this.view.setInt32(at, value, true);
  }
  entity(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, false);
  }
  sequence(value: number): void {
    this.i32(Math.floor(value / 4294967296));
    this.u32(value % 4294967296);
  }
  put(bytes: Uint8Array): void {
    const from = this.room(bytes.length);
    this.bytes.set(bytes, from);
  }
  text(value: string): void {
    const bytes = toUtf8.encode(value);
    this.u32(bytes.length + 1);
    this.put(bytes);
    this.u8(0);
  }
  align(to: number): void {
    while (this.length % to !== 0) this.u8(0);
  }
  u16At(at: number, value: number): void {
    this.view.setUint16(at, value, true);
  }
  /** What was written; valid until the next write. */
  done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}
