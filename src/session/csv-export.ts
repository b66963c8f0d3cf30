import { csvHeader, csvRow } from "../formats/csv.ts";
import { InputError } from "../model/input-error.ts";
import { indexOf } from "../model/model.ts";
import type { Playback } from "./playback.ts";

const LINES = 2000;

/** A playback as CSV: all channels, or t and the named ones, in pieces of many lines. */
export function exportCsv({ record, channels, sampleAt }: Playback, names: readonly string[]): string[] {
  const places =
    names.length === 0 ? channels.map((_, i) => i) : ["t", ...names].map((n) => indexOf(channels, n));
  const missing = names.find((n) => indexOf(channels, n) < 0);
  if (missing !== undefined) throw new InputError(`there is no channel "${missing}"`);
  const pieces = [csvHeader(places.map((i) => channels[i]))];
  const end = record.first + record.length;
  for (let from = record.first; from < end; from += LINES) {
    const lines: string[] = [];
    for (let tick = from; tick < Math.min(end, from + LINES); tick++) {
      const row = sampleAt(tick);
      lines.push(csvRow(Float64Array.from(places, (i) => row[i])));
    }
    pieces.push(lines.join(""));
  }
  return pieces;
}
