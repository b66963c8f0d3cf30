/** What the language itself offers to a model's source: objects, lists of numbers, operators between what is known. */
import type { Value } from "./graph.ts";
import type { TracedArrays } from "./traced-arrays.ts";
import { Numbers } from "./values.ts";

/** Stands for Float64Array and Int32Array. */
export const NumbersType = {
  of: (...values: Value[]) => new Numbers(values),
  from: (values: Iterable<unknown> | Numbers, map?: (v: unknown, i: number) => Value) => {
    const list = values instanceof Numbers ? values.cells : [...(values as Iterable<unknown>)];
    return new Numbers((map ? list.map(map) : list) as Value[]);
  },
};

/** Methods of such a list. */
export function numbersMethod(list: Numbers, name: string, memory: TracedArrays): unknown {
  const { cells } = list;
  // Parameters are not written to.
  if (list.source && (name === "fill" || name === "set")) return undefined;
  const within = (i: number) => (i < 0 ? Math.max(0, cells.length + i) : Math.min(i, cells.length));
  if (name === "fill")
    return (value: Value, from = 0, to = cells.length) => {
      for (let i = within(from); i < within(to); i++) memory.write(cells, i, value);
      return list;
    };
  if (name === "set")
    return (values: Numbers | Value[], at = 0) => {
      const from = values instanceof Numbers ? values.cells : values;
      from.forEach((value, i) => {
        memory.write(cells, at + i, value);
      });
    };
  const method = (cells as unknown as Record<string, unknown>)[name];
  return typeof method === "function" ? method.bind(cells) : method;
}

/** Operators between what is known, as the language has them. */
export function concrete(operator: string, a: unknown, b: unknown): unknown {
  const [x, y] = [a as number, b as number];
  switch (operator) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return x / y;
    case "%":
      return x % y;
    case "&":
      return x & y;
    case "|":
      return x | y;
    case ">>":
      return x >> y;
    case "<<":
      return x << y;
    case "<":
      return x < y;
    case "<=":
      return x <= y;
    case ">":
      return x > y;
    case ">=":
      return x >= y;
    case "===":
      return a === b;
    case "!==":
      return a !== b;
    case "in":
      return (a as string) in (b as object);
    default:
      throw new Error(`operator ${operator}`);
  }
}

/** By name. */
export const GLOBALS: Readonly<Record<string, unknown>> = {
  undefined,
  Infinity: Number.POSITIVE_INFINITY,
  NaN: Number.NaN,
  ...{ Array, Boolean, Map, Math, Number, Object, Set, String },
  ...{ Float64Array: NumbersType, Int32Array: NumbersType },
};
