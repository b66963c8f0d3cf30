import { copyTo } from "../math/arrays.ts";
import type { Field } from "../model/field.ts";

/** Where samples go: a file, a plot, memory, a socket. */
export interface Sink {
  open(channels: readonly Field[]): void;
  /** The row is only valid during the call. */
  write(row: Float64Array): void;
  close(): void;
}

const CHUNK_ROWS = 1024;

/** Keeps every sample in memory, in blocks outside the JavaScript heap. */
export class Recorder implements Sink {
  channels: readonly Field[] = [];
  length = 0;
  private readonly chunks: Float64Array[] = [];

  open(channels: readonly Field[]): void {
    this.channels = channels;
  }
  write(row: Float64Array): void {
    const i = this.length % CHUNK_ROWS;
    if (i === 0) this.chunks.push(new Float64Array(CHUNK_ROWS * row.length));
    copyTo(this.chunks[this.chunks.length - 1], row, i * row.length);
    this.length++;
  }
  close(): void {}

  /** All samples of one channel. */
  column(name: string): Float64Array {
    const width = this.channels.length;
    const j = this.channels.findIndex((c) => c.name === name);
    if (j < 0) throw new Error(`no channel "${name}"`);
    const out = new Float64Array(this.length);
    for (let i = 0; i < this.length; i++)
      out[i] = this.chunks[Math.floor(i / CHUNK_ROWS)][(i % CHUNK_ROWS) * width + j];
    return out;
  }
}
