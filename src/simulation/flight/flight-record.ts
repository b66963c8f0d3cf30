/** The history of a flight: every tick's sample without the outputs, which follow from the rest. Kept in blocks outside the heap. */
import type { Field } from "../../model/field.ts";

const BLOCK_ROWS = 2048;

export class FlightRecord {
  /** Samples kept, the first of them of tick `first`. */
  length = 0;
  first = 0;
  readonly columns: Int32Array;
  private readonly width: number;
  private readonly most: number;
  private blocks: Float64Array[] = [];

  /** `isKept` says which channels; beyond so many bytes the oldest blocks go. */
  constructor(channels: readonly Field[], isKept: (i: number) => boolean, most = 256e6) {
    this.columns = Int32Array.from(channels.flatMap((_, i) => (isKept(i) ? [i] : [])));
    this.width = this.columns.length;
    this.most = Math.max(2, Math.floor(most / (8 * BLOCK_ROWS * this.width)));
  }

  write(row: Float64Array): void {
    const { columns, width } = this;
    const i = this.length % BLOCK_ROWS;
    if (i === 0) {
      this.blocks.push(new Float64Array(BLOCK_ROWS * width));
      if (this.blocks.length > this.most) {
        this.blocks.shift();
        this.first += BLOCK_ROWS;
        this.length -= BLOCK_ROWS;
      }
    }
    const block = this.blocks[this.blocks.length - 1];
    for (let j = 0; j < width; j++) block[i * width + j] = row[columns[j]];
    this.length++;
  }

  /** Forgets everything after a tick. */
  cut(tick: number): void {
    this.length = Math.max(0, Math.min(this.length, tick - this.first + 1));
    this.blocks.length = Math.ceil(this.length / BLOCK_ROWS);
  }

  /** Fills a whole sample (outputs stay as they are) from that of a tick. */
  read(tick: number, row: Float64Array): void {
    const { columns, width } = this;
    const k = tick - this.first;
    const block = this.blocks[Math.floor(k / BLOCK_ROWS)];
    const at = (k % BLOCK_ROWS) * width;
    for (let j = 0; j < width; j++) row[columns[j]] = block[at + j];
  }

  /** One kept channel at a tick. */
  value(tick: number, column: number): number {
    const k = tick - this.first;
    return this.blocks[Math.floor(k / BLOCK_ROWS)][(k % BLOCK_ROWS) * this.width + column];
  }

  /** The last tick at or before a time (the first column). */
  tickAt(t: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.value(this.first + middle, 0) <= t + 1e-9) low = middle;
      else high = middle - 1;
    }
    return this.first + low;
  }
}
