/** The value of a node where its inputs are known: decides conditions of parameters, and is the plainest way to run a graph. */
import { NATIVE, PRIMITIVES } from "./elementary.ts";
import { compute as arithmetic, type InputRef, type Node } from "./graph.ts";

/** What stands at a path. */
export function read(inputs: Readonly<Record<string, unknown>>, { array, path }: InputRef): unknown {
  let value: unknown = inputs[array];
  for (const key of path) value = (value as Record<PropertyKey, unknown>)[key];
  return value;
}

export function evaluator(inputs: Readonly<Record<string, unknown>>): (node: Node) => number | boolean {
  const known = new Map<Node, number | boolean>();
  const of = (node: Node): number | boolean => {
    let value = known.get(node);
    if (value === undefined) known.set(node, (value = compute(node)));
    return value;
  };
  const number = (node: Node) => of(node) as number;
  const compute = (node: Node): number | boolean => {
    const [a, b, c] = node.args;
    switch (node.op) {
      case "constant":
        return node.value;
      case "input":
        return read(inputs, node.source as InputRef) as number;
      case "lookup":
        return (read(inputs, node.source as InputRef) as ArrayLike<number>)[number(a)] ?? Number.NaN;
      case "binaryExponent":
      case "powerOf2":
        return PRIMITIVES[node.op](number(a));
      case "call":
        return NATIVE[node.name as string](...node.args.map(number));
      case "lt":
        return number(a) < number(b);
      case "le":
        return number(a) <= number(b);
      case "eq":
        return number(a) === number(b);
      case "and":
        return of(a) && of(b);
      case "or":
        return of(a) || of(b);
      case "not":
        return !of(a);
      case "select":
        return of(a) ? of(b) : of(c);
      default:
        return arithmetic(node.op, node.args.map(number));
    }
  };
  return of;
}
