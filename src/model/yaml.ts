/** YAML text as a document with the line of each value. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";
import { type Document, LARGEST_TEXT } from "./document.ts";
import { InputError } from "./input-error.ts";

/**
 * Reads a YAML document; `file` is what errors call it.
 *
 * @throws InputError where the text is no YAML, or larger than 1 MB
 */
export function parseYaml(text: string, file: string): Document {
  if (text.length > LARGEST_TEXT)
    throw new InputError(`is ${(text.length / 1e6).toFixed(1)} MB of text`, { file, allowed: "up to 1 MB" });
  if (text.includes("\u0000")) throw new InputError("is not a text file (it holds NUL bytes)", { file });
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      strict: true,
      uniqueKeys: false,
    });
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault) throw new InputError(faultText(fault.message), { file, ...at(fault.pos[0]) });
    // The library's own check for duplicate keys takes quadratic time.
    visit(document, {
      Map(_, map) {
        const seen = new Set<string>();
        for (const { key } of map.items) {
          const name = isScalar(key) ? String(key.value) : String(key);
          if (name === "__proto__")
            throw new InputError("is not a valid name", {
              file,
              ...at((key as Node).range?.[0] ?? 0),
              field: name,
            });
          if (seen.has(name))
            throw new InputError("appears twice", {
              file,
              ...at((key as Node).range?.[0] ?? 0),
              field: name,
            });
          seen.add(name);
        }
      },
    });
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    return {
      file,
      value,
      locate(path, key) {
        let node: unknown = document.contents;
        let place = (node as Node | null)?.range?.[0] ?? 0;
        for (const step of key === undefined ? path : [...path, key]) {
          const pair = isMap(node)
            ? node.items.find((i) => isScalar(i.key) && String(i.key.value) === String(step))
            : undefined;
          const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
          const found = (pair?.key ?? next) as Node | null | undefined;
          if (found?.range) place = found.range[0];
          node = next;
        }
        return at(place);
      },
    };
  } catch (error) {
    if (error instanceof InputError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    if (/excessive alias/i.test(message))
      throw new InputError("its aliases expand without bound; write the values out", { file });
    throw new InputError(faultText(message), { file });
  }
}

function faultText(message: string): string {
  if (/call stack/i.test(message)) return "is nested too deeply";
  if (/parseAllDocuments/.test(message)) return "holds more than one YAML document; one is allowed";
  return `not valid YAML: ${message}`;
}
