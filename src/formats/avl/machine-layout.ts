/** AVL's machine-readable layout: rows of numbers, a bar, and their names. */
import { InputError } from "../../model/input-error.ts";
import { type AvlOutput, readAvlNumber } from "./output.ts";

const KINDS: Readonly<Record<string, AvlOutput["kind"]>> = { TOT: "FT", DERMATS: "ST", DERMATB: "SB" };

export function readMachineLayout(text: string, file: string): AvlOutput {
  const rows = text.split(/\r?\n/);
  const values: Record<string, number> = {};
  const lines: Record<string, number> = {};
  const controls: { name: string; deflection: number }[] = [];
  const title = rows.findIndex((row) => /Vortex Lattice Output/.test(row));
  const kind = KINDS[rows.find((row) => row.trim() !== "")?.trim() ?? ""];
  if (kind === undefined)
    throw new InputError("does not begin with TOT, DERMATS or DERMATB", {
      file,
      line: 1,
      allowed: "AVL's file as it wrote it",
    });
  const inside = rows.findIndex((row) => row.trim() === "CONTROL");
  const count = inside < 0 ? 0 : Number(rows[inside + 1]);
  for (let k = 0; k < count; k++) {
    const [word = "", ...name] = (rows[inside + 2 + k] ?? "").trim().split(/\s+/);
    const deflection = readAvlNumber(word, { file, line: inside + 3 + k, field: `control ${k + 1}` });
    controls.push({ name: name.join(" "), deflection });
  }
  rows.forEach((row, i) => {
    const [numbers, label] = row.split("|");
    if (label === undefined || /#/.test(label)) return;
    const words = numbers.trim().split(/\s+/);
    const said = label.replace(/^.*:/, "").trim();
    const names = /Neutral point/.test(said)
      ? ["Xnp"]
      : /Clb Cnr/.test(said)
        ? ["spiral"]
        : said.endsWith("d*")
          ? words.map((_, k) => said.replace("*", String(k + 1)))
          : said.split(",").map((name) => name.trim());
    names.forEach((name, k) => {
      values[name] = readAvlNumber(words[k] ?? "", { file, line: i + 1, field: name });
      lines[name] = i + 1;
    });
  });
  return {
    file,
    kind,
    configuration: rows[title + 1]?.trim() ?? "",
    values,
    lines,
    controls,
  };
}
