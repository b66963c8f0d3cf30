/** zod types for numbers with units, from which files are checked and editors' JSON Schemas are made. */
import * as z from "zod";
import { allowed, type Field, inRange } from "./field.ts";
import { closest } from "./input-error.ts";
import { parseQuantity } from "./units.ts";

/** Reads one number: a bare one is SI, a string carries its unit, a word is a choice. */
export function readNumber(value: unknown, field: Field): number | { problem: string } {
  if (value === undefined) return { problem: "is missing" };
  if (field.choices) {
    const word = value === true ? "on" : value === false ? "off" : String(value);
    const choice = Object.hasOwn(field.choices, word) ? field.choices[word] : undefined;
    return choice ?? { problem: `${show(value)} is not a choice` };
  }
  const parsed = typeof value === "string" ? parseQuantity(value, field.unit) : value;
  if (typeof parsed === "object" && parsed !== null && "problem" in parsed)
    return parsed as { problem: string };
  if (typeof parsed !== "number") return { problem: `${show(value)} is not a number` };
  if (Number.isNaN(parsed)) return { problem: "is not a number (NaN)" };
  return inRange(field, parsed) ? parsed : { problem: `${show(value)} is out of range` };
}

export function show(value: unknown): string {
  const text = JSON.stringify(value, (_, v) =>
    typeof v === "number" && !Number.isFinite(v) ? String(v) : typeof v === "bigint" ? String(v) : v,
  );
  return text === undefined ? String(value) : text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** What is made of equal fields is equal: zod's types are dear, and the parts of a vehicle are of few kinds. */
function once<F, T>(make: (fields: F) => T): (fields: F) => T {
  const known = new Map<string, T>();
  return (fields) => {
    const key = JSON.stringify(fields);
    const type = known.get(key) ?? make(fields);
    known.set(key, type);
    return type;
  };
}

/** A number of the field's kind. */
export const quantity = (field: Omit<Field, "name">) => quantityOf({ ...field, name: "" });

const quantityOf = once((full: Field) =>
  z
    .unknown()
    .meta(jsonSchema(full))
    .transform((value, context) => {
      const result = readNumber(value, full);
      if (typeof result === "number") return result;
      context.addIssue({
        code: "custom",
        message: result.problem,
        params: { allowed: `${allowed(full)}; ${full.meaning}`, input: value },
      });
      return z.NEVER;
    }),
);

function jsonSchema(field: Field): Record<string, unknown> {
  const description = `${field.meaning}${field.unit === "1" ? "" : ` [${field.unit}]`}`;
  if (field.choices)
    return {
      description,
      enum: [...Object.keys(field.choices), ...("on" in field.choices ? [true, false] : [])],
    };
  return {
    description,
    type: ["number", "string"],
    ...(field.min === undefined ? {} : { minimum: field.min }),
    ...(field.above === undefined ? {} : { exclusiveMinimum: field.above }),
    ...(field.max === undefined || field.max === Number.POSITIVE_INFINITY ? {} : { maximum: field.max }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}

/** An object with exactly these keys; unknown keys are rejected, with the key that was probably meant. */
export function strict<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error(issue) {
      if (issue.code === "invalid_type") return `a block with ${known.join(", ")}`;
      if (issue.code !== "unrecognized_keys") return undefined;
      const near = closest((issue.keys as string[])[0], known);
      return near === undefined
        ? `unknown key; known here: ${known.join(", ")}`
        : `unknown key; did you mean "${near}"?`;
    },
  });
}

const XYZ = ["x", "y", "z"];

/** Three numbers as a list. */
export function triple(field: Omit<Field, "name">) {
  const one = quantity(field);
  return z.tuple([one, one, one]).meta({ description: field.meaning });
}

/** Names `1.mass 1.length 2.mass ...`: parts of a kind, which files write as a list. */
const isNumbered = (members: readonly Field[]) => members.every((m) => /^\d+\./.test(m.name));
/** Names `1 2 3 ...`: a list of numbers. */
const isList = (members: readonly Field[]) => members.every((m) => /^\d+$/.test(m.name));

/** The key of what all parts of a list have in common: `each_rotor` for `rotors`. */
export const eachOf = (list: string) => `each_${list.replace(/s$/, "")}`;

/** Exactly as many numbers as there are members, rising where they must. */
function numberList(members: readonly Field[]): z.ZodType<Record<string, number>> {
  return z
    .array(quantity(members[0]))
    .meta({ description: members[0].meaning, minItems: members.length, maxItems: members.length })
    .transform((values, context) => {
      const complain = (problem: string, allowed: string, path: PropertyKey[] = []) => {
        context.addIssue({ code: "custom", message: problem, params: { allowed }, path });
        return z.NEVER;
      };
      if (values.length !== members.length)
        return complain(`holds ${values.length} numbers`, `${members.length} numbers, as its table has rows`);
      const fall = members[0].increasing ? values.findIndex((v, i) => i > 0 && v <= values[i - 1]) : -1;
      if (fall > 0)
        return complain(
          values[fall] === values[fall - 1]
            ? `${values[fall]} appears twice`
            : `${values[fall]} comes after ${values[fall - 1]}`,
          "numbers that increase from one to the next",
          [fall],
        );
      return Object.fromEntries(values.map((v, i) => [String(i + 1), v]));
    });
}

/** Fields of the nth part. */
const partFields = (members: readonly Field[], n: number) =>
  members.flatMap((m) => (m.name.startsWith(`${n}.`) ? [{ ...m, name: m.name.slice(`${n}.`.length) }] : []));

const partOfChange = once((own: readonly Field[]) => namedNumbers(own, true));

/** What a part lacks may stand in the block for all of them, so an editor's schema asks for nothing. */
const wholePart = once((own: readonly Field[]) =>
  namedNumbers(own, true).superRefine((part, context) => {
    const missing = own.find((f) => f.default === undefined && part[f.name] === undefined);
    if (missing)
      context.addIssue({
        code: "custom",
        message: "is missing",
        params: { allowed: `${allowed(missing)}; ${missing.meaning}` },
        path: missing.name.split("."),
      });
  }),
);

function numbered(members: readonly Field[], partial: boolean): z.ZodType {
  const count = Math.max(...members.map((m) => Number(m.name.split(".")[0])));
  const items = Array.from({ length: count }, (_, i) =>
    (partial ? partOfChange : wholePart)(partFields(members, i + 1)),
  );
  const flatten = (parts: readonly (readonly [string, unknown])[]) => {
    const flat: Record<string, number> = {};
    for (const [n, part] of parts)
      for (const [name, v] of Object.entries((part ?? {}) as object)) flat[`${n}.${name}`] = v;
    return flat;
  };
  const list = z
    .tuple(items as unknown as [z.ZodType, ...z.ZodType[]])
    .transform((parts) => flatten(parts.map((part, i) => [String(i + 1), part])));
  if (!partial) return list;
  const byNumber = strict(Object.fromEntries(items.map((item, i) => [String(i + 1), item.optional()])));
  return z.union([list, byNumber.transform((parts) => flatten(Object.entries(parts)))]);
}

/**
 * An object of the fields, all optional (`partial`) or required unless they have defaults. Dotted names nest, and a group of
 * exactly x, y, z, or of numbered parts, may be a list. The result is flat: `{ "I_B_diag.x": 0.8, ... }`.
 */
export function namedNumbers(fields: readonly Field[], partial: boolean) {
  const shape: Record<string, z.ZodType> = {};
  const groups = new Map<string, Field[]>();
  for (const f of fields) {
    const [head, ...rest] = f.name.split(".");
    if (rest.length === 0) {
      shape[head] = partial || f.default !== undefined ? z.optional(quantity(f)) : quantity(f);
    } else groups.set(head, [...(groups.get(head) ?? []), { ...f, name: rest.join(".") }]);
  }
  for (const [head, members] of groups) {
    const object = isNumbered(members) || isList(members) ? z.never() : namedNumbers(members, partial);
    const isVector = members.length === 3 && members.every((m, i) => m.name === XYZ[i]);
    const list = isVector
      ? z
          .tuple([quantity(members[0]), quantity(members[1]), quantity(members[2])])
          .transform(([x, y, z]) => ({ x, y, z }))
      : undefined;
    const either =
      list !== undefined
        ? z.union([list, object])
        : isNumbered(members)
          ? numbered(members, partial)
          : isList(members)
            ? numberList(members)
            : object;
    // `each_rotor` before `rotors`: what all parts have in common (vehicle-file.ts spreads it).
    if (isNumbered(members) && !partial)
      shape[eachOf(head)] = namedNumbers(partFields(members, 1), true)
        .transform(() => ({}))
        .optional();
    const needed = members.some((m) => m.default === undefined);
    shape[head] = partial || !needed ? z.optional(either) : either;
  }
  return strict(shape).transform((value) => {
    const flat: Record<string, number> = {};
    for (const [key, v] of Object.entries(value)) {
      if (typeof v === "number") flat[key] = v;
      else if (v !== undefined)
        for (const [inner, n] of Object.entries(v as Record<string, number>)) flat[`${key}.${inner}`] = n;
    }
    return flat;
  });
}

/** The same flat numbers from a block that is known to be right. */
export function plainNumbers(fields: readonly Field[], spec: unknown): Record<string, number> {
  const flat: Record<string, number> = {};
  for (const field of fields) {
    let node: unknown = spec;
    for (const key of field.name.split(".")) {
      const place = Array.isArray(node) ? (XYZ.includes(key) ? XYZ.indexOf(key) : Number(key) - 1) : key;
      node = (node as Record<PropertyKey, unknown> | undefined)?.[place];
    }
    if (node === undefined) continue;
    const n = readNumber(node, field);
    if (typeof n !== "number") throw new Error(`${field.name} ${n.problem}`);
    flat[field.name] = n;
  }
  return flat;
}
