// Writes the places of the outputs, by name, into the equations that fill them: between the two marks, from the list of fields. Constants of
// another module would be loaded each time; a module's own cost nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const vehicles = fileURLToPath(new URL("../src/vehicles/", import.meta.url));
/** Compares only. */
const isCheck = process.argv.includes("--check");
const LISTS = { parafoil: "OUTPUTS", aircraft: "BODY_OUTPUTS", car: "OUTPUTS" };
const BLOCK = /(\/\/ <places of outputs>[^\n]*\n)[\s\S]*?(\/\/ <\/places of outputs>)/;

/** One statement, wrapped as prose. */
function declaration(places) {
  // Lines break behind commas only.
  const pairs = places.map(({ name, i }) => `${name}_=_${i}`).join(", ");
  const wrapped = (`const_${pairs};`.match(/.{1,104}(?:\s|$)/g) ?? []).map((l) => l.replaceAll("_=_", " = "));
  return `// biome-ignore format: a table\n${wrapped
    .map((line) => line.trim())
    .join("\n  ")
    .replace("const_", "const ")}\n`;
}

for (const [type, list] of Object.entries(LISTS)) {
  const { [list]: fields } = await import(`${vehicles}${type}/outputs.ts`);
  const file = `${vehicles}${type}/equations.ts`;
  const before = readFileSync(file, "utf8");
  const all = fields.map(({ name }, i) => ({ name: `Y_${name.toUpperCase()}`, i }));
  const equations = before.replace(BLOCK, "");
  const used = all.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(equations));
  const after = before.replace(BLOCK, (_, open, close) => `${open}${declaration(used)}${close}`);
  if (!BLOCK.test(before)) throw new Error(`${file} has no marks for the places of its outputs`);
  if (after === before) continue;
  if (!isCheck) writeFileSync(file, after);
  else {
    console.error(
      `${file} does not have the places of outputs.ts: run node --import tsx scripts/embed-places.mjs`,
    );
    process.exitCode = 1;
  }
}
