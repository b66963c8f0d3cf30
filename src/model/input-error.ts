/** Details of an input error. */
export interface InputErrorDetails {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly field?: string;
  readonly value?: unknown;
  /** The allowed range in words. */
  readonly allowed?: string;
}

/** An input error, reported in one paragraph: where, what is wrong, and what is allowed. Never a stack trace. */
export class InputError extends Error {
  readonly details: InputErrorDetails;
  /** What is wrong, without the place and the allowed values. */
  readonly problem: string;
  constructor(problem: string, mistake: InputErrorDetails = {}) {
    const { file, line, column, field, allowed } = mistake;
    const place = [file, line, column].filter((p) => p !== undefined).join(":");
    const wanted = allowed === undefined ? "" : `; allowed: ${allowed}`;
    const parts = [
      clipped(place),
      field === undefined ? "" : clipped(field),
      `${clipped(problem, 600)}${wanted}`,
    ];
    super(parts.filter((p) => p !== "").join(": "));
    this.name = "InputError";
    this.details = mistake;
    this.problem = problem;
  }
}

/** Long names are shortened. */
function clipped(text: string, most = 200): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

/** The known word closest to a mistyped one, if it is close. */
export function closest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  // A short word that differs in two letters is another word.
  let least = Math.min(word.length, word.length <= 3 ? 2 : Math.max(2, Math.floor(word.length / 3)) + 1);
  for (const candidate of known) {
    const d = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (d < least) {
      least = d;
      best = candidate;
    }
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
