/**
 * What AVL prints: total forces (FT), stability-axis (ST) and geometry-axis (SB) derivatives, of versions 3.2x to 3.5x, as text
 * or in the machine-readable layout (MRF). Numbers stay as AVL has them: its length units, its degrees, derivatives by control
 * per unit of the control's gain (1: per degree).
 */
import { InputError } from "../../model/input-error.ts";
import { readMachineLayout } from "./machine-layout.ts";
import { readTextLayout } from "./text-layout.ts";

export interface AvlOutput {
  readonly file: string;
  readonly kind: "FT" | "ST" | "SB";
  readonly configuration: string;
  /** References, conditions, totals and derivatives by AVL's own names: Sref, Alpha, CLtot, CLa, CXq, Cnd2 ... */
  readonly values: Readonly<Record<string, number>>;
  /** Line (from 1) where each value stands. */
  readonly lines: Readonly<Record<string, number>>;
  /** In AVL's order. */
  readonly controls: readonly { readonly name: string; readonly deflection: number }[];
}

const REFERENCES = ["Sref", "Cref", "Bref", "Xref", "Yref", "Zref"];
const TOTALS = [
  ...["Alpha", "Beta", "Mach", "pb/2V", "qc/2V", "rb/2V"],
  ...["CXtot", "CYtot", "CZtot", "Cltot", "Cmtot", "Cntot", "CLtot", "CDtot", "CDind"],
];
const COEFFICIENTS = { ST: ["CL", "CY", "Cl", "Cm", "Cn"], SB: ["CX", "CY", "CZ", "Cl", "Cm", "Cn"] };
const CHANGES = { ST: ["a", "b", "p", "q", "r"], SB: ["u", "v", "w", "p", "q", "r"] };

/** Reads one output of AVL; a mistake names file, line, field and value. */
export function readAvlOutput(text: string, file: string): AvlOutput {
  if (text.length > 1e6)
    throw new InputError("is too long for an output of AVL", { file, allowed: "up to 1 MB" });
  const isMachine = /^\s*(TOT|DERMAT[SB])\s*$/m.test(text.slice(0, 200));
  const isText = /Vortex Lattice Output/.test(text.slice(0, 1000));
  if (!isMachine && !isText)
    throw new InputError("is not an output of AVL", {
      file,
      line: 1,
      allowed: 'what OPER writes with FT, ST or SB; it begins with "Vortex Lattice Output -- Total Forces"',
    });
  const output = isMachine ? readMachineLayout(text, file) : readTextLayout(text, file);
  complete(output, text.split("\n").length);
  return output;
}

/** A truncated file lacks what AVL prints last. */
function complete({ file, kind, values, controls }: AvlOutput, lines: number): void {
  const derivatives =
    kind === "FT"
      ? []
      : COEFFICIENTS[kind].flatMap((C) => [
          ...CHANGES[kind].map((c) => C + c),
          ...controls.map((_, i) => `${C}d${i + 1}`),
        ]);
  const missing = [...REFERENCES, ...TOTALS, ...derivatives].filter((name) => values[name] === undefined);
  if (missing.length > 0)
    throw new InputError(
      `ends after line ${lines} without ${missing.slice(0, 6).join(", ")}${missing.length > 6 ? ` and ${missing.length - 6} more` : ""}: cut off, or something stands in its place`,
      { file, field: missing[0], allowed: "a whole output, as AVL wrote it" },
    );
  for (const name of ["Sref", "Cref", "Bref"])
    if (!(values[name] > 0))
      throw new InputError(`${values[name]} is not a valid reference value`, {
        file,
        field: name,
        allowed: "> 0",
      });
}

/** Reads one of AVL's numbers; Fortran prints stars where a number does not fit. */
export function readAvlNumber(word: string, place: { file: string; line: number; field: string }): number {
  const value = Number(word.replace(/[dD]([+-]?\d+)$/, "e$1"));
  if (/^\s*$/.test(word) || !Number.isFinite(value)) {
    const problem = /\*/.test(word)
      ? `${word}: the number did not fit into AVL's column`
      : /nan|inf/i.test(word)
        ? `${word}: AVL's solution is not a number`
        : /^[-+]?\d+,\d+$/.test(word)
          ? `${word} has a decimal comma`
          : `"${word}" is not a number`;
    throw new InputError(problem, {
      ...place,
      allowed: /,/.test(word) ? "a decimal point" : "a finite number",
    });
  }
  return value;
}
