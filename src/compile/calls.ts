/** Calls of functions in a model's source: its own, those of src/math, and the few of the language that are understood. */
import { NumbersType } from "./builtins.ts";
import { PAIRS, PRIMITIVES } from "./elementary.ts";
import type { Expressions } from "./expressions.ts";
import type { Graph, Op, Value } from "./graph.ts";
import type { Interpreter } from "./interpreter.ts";
import { isNumber } from "./memory.ts";
import type { Tree } from "./modules.ts";
import { ClassOf, type Closure, Given, Instance, isClosure, isNode, Numbers, Scope } from "./values.ts";

const MATH: Readonly<Record<string, Op>> = {
  ...{ sqrt: "sqrt", abs: "abs", floor: "floor", min: "min", max: "max" },
};

type Native = (...args: unknown[]) => unknown;

export class Calls {
  private readonly interpreter: Interpreter;
  private readonly expressions: Expressions;
  constructor(interpreter: Interpreter, expressions: Expressions) {
    this.interpreter = interpreter;
    this.expressions = expressions;
  }
  private get graph(): Graph {
    return this.interpreter.graph;
  }
  private refuse(problem: string, advice: string): never {
    return this.interpreter.refuse(problem, advice);
  }

  call(tree: Tree, scope: Scope): unknown {
    const { callee } = tree;
    let self: unknown;
    let called: unknown;
    if (callee.type === "MemberExpression") {
      self = this.expressions.evaluate(callee.object, scope);
      if (callee.optional && (self === undefined || self === null)) return undefined;
      const key = this.expressions.key(callee, scope);
      if (self === Math) return this.mathematics(String(key), this.expressions.args(tree.arguments, scope));
      if (self === Object) return this.objects(String(key), this.expressions.args(tree.arguments, scope));
      called = this.expressions.member(self, key);
    } else called = this.expressions.evaluate(callee, scope);
    if (tree.optional && called === undefined) return undefined;
    const args = this.expressions.args(tree.arguments, scope);
    this.interpreter.visit(tree);
    return this.invoke(called, args, self);
  }

  private invoke(called: unknown, args: readonly unknown[], self?: unknown): unknown {
    if (isClosure(called)) {
      const special = this.special(called, args);
      return special === undefined ? this.interpreter.call(called, args, self) : special.value;
    }
    if (typeof called !== "function")
      this.refuse("what is called is no function", "call functions of the equations' own source");
    return (called as Native)(...args.map((a) => (isClosure(a) ? this.native(a) : a)));
  }

  /** What is known of functions of src/math beyond their source. */
  private special({ file, name }: Closure, args: readonly unknown[]): { value: unknown } | undefined {
    if (!file.startsWith("math/")) return undefined;
    const { graph } = this;
    if (name in PRIMITIVES)
      return {
        value: isNode(args[0]) ? graph.apply(name as Op, args[0]) : PRIMITIVES[name](args[0] as number),
      };
    const pair = PAIRS[name];
    if (pair === undefined || !this.interpreter.keepCalls) return undefined;
    const [x, out, k] = args as [Value, Numbers, number];
    pair.forEach((one, i) => {
      const closure = this.interpreter.imported("math/elementary.ts", one) as Closure;
      this.interpreter.memory.write(out.cells, k + i, this.interpreter.call(closure, [x]));
    });
    return { value: undefined };
  }

  /** A function of the source as the language's own lists call it. */
  private native(closure: Closure): Native {
    return (...args) => this.interpreter.call(closure, args);
  }

  private mathematics(name: string, args: readonly unknown[]): unknown {
    const op = MATH[name];
    if (op !== undefined && args.every(isNumber)) {
      if (args.length === 1) return op === "min" || op === "max" ? args[0] : this.graph.apply(op, args[0]);
      return args.slice(1).reduce<Value>((a, b) => this.graph.apply(op, a, b), args[0]);
    }
    if (args.every((a) => typeof a === "number"))
      return (Math as unknown as Record<string, Native>)[name](...args);
    return this.refuse(
      `Math.${name} has other bits in other engines`,
      "import it from src/math/elementary.ts",
    );
  }

  private objects(name: string, args: readonly unknown[]): unknown {
    const [object] = args;
    if (object instanceof Given) {
      if (name === "keys") return object.keys();
      if (name === "values") return object.keys().map((key) => object.get(key));
      if (name === "entries") return object.keys().map((key) => [key, object.get(key)]);
    }
    return (Object as unknown as Record<string, Native>)[name](...args);
  }

  construct(type: unknown, args: readonly unknown[]): unknown {
    if (type === NumbersType) {
      const [from] = args;
      return new Numbers(
        typeof from === "number" ? new Array(from).fill(0) : ([...this.expressions.list(from)] as Value[]),
      );
    }
    if (type instanceof ClassOf) {
      const made = new Instance(type);
      const scope = new Scope(type.scope, made);
      this.interpreter.within(type.file, () => {
        for (const { name, value } of type.fields)
          made.members[name] = value ? this.expressions.evaluate(value as Tree, scope) : undefined;
      });
      const begin = type.methods.get("constructor");
      if (begin) this.interpreter.call(begin, args, made);
      return made;
    }
    if (type === Map || type === Set) return new (type as MapConstructor)(...(args as []));
    return this.refuse("a new object of this kind is made", "make numbers and lists only");
  }
}
