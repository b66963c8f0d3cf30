import type { Field } from "../model/field.ts";

/** Where samples go: a file, a plot, memory, a socket. */
export interface Sink {
  /** May answer with the names of the only channels it will read. */
  open(channels: readonly Field[]): readonly string[] | undefined;
  /** The row is only valid during the call. */
  write(row: Float64Array): void;
  close(): void;
}

const CHUNK_ROWS = 4096;

/** Places of the named channels in a sample, t first; all of them where no names are given. */
export function columnsOf(channels: readonly Field[], names?: readonly string[]): Int32Array {
  if (names === undefined) return Int32Array.from(channels, (_, i) => i);
  return Int32Array.from([...new Set(["t", ...names])], (name) => {
    const i = channels.findIndex((c) => c.name === name);
    if (i < 0) throw new Error(`no channel "${name}"`);
    return i;
  });
}

/** Keeps samples in memory, in blocks outside the JavaScript heap: of all channels, or of t and those named. */
export class Recorder implements Sink {
  channels: readonly Field[] = [];
  length = 0;
  private readonly names?: readonly string[];
  private columns: Int32Array = new Int32Array(0);
  private readonly chunks: Float64Array[] = [];

  constructor(names?: readonly string[]) {
    this.names = names;
  }

  open(channels: readonly Field[]): readonly string[] | undefined {
    this.columns = columnsOf(channels, this.names);
    this.channels = Array.from(this.columns, (i) => channels[i]);
    return this.names;
  }

  write(row: Float64Array): void {
    const { columns } = this;
    const width = columns.length;
    const i = this.length % CHUNK_ROWS;
    if (i === 0) this.chunks.push(new Float64Array(CHUNK_ROWS * width));
    const chunk = this.chunks[this.chunks.length - 1];
    for (let j = 0; j < width; j++) chunk[i * width + j] = row[columns[j]];
    this.length++;
  }

  close(): void {}

  /** All samples of one channel. */
  column(name: string): Float64Array {
    const width = this.channels.length;
    const j = this.channels.findIndex((c) => c.name === name);
    if (j < 0) throw new Error(`channel "${name}" was not recorded`);
    const out = new Float64Array(this.length);
    for (let i = 0; i < this.length; i++)
      out[i] = this.chunks[Math.floor(i / CHUNK_ROWS)][(i % CHUNK_ROWS) * width + j];
    return out;
  }
}
