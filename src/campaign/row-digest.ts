/** A number that stands for rows of a table, whatever their order: whether somebody changed them. Not cryptographic. */
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const absorb = (h: number, word: number) => {
  const mixed = Math.imul(h ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

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
        a = absorb(a, words[0]);
        b = absorb(b, words[1] ^ a);
      }
    }
    this.low = (this.low + absorb(a, b)) | 0;
    this.high = (this.high + absorb(b, a)) | 0;
  }

  toString(): string {
    return [this.low, this.high].map((v) => (v >>> 0).toString(16).padStart(8, "0")).join("");
  }
}
