/** Text with many numbers in it, written as bytes: twelve hundred times a second the language's own conversion is what takes longest. */

/** Decimals: to a nanometre and the like; what is finer costs time to write and to read. */
const DECIMALS = 9;
const FINE = 1e9;
/** Whole numbers beyond this are left to the language. */
const LARGEST = 2147483647;
const ZERO = 48;
const MINUS = 45;
const POINT = 46;

export class DecimalText {
  private readonly bytes: Uint8Array;
  private length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  clear(): this {
    this.length = 0;
    return this;
  }
  /** What was written, until it is cleared. */
  written(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** Letters of ASCII. */
  text(letters: string): this {
    for (let i = 0; i < letters.length; i++) this.bytes[this.length++] = letters.charCodeAt(i);
    return this;
  }

  /** A number without exponent, to nine decimals. */
  number(value: number): this {
    const size = Math.abs(value);
    let whole = Math.floor(size);
    if (!(whole < LARGEST)) return this.text(String(Math.round(value)));
    let rest = Math.round((size - whole) * FINE);
    if (rest === FINE) {
      whole++;
      rest = 0;
    }
    if (value < 0 && whole + rest > 0) this.bytes[this.length++] = MINUS;
    let digits = 1;
    for (let power = 10; power <= whole; power *= 10) digits++;
    this.digits(whole, digits);
    if (rest > 0) {
      this.bytes[this.length++] = POINT;
      this.digits(rest, DECIMALS);
    }
    return this;
  }

  /** Numbers of a list, with commas between. */
  list(values: ArrayLike<number>, from: number, count: number): this {
    this.number(values[from]);
    for (let i = 1; i < count; i++) this.text(",").number(values[from + i]);
    return this;
  }

  private digits(value: number, count: number): void {
    const { bytes } = this;
    this.length += count;
    let left = value | 0;
    for (let i = 1; i <= count; i++) {
      const next = (left / 10) | 0;
      bytes[this.length - i] = ZERO + left - 10 * next;
      left = next;
    }
  }
}
