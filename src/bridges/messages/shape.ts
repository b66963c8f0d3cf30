/** Whether JSON is a message of a type: what encoding would quietly make zero of is a mistake of who sent it. */
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";
import { definitionsOf } from "./definitions.ts";

/** What a person need not fill in. */
const OPTIONAL = ["header", "layout"];

/** What is wrong with a value; nothing where it is one. */
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
    return `${path || "it"} is no object`;
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
  if (type === "string") return typeof value === "string" ? undefined : `${name} is no text`;
  if (type === "bool") return typeof value === "boolean" ? undefined : `${name} is neither true nor false`;
  return typeof value === "number" && Number.isFinite(value) ? undefined : `${name} is no number`;
}
