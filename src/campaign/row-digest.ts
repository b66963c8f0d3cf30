/** A number that stands for rows of a table, whatever their order: whether somebody changed them. Not cryptographic. */
import { absorb, hexadecimal } from "./text-hash.ts";

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

export class RowDigest {
  private low = 0;
  private high = 0;

  /** Numbers by their bits, texts by their letters; what is missing counts, too. */
  add(values: readonly unknown[]): void {
    let [a, b] = [0x2545f491, 0x7feb352d];
    for (const value of values) {
      if (typeof value === "string") {
        for (let i = 0; i < value.length; i++) {
          a = absorb(a, value.charCodeAt(i));
          b = absorb(b, a);
        }
        a = absorb(a, value.length);
      } else {
        double[0] = value === null || value === undefined ? Number.NaN : Number(value);
        // Engines have many bits for no number.
        const isNone = Number.isNaN(double[0]);
        a = absorb(a, isNone ? 1 : words[0]);
        b = absorb(b, (isNone ? 0x7ff80000 : words[1]) ^ a);
      }
    }
    this.low = (this.low + absorb(a, values.length)) | 0;
    this.high = (this.high + absorb(b, values.length)) | 0;
  }

  toString(): string {
    return hexadecimal(this.low) + hexadecimal(this.high);
  }
}
