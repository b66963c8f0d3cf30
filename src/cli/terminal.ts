/** Text for the terminal. Control characters in names, files and arguments are escaped. */
import { styleText } from "node:util";

/** Control characters except tab and newline, C1 controls, bidirectional marks, Unicode line separators. */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Escapes control characters; within JSON strings the escapes mean the same characters. */
export const shown = (text: string): string =>
  text.replace(CONTROLS, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Colours and weights of `styleText`. */
export type Emphasis = Parameters<typeof styleText>[0];

/** Emphasised on terminals only: not in files and pipes, nor where NO_COLOR is set. */
const styled = (text: string, stream: NodeJS.WriteStream, emphasis?: Emphasis): string =>
  emphasis === undefined ? shown(text) : styleText(emphasis, shown(text), { stream });

/** To standard output. */
export const print = (text: string, emphasis?: Emphasis): void =>
  void process.stdout.write(styled(text, process.stdout, emphasis));

const WEIGHTS: Readonly<Record<string, Emphasis>> = { sideslip: "red", warning: "yellow", note: "cyan" };

/** To standard error; without an emphasis the word before the first colon says how bad it is. */
export function say(text: string, emphasis?: Emphasis): void {
  const [, word = "", rest = text] =
    emphasis === undefined ? (/^(sideslip|warning|note)(:.*)$/s.exec(text) ?? []) : [];
  process.stderr.write(styled(word, process.stderr, WEIGHTS[word]) + styled(rest, process.stderr, emphasis));
}
