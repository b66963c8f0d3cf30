/** Words for the terminal. Names and texts of files and arguments may hold what a terminal obeys: it is shown, not sent. */

/** Controls but tab and newline, C1 controls, marks that reorder text, separators of lines that are none. */
const OBEYED =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** With escapes for what a terminal would obey; in JSON, where it stands in strings only, they mean the same character. */
export const shown = (text: string): string =>
  text.replace(OBEYED, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** To standard output. */
export const print = (text: string): void => void process.stdout.write(shown(text));
/** To standard error. */
export const say = (text: string): void => void process.stderr.write(shown(text));
