import { print } from "./terminal.ts";
/** Rows of text in columns; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((h, i) => Math.max(h.length, ...rows.map((row) => row[i].length)));
  const isNumber = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+]?[\d.]|^$/.test(row[i])),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
      .join("  ")
      .trimEnd();
  const head = header.some((h) => h !== "") ? [line(header)] : [];
  return `${[...head, ...rows.map(line)].join("\n")}\n`;
}

/** Prints JSON; NaN and infinity become null. */
export function printJson(value: unknown): void {
  print(`${JSON.stringify(value, null, 2)}\n`);
}
