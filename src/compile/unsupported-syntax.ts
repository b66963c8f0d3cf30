/** Something in a model's source that cannot be compiled: where, what, and what to write instead. */
export class UnsupportedSyntax extends Error {
  readonly file: string;
  readonly line: number;
  readonly problem: string;
  readonly advice: string;
  constructor(file: string, line: number, problem: string, advice: string) {
    super(`${file}:${line}: ${problem}; ${advice}`);
    this.name = "Refusal";
    this.file = file;
    this.line = line;
    this.problem = problem;
    this.advice = advice;
  }
}
