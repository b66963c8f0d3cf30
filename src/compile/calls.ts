/** Calls of functions in a model's source: its own, those of src/math, and the few of the language that are understood. */
import { NumbersType } from "./builtins.ts";
import { PAIRS, PRIMITIVES } from "./elementary.ts";
import type { Expressions } from "./expressions.ts";
import type { Graph, Op, Value } from "./graph.ts";
import type { Interpreter } from "./interpreter.ts";
import type { Tree } from "./modules.ts";
import { isNumber } from "./traced-arrays.ts";
import { ClassOf, type Closure, Given, Instance, isClosure, isNode, Numbers, Scope } from "./values.ts";

const MATH: Readonly<Record<string, Op>> = {
  ...{ sqrt: "sqrt", abs: "abs", floor: "floor", min: "min", max: "max" },
};

type Native = (...args: unknown[]) => unknown;

/** Methods of lists that only hand numbers on. */
const FOLLOWED: ReadonlySet<string> = new Set(
  "map forEach reduce flatMap slice concat fill set entries values keys".split(" "),
);
/** Methods that change a list or an object in place. */
const CHANGING: ReadonlySet<string> = new Set(
  "push pop shift unshift splice reverse sort copyWithin add delete clear assign defineProperty".split(" "),
);

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
    let name = callee.name as string;
    if (callee.type === "MemberExpression") {
      self = this.expressions.evaluate(callee.object, scope);
      if (callee.optional && (self === undefined || self === null)) return undefined;
      const key = this.expressions.key(callee, scope);
      name = String(key);
      if (self === Math) return this.mathematics(String(key), this.expressions.args(tree.arguments, scope));
      if (self === Object) return this.objects(String(key), this.expressions.args(tree.arguments, scope));
      called = this.expressions.member(self, key);
    } else called = this.expressions.evaluate(callee, scope);
    if (tree.optional && called === undefined) return undefined;
    const args = this.expressions.args(tree.arguments, scope);
    this.interpreter.visit(tree);
    if (isClosure(called)) {
      const special = this.special(called, args);
      return special === undefined ? this.interpreter.call(called, args, self) : special.value;
    }
    if (typeof called !== "function")
      this.refuse("the called value is not a function", "call functions of the equations' own source");
    return this.foreign(called as Native, name, args, self);
  }

  /** A function of the language itself: it must not look at numbers that are not known, nor change what a branch may have to take back. */
  private foreign(called: Native, name: string, args: readonly unknown[], self: unknown): unknown {
    const { interpreter } = this;
    if ((CHANGING.has(name) || self instanceof Map) && interpreter.memory.isInBranch)
      this.refuse(`${name} is called under a condition`, "assign to places of lists instead");
    const holds = (v: unknown) => isNode(v) || (Array.isArray(v) && v.some(isNode));
    const isList = self instanceof Numbers || Array.isArray(self);
    const isKnown = ![...args, self instanceof Numbers ? self.cells : self].some(holds);
    if (!isKnown && !(isList && FOLLOWED.has(name)) && self !== NumbersType)
      this.refuse(`${name} of numbers that are not known`, "write it as a loop");
    // Places and lengths have to be known, what is written need not be.
    const isPlace = (i: number) => (name === "fill" || name === "set" ? i > 0 : isList && name !== "concat");
    return called(
      ...args.map((a, i) =>
        isClosure(a) && !CHANGING.has(name)
          ? this.native(a, FOLLOWED.has(name) || self === NumbersType)
          : isNode(a) && isPlace(i) && name !== "reduce"
            ? interpreter.known(a, "a place in a list")
            : a,
      ),
    );
  }

  /** What is known of functions of src/math beyond their source. */
  private special({ file, name }: Closure, args: readonly unknown[]): { value: unknown } | undefined {
    if (!file.startsWith("math/")) return undefined;
    const { graph } = this;
    if (Object.hasOwn(PRIMITIVES, name))
      return {
        value: isNode(args[0]) ? graph.apply(name as Op, args[0]) : PRIMITIVES[name](args[0] as number),
      };
    const pair = Object.hasOwn(PAIRS, name) ? PAIRS[name] : undefined;
    if (pair === undefined || !this.interpreter.keepCalls) return undefined;
    const [x, out, at] = args as [Value, Numbers, Value];
    const k = this.interpreter.known(at, "a place in a list");
    pair.forEach((one, i) => {
      const closure = this.interpreter.imported("math/elementary.ts", one) as Closure;
      this.interpreter.memory.write(out.cells, k + i, this.interpreter.call(closure, [x]));
    });
    return { value: undefined };
  }

  /** A function of the source as the language's own lists call it; those that ask a question need an answer. */
  private native(closure: Closure, mayBeUnknown: boolean): Native {
    return (...args) => {
      const value = this.interpreter.call(closure, args);
      const answer = isNode(value) && value.isTruth ? this.interpreter.decide(value) : value;
      if (isNode(answer) && !mayBeUnknown)
        this.refuse("a list is searched by numbers that are not known", "write it as a loop");
      return answer;
    };
  }

  private mathematics(name: string, args: readonly unknown[]): unknown {
    const op = MATH[name];
    if (op !== undefined && args.every(isNumber)) {
      if (args.length === 1) return op === "min" || op === "max" ? args[0] : this.graph.apply(op, args[0]);
      return args.slice(1).reduce<Value>((a, b) => this.graph.apply(op, a, b), args[0]);
    }
    if (args.every((a) => typeof a === "number") && name !== "random")
      return (Math as unknown as Record<string, Native>)[name](...args);
    return this.refuse(
      `Math.${name} is not understood`,
      "sqrt, abs, floor, min and max are; others stand in src/math/elementary.ts",
    );
  }

  private objects(name: string, args: readonly unknown[]): unknown {
    const [object] = args;
    if (object instanceof Given) {
      if (name === "keys") return object.keys();
      if (name === "values") return object.keys().map((key) => object.get(key));
      if (name === "entries") return object.keys().map((key) => [key, object.get(key)]);
    }
    return this.foreign((Object as unknown as Record<string, Native>)[name], name, args, Object);
  }

  construct(type: unknown, args: readonly unknown[]): unknown {
    if (type === NumbersType) {
      const [given] = args;
      const from = isNode(given) ? this.interpreter.known(given, "the length of a list") : given;
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
    return this.refuse("objects of this kind cannot be created", "make numbers and lists only");
  }
}
