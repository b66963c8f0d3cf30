/** AVL's output for people: `name = value` in columns, rows of derivatives. */
import { InputError } from "../../model/input-error.ts";
import { type AvlOutput, readAvlNumber } from "./output.ts";

/** The spiral criterion's line ends in a token that looks like another value of Cnb. */
const SPIRAL = /Clb\s+Cnr\s*\/\s*Clr\s+Cnb/;
const ASSIGNMENT = /([A-Za-z][\w'/]*)\s*=\s*(\S+)/g;

export function readTextLayout(text: string, file: string): AvlOutput {
  const values: Record<string, number> = {};
  const places: Record<string, number> = {};
  const controls: { name: string; deflection: number }[] = [];
  let kind: AvlOutput["kind"] = "FT";
  let configuration = "";
  let isControlBlock = false;
  let counted = Number.POSITIVE_INFINITY;

  const put = (name: string, word: string, line: number) => {
    const value = readAvlNumber(word, { file, line, field: name });
    if (values[name] !== undefined)
      throw new InputError(`stands a second time (first in line ${places[name]}): two outputs in one file?`, {
        file,
        line,
        field: name,
        allowed: "one output per file",
      });
    values[name] = value;
    places[name] = line;
  };

  text.split(/\r?\n/).forEach((content, i) => {
    const line = i + 1;
    configuration ||= /^\s*Configuration:\s*(.*?)\s*$/.exec(content)?.[1] ?? "";
    if (/Configuration:|Run case:|# (Surfaces|Strips|Vortices)/.test(content)) return;
    if (/Stability-axis derivatives/.test(content)) kind = "ST";
    if (/(Geometry|Body)-axis derivatives/.test(content)) kind = "SB";
    if (SPIRAL.test(content)) {
      put("spiral", /=\s*(\S+)/.exec(content)?.[1] ?? "", line);
      return;
    }
    const header = /^\s*(?:\S+\s+d0*\d+\s*)+$/.test(content) ? content.match(/\sd0*\d+(?=\s|$)/g) : null;
    if (header) counted = header.length;
    // Controls stand between the Trefftz plane's numbers and the next rule.
    if (/^\s*-{20,}\s*$/.test(content)) isControlBlock = false;
    // Design variables follow the controls there; only derivatives tell them apart.
    if (isControlBlock) {
      const control = /^\s*(\S.*?)\s*=\s*(\S+)\s*$/.exec(content);
      if (control)
        controls.push({
          name: control[1],
          deflection: readAvlNumber(control[2], { file, line, field: control[1] }),
        });
      return;
    }
    for (const [, name, word] of content.matchAll(ASSIGNMENT)) put(uniform(name), word, line);
    if (/\|\s*Plane/.test(content)) isControlBlock = true;
  });
  return { file, kind, configuration, values, lines: places, controls: controls.slice(0, counted) };
}

/** Versions up to 3.3x number controls d1, later ones d01. */
const uniform = (name: string) => name.replace(/d0*(\d+)$/, "d$1");
