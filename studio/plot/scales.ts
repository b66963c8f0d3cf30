/** Colours, units and time windows of plots. */
import type { Field } from "../../src/model/field.ts";

/** Okabe and Ito's, which colour-blind eyes tell apart, without those that vanish on dark or light. */
export const COLOURS = ["#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#d55e00", "#7f8fd8"];

/** Angles are read in degrees; all else as it is. */
export function shownUnit({ unit }: Field): { readonly unit: string; readonly factor: number } {
  if (!/\brad\b/.test(unit)) return { unit, factor: 1 };
  // A rotor's speed stays what its file says.
  return unit === "rad" ? { unit: "deg", factor: 180 / Math.PI } : { unit, factor: 1 };
}

/** Which part of the flight is shown. */
export interface Range {
  readonly name: string;
  /** From and to, for a flight that ends so far [s]. */
  of(end: number): readonly [number, number];
}
export const RANGES: readonly Range[] = [
  { name: "10 s", of: (end) => [Math.max(0, end - 10), end] },
  { name: "60 s", of: (end) => [Math.max(0, end - 60), end] },
  { name: "5 min", of: (end) => [Math.max(0, end - 300), end] },
  { name: "all", of: (end) => [0, end] },
];
export const zoomed = (from: number, to: number): Range => ({ name: "zoomed", of: () => [from, to] });

/** What one wants to see first of a vehicle. */
export const FIRST: Readonly<Record<string, readonly (readonly string[])[]>> = {
  parafoil: [["altitude"], ["airspeed", "sink"], ["brake_left", "brake_right"]],
  aircraft: [["altitude"], ["roll", "pitch"], ["airspeed"]],
  car: [["speed"], ["a_x", "a_y"], ["delta"]],
};

export const save = (name: string, parts: BlobPart[], type: string): void => {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
