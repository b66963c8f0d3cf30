/** XML as a tree that knows its lines. No document types: so no entities of a file's own, inside or outside it. */
import { SaxesParser } from "saxes";
import { InputError } from "../model/input-error.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text directly inside, trimmed. */
  readonly text: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

const DEEPEST = 100;
const MOST_ELEMENTS = 100_000;

export function parseXml(source: string, file: string): XmlElement {
  const parser = new SaxesParser({ position: true, fileName: file });
  const wrong = (problem: string, allowed?: string) =>
    new InputError(problem, { file, line: parser.line, allowed });
  type Open = { -readonly [K in keyof XmlElement]: XmlElement[K] } & { children: XmlElement[] };
  const open: Open[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  parser.on("error", (error) => {
    throw wrong(`is not well-formed XML: ${error.message.replace(/^.*?:\d+:\d+: /, "")}`);
  });
  parser.on("doctype", () => {
    throw wrong("has a document type (<!DOCTYPE>), which may define entities", "XML without one");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= DEEPEST) throw wrong("is nested too deeply", `up to ${DEEPEST} levels`);
    if (++count > MOST_ELEMENTS) throw wrong("has too many elements", `up to ${MOST_ELEMENTS}`);
    open.push({
      name,
      attributes: attributes as Record<string, string>,
      children: [],
      text: "",
      file,
      line: parser.line,
    });
  });
  const addText = (text: string) => {
    const top = open.at(-1);
    if (top) top.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const element = open.pop() as Open;
    element.text = element.text.trim();
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  parser.write(withoutComments(source)).close();
  if (root === undefined) throw new InputError("is empty", { file, allowed: "an XML document" });
  return root;
}

/** Two dashes inside a comment are not XML, but every reader of SDF lets them pass. Lines stay where they are. */
function withoutComments(source: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = source.indexOf("<!--", at);
    const to = from < 0 ? -1 : source.indexOf("-->", from + 4);
    if (to < 0) return parts.join("") + source.slice(at);
    parts.push(source.slice(at, from), source.slice(from, to + 3).replace(/[^\n]/g, " "));
    at = to + 3;
  }
}

export const child = (e: XmlElement | undefined, name: string): XmlElement | undefined =>
  e?.children.find((c) => c.name === name);
export const childrenOf = (e: XmlElement, name: string): XmlElement[] =>
  e.children.filter((c) => c.name === name);

/** A child's number; NaN-free or an error with its line. */
export function numberIn(e: XmlElement, name: string): number | undefined {
  const c = child(e, name);
  if (c === undefined || c.text === "") return undefined;
  return numberOf(c, c.text, name);
}

/** "0.0." is read as 0.0, as Gazebo does. */
export const STRAY_DOT = /^([-+]?\d+\.\d*)\.$/;

export function numberOf(e: XmlElement, word: string, field: string): number {
  const value = Number(word.replace(STRAY_DOT, "$1"));
  if (word.trim() === "" || !Number.isFinite(value))
    throw new InputError(`"${word}" is not a number`, {
      file: e.file,
      line: e.line,
      field,
      value: word,
      allowed: "a finite number",
    });
  return value;
}

/** A joint's limit, which may be infinite. */
export function limitIn(e: XmlElement, name: string): number | undefined {
  const text = child(e, name)?.text.toLowerCase() ?? "";
  const infinite = /^([-+]?)inf(inity)?$/.exec(text);
  if (infinite) return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return numberIn(e, name);
}

/** A child that is true or false, 1 or 0. */
export function flagIn(e: XmlElement, name: string): boolean | undefined {
  const text = child(e, name)?.text.toLowerCase();
  if (text === undefined || text === "") return undefined;
  if (["true", "1"].includes(text)) return true;
  if (["false", "0"].includes(text)) return false;
  throw new InputError(`"${text}" is neither true nor false`, {
    file: e.file,
    line: e.line,
    field: name,
    allowed: "true, false, 1, 0",
  });
}

/** So many numbers in a child's text, or an error with its line. */
export function numbersIn(e: XmlElement, name: string, counts: readonly number[]): number[] | undefined {
  const c = child(e, name);
  if (c === undefined || c.text === "") return undefined;
  const words = c.text.split(/\s+/);
  if (!counts.includes(words.length))
    throw new InputError(`holds ${words.length} numbers`, {
      file: c.file,
      line: c.line,
      field: name,
      allowed: counts.join(" or "),
    });
  return words.map((word) => numberOf(c, word, name));
}
