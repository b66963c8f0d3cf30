import type { Finding } from "../formats/avl/sanity.ts";
import type { Emphasis } from "./terminal.ts";

const WORDS = { wrong: "WRONG", look: "look", note: "note" } as const;
const WEIGHTS = { wrong: "red", look: "yellow", note: "cyan" } as const;

/** The report of an import: one sentence a line, the worst first. */
export function printFindings(
  findings: readonly Finding[],
  write: (text: string, emphasis?: Emphasis) => void,
): void {
  const ordered = (["wrong", "look", "note"] as const).flatMap((weight) =>
    findings.filter((f) => f.weight === weight),
  );
  const count = (weight: Finding["weight"]) => findings.filter((f) => f.weight === weight).length;
  const worst = findings.filter((f) => f.weight === "wrong").length;
  write(
    findings.length === 0
      ? "sanity: no findings\n"
      : `sanity: ${worst === 0 ? "no errors" : `${worst} wrong`}, ${count("look")} to look at, ${count("note")} notes\n`,
  );
  for (const { weight, sentence } of ordered) {
    write(`  ${WORDS[weight].padEnd(5)}`, WEIGHTS[weight]);
    write(`  ${sentence}\n`);
  }
}
