/**
 * Follows the source of a model as JavaScript would, with numbers that are not known yet: each such number is a node of a graph.
 * Loops are followed turn by turn; where a condition is not known both sides are, and what they leave is selected. Conditions of
 * parameters alone are decided by those of the vehicle, and remembered: the graph holds as long as they do.
 */
import { NATIVE } from "./elementary.ts";
import { evaluator } from "./evaluate.ts";
import { Expressions } from "./expressions.ts";
import type { Graph, Node, Truth, Value } from "./graph.ts";
import { type Module, Modules, type Tree } from "./modules.ts";
import { RESULT, TracedArrays } from "./traced-arrays.ts";
import { UnsupportedSyntax } from "./unsupported-syntax.ts";
import { ClassOf, type Closure, isNode, Scope } from "./values.ts";

/** Under which conditions what follows is not reached: a loop is left, its turn is, the function is. */
interface Flow {
  readonly broken: Truth;
  readonly continued: Truth;
  readonly returned: Truth;
}
/** Loops with more iterations count as endless; loops that may be left early are traced iteration within iteration. */
const MOST_TURNS = 10_000;
const MOST_NESTED = 300;
const ON: Flow = { broken: false, continued: false, returned: false };

/** A condition of parameters that the graph was made under. */
export interface Assumption {
  readonly condition: Node;
  readonly holds: boolean;
}

export class Interpreter {
  readonly graph: Graph;
  readonly memory: TracedArrays;
  readonly assumptions: Assumption[] = [];
  private readonly assumed = new Map<Node, boolean>();
  private readonly modules: Modules;
  private readonly expressions = new Expressions(this);
  private readonly valueOf: (node: Node) => number | boolean;
  /** The place in the source that is being traced, for error messages. */
  private at: { file: string; line: number } = { file: "", line: 0 };
  private returning: { [RESULT]?: unknown }[] = [];
  /** Elementary functions stay calls and conditions of parameters are decided, or all is followed. */
  keepCalls = true;

  constructor(
    graph: Graph,
    sources: Readonly<Record<string, string>>,
    inputs: Readonly<Record<string, unknown>>,
  ) {
    this.graph = graph;
    this.modules = new Modules(sources);
    this.valueOf = evaluator(inputs);
    this.memory = new TracedArrays(graph, (key) =>
      this.refuse(
        `${String(key)} has values of different kinds on the two sides of a condition`,
        "choose between numbers only",
      ),
    );
  }

  refuse(problem: string, advice: string): never {
    throw new UnsupportedSyntax(this.at.file, this.at.line, problem, advice);
  }
  visit(tree: Tree): void {
    if (tree.loc) this.at.line = tree.loc.start.line;
  }

  /** A condition of parameters is decided; what else is unknown stays so. */
  decide(truth: unknown): Truth {
    if (!isNode(truth)) return Boolean(truth);
    if (!truth.isTruth) this.refuse("a number is used as a condition", "compare it with something");
    if (!truth.isFixed || !this.keepCalls) return truth;
    let holds = this.assumed.get(truth);
    if (holds === undefined) {
      holds = this.valueOf(truth) as boolean;
      this.assumed.set(truth, holds);
      this.assumptions.push({ condition: truth, holds });
    }
    return holds;
  }

  /** A number that has to be known: a place in a list, the end of a loop. */
  known(value: Value, what: string): number {
    if (!isNode(value)) return value;
    if (!value.isFixed) this.refuse(`${what} depends on the state`, "make it depend on parameters only");
    const number = this.valueOf(value) as number;
    this.decide(this.graph.compare("eq", value, number));
    return number;
  }

  /** What a file declares under a name. */
  imported(file: string, name: string): unknown {
    return this.inModule(this.modules.get(file), name);
  }

  inModule(module: Module, name: string): unknown {
    const known = module.scope.find(name);
    if (known !== undefined) return known.value;
    const again = module.reexports.get(name);
    if (again !== undefined && !(again.file === module.file && again.name === name))
      return this.imported(again.file, again.name);
    const declaration = module.declarations.get(name);
    if (declaration === undefined) return undefined;
    const { tree, from } = declaration;
    if (from !== undefined) return this.imported(from.file, from.name);
    return this.within(module.file, () =>
      this.memory.apart(() => {
        const value =
          tree.type === "FunctionDeclaration"
            ? this.closure(tree, module.scope, name)
            : tree.type === "ClassDeclaration"
              ? this.classOf(tree, module.scope)
              : tree.init && this.expressions.evaluate(tree.init, module.scope);
        module.scope.declare(name, value);
        return value;
      }),
    );
  }

  /** What a name means that no scope has: something of its file, or of the language. */
  outside(name: string): unknown {
    const module = this.at.file === "" ? undefined : this.modules.get(this.at.file);
    return module?.declarations.has(name) ? this.inModule(module, name) : this.expressions.global(name);
  }

  within<T>(file: string, work: () => T): T {
    const before = this.at;
    this.at = { file, line: before.line };
    try {
      return work();
    } finally {
      this.at = before;
    }
  }

  closure(syntax: Tree, scope: Scope, name = syntax.id?.name ?? ""): Closure {
    return { isClosure: true, name, file: this.at.file, syntax, scope };
  }

  private classOf(tree: Tree, scope: Scope): ClassOf {
    const members = tree.body.body as Tree[];
    const fields = members
      .filter((m) => m.type === "PropertyDefinition")
      .map((m) => ({ name: m.key.name as string, value: m.value as Tree | undefined }));
    const methods = members
      .filter((m) => m.type === "MethodDefinition")
      .map((m) => [m.key.name as string, this.closure(m.value, scope, m.key.name)] as const);
    return new ClassOf(tree.id.name, this.at.file, fields, new Map(methods), scope);
  }

  /** Calls a function of the source. */
  call(closure: Closure, args: readonly unknown[], self?: unknown): unknown {
    const syntax = closure.syntax as Tree;
    const native =
      closure.file.startsWith("math/") && Object.hasOwn(NATIVE, closure.name)
        ? NATIVE[closure.name]
        : undefined;
    if (native && args.every((a) => typeof a === "number")) return native(...(args as number[]));
    if (native && this.keepCalls) return this.graph.call(closure.name, args as Value[]);
    return this.within(closure.file, () => {
      const scope = new Scope(closure.scope, self);
      syntax.params.forEach((param: Tree, i: number) => {
        if (param.type === "RestElement") scope.declare(param.argument.name, args.slice(i));
        else this.expressions.bind(param, args[i], scope);
      });
      if (syntax.body.type !== "BlockStatement") return this.expressions.evaluate(syntax.body, scope);
      const frame: { [RESULT]?: unknown } = {};
      this.returning.push(frame);
      let flow = ON;
      try {
        flow = this.block(syntax.body.body, scope);
      } finally {
        this.returning.pop();
      }
      if (frame[RESULT] !== undefined && flow.returned !== true)
        this.refuse("a function returns a number on some of its paths only", "return one at its end");
      return frame[RESULT];
    });
  }

  evaluate(tree: Tree, scope: Scope): unknown {
    return this.expressions.evaluate(tree, scope);
  }

  /** Statements one after the other; where some of them may have left, the rest is followed under the condition that they have not. */
  private block(statements: readonly Tree[], scope: Scope, from = 0): Flow {
    if (from === 0)
      for (const s of statements)
        if (s.type === "FunctionDeclaration") scope.declare(s.id.name, this.closure(s, scope));
    for (let i = from; i < statements.length; i++) {
      const flow = this.execute(statements[i], scope);
      const left = this.left(flow);
      if (left === true) return flow;
      if (left === false) continue;
      const rest = this.under(this.graph.not(left) as Node, () => this.block(statements, scope, i + 1));
      return this.either(flow, rest);
    }
    return ON;
  }

  private left({ broken, continued, returned }: Flow): Truth {
    return this.graph.or(this.graph.or(broken, continued), returned);
  }
  private either(a: Flow, b: Flow): Flow {
    const { graph } = this;
    return {
      broken: graph.or(a.broken, b.broken),
      continued: graph.or(a.continued, b.continued),
      returned: graph.or(a.returned, b.returned),
    };
  }
  private given(condition: Truth, flow: Flow): Flow {
    const { graph } = this;
    return {
      broken: graph.and(condition, flow.broken),
      continued: graph.and(condition, flow.continued),
      returned: graph.and(condition, flow.returned),
    };
  }
  /** Work that is done only under a condition. */
  private under(condition: Node, work: () => Flow): Flow {
    const { yes } = this.memory.branch(condition, work, () => ON);
    return this.given(condition, yes);
  }

  private execute(tree: Tree, scope: Scope): Flow {
    this.visit(tree);
    switch (tree.type) {
      case "BlockStatement":
        return this.block(tree.body, new Scope(scope));
      case "VariableDeclaration":
        if (tree.kind === "var") this.refuse("var reaches beyond its block", "use let or const");
        for (const { id, init } of tree.declarations)
          this.expressions.bind(id, init ? this.evaluate(init, scope) : undefined, scope);
        return ON;
      case "FunctionDeclaration":
      case "EmptyStatement":
        return ON;
      case "ExpressionStatement":
        this.evaluate(tree.expression, scope);
        return ON;
      case "ReturnStatement": {
        const value = tree.argument ? this.evaluate(tree.argument, scope) : undefined;
        this.memory.write(this.returning.at(-1) as object, RESULT, value);
        return { ...ON, returned: true };
      }
      case "BreakStatement":
        return { ...ON, broken: true };
      case "ContinueStatement":
        return { ...ON, continued: true };
      case "IfStatement":
        return this.choose(tree, scope);
      case "ForStatement": {
        const own = new Scope(scope);
        if (tree.init)
          this.execute(
            tree.init.type === "VariableDeclaration"
              ? tree.init
              : { ...tree, type: "ExpressionStatement", expression: tree.init },
            own,
          );
        return this.turns(tree, own);
      }
      case "ForOfStatement":
        return this.each(tree, scope, this.expressions.list(this.evaluate(tree.right, scope)));
      default:
        return this.refuse(
          `${tree.type} is not understood`,
          "use if, for, return, break, continue and assignments",
        );
    }
  }

  private choose(tree: Tree, scope: Scope): Flow {
    const condition = this.decide(this.evaluate(tree.test, scope));
    const side = (taken: boolean) => () => {
      const chosen = taken ? tree.consequent : tree.alternate;
      return chosen ? this.execute(chosen, scope) : ON;
    };
    if (!isNode(condition)) return side(condition)();
    const { yes, no } = this.memory.branch(condition, side(true), side(false));
    return this.either(this.given(condition, yes), this.given(this.graph.not(condition), no));
  }

  /** The turns of a loop from the present one on, each with variables of its own. */
  private turns(tree: Tree, scope: Scope, nested = 0): Flow {
    let returned: Truth = false;
    for (let turn = 0; ; turn++) {
      if (turn > MOST_TURNS || nested > MOST_NESTED)
        this.refuse("a loop has no end", "give it a fixed count");
      const goesOn = tree.test ? this.decide(this.evaluate(tree.test, scope)) : true;
      if (isNode(goesOn))
        this.refuse(
          "the number of iterations of a loop depends on the state",
          "give it a fixed count and break from it",
        );
      if (!goesOn) return { ...ON, returned };
      const flow = this.execute(tree.body, scope);
      returned = this.graph.or(returned, flow.returned);
      const out = this.graph.or(flow.broken, flow.returned);
      if (out === true) return { ...ON, returned };
      const next = (): Scope => {
        const own = scope.again();
        if (tree.update) this.evaluate(tree.update, own);
        return own;
      };
      if (out === false) scope = next();
      else {
        const rest = this.under(this.graph.not(out) as Node, () => this.turns(tree, next(), nested + 1));
        return { ...ON, returned: this.graph.or(returned, rest.returned) };
      }
    }
  }

  private each(tree: Tree, scope: Scope, items: readonly unknown[]): Flow {
    if (tree.left.type !== "VariableDeclaration")
      this.refuse("a loop over a list changes a variable outside", "declare it in the loop");
    for (const item of items) {
      const own = new Scope(scope);
      this.expressions.bind(tree.left.declarations[0].id, item, own);
      const flow = this.execute(tree.body, own);
      const out = this.graph.or(flow.broken, flow.returned);
      if (out === true) return { ...ON, returned: flow.returned };
      if (out !== false) this.refuse("a loop over a list is left under a condition", "count through it");
    }
    return ON;
  }
}
