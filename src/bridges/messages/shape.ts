/** Checks that JSON is a message of a type, since encoding would silently turn missing fields into zeros. */
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";
import { definitionsOf } from "./definitions.ts";

/** Fields that may be absent. */
const OPTIONAL = ["header", "layout"];

/** What is wrong with a value; undefined if it is valid. */
export function wrongIn(type: string, value: unknown): string | undefined {
  const [root, ...others] = definitionsOf(type);
  return wrongObject(root, value, "", others);
}

function wrongObject(
  { definitions }: MessageDefinition,
  value: unknown,
  path: string,
  others: readonly MessageDefinition[],
): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `${path || "the message"} is not an object`;
  const stranger = Object.keys(value).find((key) => !definitions.some((f) => f.name === key));
  if (stranger !== undefined) return `there is no field ${path}${stranger}`;
  for (const field of definitions) {
    const name = path + field.name;
    const found = (value as Record<string, unknown>)[field.name];
    if (field.isConstant || OPTIONAL.includes(field.name)) continue;
    const items = field.isArray ? (Array.isArray(found) ? found : [undefined]) : [found];
    for (const item of items) {
      const problem = wrongItem(field, item, name, others);
      if (problem) return problem;
    }
  }
  return undefined;
}

function wrongItem(
  { type, isComplex }: MessageDefinitionField,
  value: unknown,
  name: string,
  others: readonly MessageDefinition[],
): string | undefined {
  const inner = others.find((d) => d.name === type);
  if (isComplex && inner) return wrongObject(inner, value, `${name}.`, others);
  if (type === "string") return typeof value === "string" ? undefined : `${name} is not a string`;
  if (type === "bool") return typeof value === "boolean" ? undefined : `${name} is not a boolean`;
  return typeof value === "number" && Number.isFinite(value) ? undefined : `${name} is not a number`;
}
