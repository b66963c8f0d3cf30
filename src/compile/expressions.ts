/** Expressions of a model's source: see interpreter.ts. */

import { concrete, GLOBALS, numbersMethod } from "./builtins.ts";
import { Calls } from "./calls.ts";
import type { Node, Op, Truth, Value } from "./graph.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Tree } from "./modules.ts";
import { isNumber } from "./traced-arrays.ts";
import { Given, Instance, isClosure, isNode, Numbers, type Scope } from "./values.ts";

const ARITHMETIC: Readonly<Record<string, Op>> = { "+": "add", "-": "sub", "*": "mul", "/": "div" };

type Native = (...args: unknown[]) => unknown;

export class Expressions {
  private readonly interpreter: Interpreter;
  private readonly calls: Calls;
  constructor(interpreter: Interpreter) {
    this.interpreter = interpreter;
    this.calls = new Calls(interpreter, this);
  }
  private get graph() {
    return this.interpreter.graph;
  }
  private refuse(problem: string, advice: string): never {
    return this.interpreter.refuse(problem, advice);
  }

  evaluate(tree: Tree, scope: Scope): unknown {
    const { interpreter } = this;
    switch (tree.type) {
      case "Literal":
        return tree.value;
      case "TemplateLiteral":
        return tree.quasis
          .map((q: Tree, i: number) => {
            const value = i < tree.expressions.length ? this.evaluate(tree.expressions[i], scope) : "";
            return q.value.cooked + String(value);
          })
          .join("");
      case "Identifier":
        return this.name(tree.name, scope);
      case "ThisExpression":
        return scope.self;
      case "MemberExpression": {
        interpreter.visit(tree);
        const object = this.evaluate(tree.object, scope);
        if (tree.optional && (object === undefined || object === null)) return undefined;
        return this.member(object, this.key(tree, scope));
      }
      case "ChainExpression":
        return this.evaluate(tree.expression, scope);
      case "UnaryExpression":
        return this.unary(tree.operator, this.evaluate(tree.argument, scope));
      case "BinaryExpression":
        interpreter.visit(tree);
        return this.binary(tree.operator, this.evaluate(tree.left, scope), this.evaluate(tree.right, scope));
      case "LogicalExpression":
        return this.logical(tree, scope);
      case "ConditionalExpression":
        return this.conditional(tree, scope);
      case "AssignmentExpression":
        return this.assign(tree, scope);
      case "UpdateExpression": {
        const target = this.target(tree.argument, scope);
        const old = target.read() as Value;
        const value = this.graph.apply(tree.operator === "++" ? "add" : "sub", old, 1);
        target.write(value);
        return tree.prefix ? value : old;
      }
      case "CallExpression":
        return this.calls.call(tree, scope);
      case "NewExpression":
        return this.calls.construct(this.evaluate(tree.callee, scope), this.args(tree.arguments, scope));
      case "SequenceExpression":
        return tree.expressions.reduce((_: unknown, one: Tree) => this.evaluate(one, scope), undefined);
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return interpreter.closure(tree, scope);
      case "ArrayExpression":
        return this.args(tree.elements, scope);
      case "ObjectExpression":
        return this.object(tree, scope);
      default:
        return this.refuse(
          `${tree.type} is not understood`,
          "write it with arithmetic, calls and conditions",
        );
    }
  }

  private name(name: string, scope: Scope): unknown {
    const cell = scope.find(name);
    return cell === undefined ? this.interpreter.outside(name) : cell.value;
  }

  /** What the language itself offers. */
  global(name: string): unknown {
    if (Object.hasOwn(GLOBALS, name)) return GLOBALS[name];
    return this.refuse(`${name} is not known here`, "import it, or pass it in");
  }

  key(tree: Tree, scope: Scope): string | Value {
    if (!tree.computed) return tree.property.name;
    const key = this.evaluate(tree.property, scope);
    return typeof key === "string" || isNumber(key) ? key : String(key);
  }

  member(object: unknown, key: string | Value): unknown {
    if (object === undefined || object === null)
      this.refuse(`${String(isNode(key) ? "a member" : key)} of nothing`, "give it a value first");
    if (object instanceof Numbers) {
      if (typeof key === "string")
        return key === "length" ? object.length : numbersMethod(object, key, this.interpreter.memory);
      return isNode(key) ? this.lookup(object, key) : object.cells[key];
    }
    const name = isNode(key) ? this.interpreter.known(key, "a place in a list") : key;
    if (object instanceof Given) return object.get(String(name));
    if (object instanceof Instance) return object.members[name] ?? object.type.methods.get(String(name));
    const value = (object as Record<PropertyKey, unknown>)[name];
    return typeof value === "function" && !isClosure(value) ? (value as Native).bind(object) : value;
  }

  /** A list read at a place that is not known: one of few places, or any place in a list of parameters. */
  private lookup(list: Numbers, place: Node): Value {
    if (place.isFixed) return list.cells[this.interpreter.known(place, "a place in a list")];
    const chosen = this.choices(place, (i) => list.cells[i] ?? Number.NaN);
    if (chosen !== undefined) return chosen;
    if (list.source === undefined)
      this.refuse("a place in a list depends on the state", "only lists of parameters can be read so");
    return this.graph.lookup(list.source, place);
  }

  /** What stands at a place that is a choice between constants. */
  private choices(place: Value, at: (i: number) => Value): Value | undefined {
    if (typeof place === "number") return at(place);
    const { op, args } = place;
    if (op === "constant") return at(place.value);
    if (op === "select") {
      const [yes, no] = [this.choices(args[1], at), this.choices(args[2], at)];
      return yes === undefined || no === undefined ? undefined : this.graph.select(args[0], yes, no);
    }
    const constant = args.findIndex((a) => a.isConstant);
    if ((op !== "add" && op !== "sub" && op !== "mul") || constant < 0) return undefined;
    const { value } = args[constant];
    return this.choices(args[1 - constant], (i) => {
      const [a, b] = constant === 0 ? [value, i] : [i, value];
      return at(op === "add" ? a + b : op === "sub" ? a - b : a * b);
    });
  }

  private unary(operator: string, a: unknown): unknown {
    if (operator === "!") return this.graph.not(this.interpreter.decide(a));
    if (operator === "-" && isNumber(a)) return this.graph.apply("neg", a);
    if (operator === "typeof") return isNode(a) ? (a.isTruth ? "boolean" : "number") : typeof a;
    return this.refuse(`${operator} is not understood here`, "use + - * / and comparisons of numbers");
  }

  private binary(operator: string, a: unknown, b: unknown): unknown {
    const { graph } = this;
    if (!isNode(a) && !isNode(b)) return concrete(operator, a, b);
    if (a === undefined || b === undefined) {
      if (operator === "===") return false;
      if (operator === "!==") return true;
    }
    if (!isNumber(a) || !isNumber(b))
      return this.refuse(
        `${operator} between operands that are not both numbers`,
        "use numbers, and && || ! between conditions",
      );
    const op = ARITHMETIC[operator];
    if (op !== undefined) return graph.apply(op, a, b);
    switch (operator) {
      case "<":
        return graph.compare("lt", a, b);
      case "<=":
        return graph.compare("le", a, b);
      case ">":
        return graph.compare("lt", b, a);
      case ">=":
        return graph.compare("le", b, a);
      case "===":
        return graph.compare("eq", a, b);
      case "!==":
        return graph.not(graph.compare("eq", a, b));
    }
    return this.refuse(
      `${operator} of numbers that are not known`,
      "use + - * / and comparisons; Math.floor instead of bits",
    );
  }

  private logical(tree: Tree, scope: Scope): unknown {
    const left = this.evaluate(tree.left, scope);
    if (tree.operator === "??") return left ?? this.evaluate(tree.right, scope);
    const a = isNode(left) ? this.interpreter.decide(left) : left;
    const isAnd = tree.operator === "&&";
    if (!isNode(a)) return Boolean(a) === isAnd ? this.evaluate(tree.right, scope) : a;
    const right = () => this.interpreter.decide(this.evaluate(tree.right, scope));
    const { yes, no } = this.interpreter.memory.branch<Truth>(
      a,
      isAnd ? right : () => true,
      isAnd ? () => false : right,
    );
    return isAnd ? this.graph.and(a, yes) : this.graph.or(a, no);
  }

  private conditional(tree: Tree, scope: Scope): unknown {
    const condition = this.interpreter.decide(this.evaluate(tree.test, scope));
    if (!isNode(condition)) return this.evaluate(condition ? tree.consequent : tree.alternate, scope);
    const { memory } = this.interpreter;
    const { yes, no, branch } = memory.branch<unknown>(
      condition,
      () => this.evaluate(tree.consequent, scope),
      () => this.evaluate(tree.alternate, scope),
    );
    return memory.merge(condition, yes, no, branch);
  }

  private assign(tree: Tree, scope: Scope): unknown {
    const { operator } = tree;
    const target = this.target(tree.left, scope);
    if (operator === "??=") {
      const old = target.read();
      if (old !== undefined && old !== null) return old;
    }
    const isPlain = operator === "=" || operator === "??=";
    const old = isPlain ? undefined : target.read();
    const right = this.evaluate(tree.right, scope);
    const value = isPlain ? right : this.binary(operator.slice(0, -1), old, right);
    target.write(value);
    return value;
  }

  /** A variable, a place in a list or a member, found once: as the language does, before what is assigned to it. */
  private target(tree: Tree, scope: Scope): { read(): unknown; write(value: unknown): void } {
    const { memory } = this.interpreter;
    if (tree.type === "Identifier") {
      const cell = scope.find(tree.name);
      if (cell === undefined) this.refuse(`${tree.name} is not declared`, "declare it with let");
      return { read: () => cell.value, write: (value) => memory.write(cell, "value", value) };
    }
    if (tree.type !== "MemberExpression")
      this.refuse("this cannot be assigned to", "assign to one place at a time");
    const object = this.evaluate(tree.object, scope);
    const key = this.key(tree, scope);
    const name = isNode(key) ? this.interpreter.known(key, "a place that is written to") : key;
    const read = () => this.member(object, name);
    if (object instanceof Given || (object instanceof Numbers && object.source))
      this.refuse("parameters are written to", "compute what follows from them in `derive`");
    if (object instanceof Numbers)
      return {
        read,
        write: (value) => {
          if (!isNumber(value))
            this.refuse(
              "a value that is not a number is assigned to a list of numbers",
              "write numbers only",
            );
          // What lies beyond a typed array is not kept.
          if ((name as number) in object.cells) memory.write(object.cells, name, value);
        },
      };
    const target = object instanceof Instance ? object.members : (object as object);
    return { read, write: (value) => memory.write(target, name, value) };
  }

  /** Gives names to a value, or to its parts. */
  bind(pattern: Tree, value: unknown, scope: Scope): void {
    if (pattern.type === "Identifier") {
      if (isNode(value)) value.label ??= pattern.name;
      scope.declare(pattern.name, value);
    } else if (pattern.type === "AssignmentPattern")
      this.bind(pattern.left, value === undefined ? this.evaluate(pattern.right, scope) : value, scope);
    else if (pattern.type === "ObjectPattern")
      for (const property of pattern.properties) {
        if (property.type === "RestElement")
          this.refuse("the rest of an object is taken", "name what is needed");
        this.bind(property.value, this.member(value, property.key.name ?? property.key.value), scope);
      }
    else if (pattern.type === "ArrayPattern") {
      const items = this.list(value);
      pattern.elements.forEach((element: Tree | null, i: number) => {
        if (element) this.bind(element, items[i], scope);
      });
    } else this.refuse(`${pattern.type} is not understood`, "declare plain names");
  }

  list(value: unknown): readonly unknown[] {
    if (value instanceof Numbers) return value.cells;
    if (Array.isArray(value)) return value;
    return [...(value as Iterable<unknown>)];
  }

  args(trees: readonly (Tree | null)[], scope: Scope): unknown[] {
    return trees.flatMap((tree) =>
      tree?.type === "SpreadElement"
        ? this.list(this.evaluate(tree.argument, scope))
        : [tree ? this.evaluate(tree, scope) : undefined],
    );
  }

  private object(tree: Tree, scope: Scope): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const property of tree.properties as Tree[])
      if (property.type === "SpreadElement") {
        const from = this.evaluate(property.argument, scope);
        if (from instanceof Given) for (const key of from.keys()) made[key] = from.get(key);
        else Object.assign(made, from);
      } else {
        const key = property.computed
          ? String(this.evaluate(property.key, scope))
          : String(property.key.name ?? property.key.value);
        made[key] =
          property.value.type === "FunctionExpression"
            ? this.interpreter.closure(property.value, scope, key)
            : this.evaluate(property.value, scope);
      }
    return made;
  }
}
