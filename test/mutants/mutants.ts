/** Mutants of the equations, made mechanically: every term of every sum and every product dropped, negated, doubled, one at a time. */
import { readFileSync } from "node:fs";
import ts from "typescript";

export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly term: string;
  readonly kind: "dropped" | "negated" | "doubled";
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Names that stand for places in arrays: terms made of these alone are no physics. */
const PLACES =
  /^(?:at|i|j|k|n|m|N|S|C|W|row|slot|first|own|servos|count|place|pair|ROTOR|SLOT|SERVOS|CONTACTS|CHARGE|FIRST_SLOT|SECOND_SLOT|MODE|length)$/;

/** Of the named functions of a source file; of all of it where none is named. */
export function mutantsOf(file: string, functions?: readonly string[]): Mutant[] {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const terms: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    // Loop counters and places in arrays are no terms; neither are strings.
    if (ts.isTemplateExpression(node)) return;
    if (ts.isForStatement(node) || ts.isElementAccessExpression(node)) {
      visit(ts.isForStatement(node) ? node.statement : node.expression);
      return;
    }
    const whole = expressionOf(node);
    if (whole !== undefined) collect(whole, terms);
    ts.forEachChild(node, visit);
  };
  if (functions === undefined) ts.forEachChild(source, visit);
  else eachFunction(source, (name, body) => functions.includes(name) && visit(body));
  const seen = new Set<number>();
  return terms
    .filter((t) => isPhysics(t, source) && !seen.has(t.getStart(source)) && seen.add(t.getStart(source)))
    .flatMap((t) => {
      const [start, end] = [t.getStart(source), t.getEnd()];
      const word = text.slice(start, end);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      const make = (kind: Mutant["kind"], replacement: string): Mutant => ({
        file,
        line,
        term: word.replace(/\s+/g, " "),
        kind,
        start,
        end,
        replacement,
      });
      return [make("dropped", "0"), make("negated", `(-(${word}))`), make("doubled", `(2 * (${word}))`)];
    });
}

/** What is assigned, returned or added to. */
function expressionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isVariableDeclaration(node)) return node.initializer;
  if (ts.isReturnStatement(node)) return node.expression;
  if (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  )
    return node.right;
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return node.body;
  return undefined;
}

const bare = (e: ts.Expression): ts.Expression => (ts.isParenthesizedExpression(e) ? bare(e.expression) : e);
const isSum = (e: ts.Expression): e is ts.BinaryExpression =>
  ts.isBinaryExpression(e) &&
  [ts.SyntaxKind.PlusToken, ts.SyntaxKind.MinusToken].includes(e.operatorToken.kind);
const isProduct = (e: ts.Expression): e is ts.BinaryExpression =>
  ts.isBinaryExpression(e) &&
  [ts.SyntaxKind.AsteriskToken, ts.SyntaxKind.SlashToken].includes(e.operatorToken.kind);

/** The terms of an expression: operands of sums, whole products, and the sums inside of products. */
function collect(expression: ts.Expression, terms: ts.Expression[]): void {
  const e = bare(expression);
  if (isSum(e)) {
    for (const part of [e.left, e.right]) {
      if (!isSum(bare(part))) terms.push(part);
      collect(part, terms);
    }
  } else if (isProduct(e)) {
    if (!isOperand(expression)) terms.push(expression);
    for (const part of [e.left, e.right]) collect(part, terms);
  } else if (ts.isConditionalExpression(e)) {
    collect(e.whenTrue, terms);
    collect(e.whenFalse, terms);
  } else if (ts.isPrefixUnaryExpression(e) && e.operator === ts.SyntaxKind.MinusToken) {
    terms.push(expression);
  } else if (ts.isCallExpression(e)) {
    if (!isOperand(expression)) terms.push(expression);
  }
}

/** Whether it is part of a larger sum or product, which has it as a term already. */
function isOperand(e: ts.Expression): boolean {
  let node: ts.Node = e.parent;
  while (ts.isParenthesizedExpression(node)) node = node.parent;
  return ts.isBinaryExpression(node) && (isSum(node) || isProduct(node));
}

/** Numbers that move something: not places in arrays, not objects. */
function isPhysics(term: ts.Expression, source: ts.SourceFile): boolean {
  const names: string[] = [];
  let hasObject = false;
  const visit = (node: ts.Node): void => {
    if (
      ts.isObjectLiteralExpression(node) ||
      ts.isArrayLiteralExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isArrowFunction(node)
    )
      hasObject = true;
    if (ts.isElementAccessExpression(node)) {
      names.push("x[...]");
      return;
    }
    if (ts.isIdentifier(node)) names.push(node.getText(source));
    ts.forEachChild(node, visit);
  };
  visit(term);
  return !hasObject && names.some((n) => !PLACES.test(n));
}

function eachFunction(source: ts.SourceFile, found: (name: string, body: ts.Node) => unknown): void {
  const visit = (node: ts.Node): void => {
    if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name && node.body)
      found(node.name.getText(source), node.body);
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isArrowFunction(node.initializer))
      found(node.name.getText(source), node);
    ts.forEachChild(node, visit);
  };
  visit(source);
}

/** The whole source with the mutant in it. */
export function mutated({ file, start, end, replacement }: Mutant): string {
  const text = readFileSync(file, "utf8");
  return text.slice(0, start) + replacement + text.slice(end);
}
