import type { Field } from "../model/field.ts";

/** The first line of a CSV file of samples. */
export function csvHeader(channels: readonly Field[]): string {
  return `${channels.map((c) => c.name).join(",")}\n`;
}

/** Shortest decimals that read back to the same doubles. */
export function csvRow(row: Float64Array): string {
  return `${row.join(",")}\n`;
}
