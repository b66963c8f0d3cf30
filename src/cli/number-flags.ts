/** Flags that are numbers with units, described and checked like the fields of a file. */
import type { Command } from "commander";
import { allowed, type Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import { readNumber } from "../model/schema.ts";

/** By the name that commander gives them: `fromDiameter` for --from-diameter. */
export type NumberFlags = Readonly<Record<string, Omit<Field, "name">>>;

export const flag = (name: string) => `--${name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

export function addNumberFlags(command: Command, flags: NumberFlags): void {
  for (const [name, field] of Object.entries(flags))
    command.option(
      `${flag(name)} <value>`,
      `${field.meaning}${field.unit === "1" ? "" : ` [${field.unit}]`}`,
    );
}

/** Those that were given. */
export function readNumberFlags(flags: NumberFlags, options: object): Partial<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(flags).flatMap(([name, field]) => {
      const text = (options as Record<string, unknown>)[name];
      if (text === undefined) return [];
      const full = { ...field, name };
      const value = readNumber(text, full);
      if (typeof value === "number") return [[name, value]];
      throw new InputError(value.problem, {
        field: flag(name),
        value: text,
        allowed: `${allowed(full)}; ${field.meaning}`,
      });
    }),
  );
}

/** A flag that is a whole number. */
export function wholeNumber(text: string, name: string, min: number, max: number): number {
  const n = Number(text);
  if (!/^\d+$/.test(text.trim()) || n < min || n > max)
    throw new InputError(`"${text}" is not a whole number in range`, {
      field: name,
      value: text,
      allowed: `${min} to ${max}`,
    });
  return n;
}
