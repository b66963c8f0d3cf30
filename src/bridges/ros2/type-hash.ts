/** The hash by which ROS 2 from Iron on knows a message's definition (REP-2016): SHA-256 over a canonical JSON of it. */
import { createHash } from "node:crypto";
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";
import { definitionsOf, fullName, TIMES } from "../messages/definitions.ts";

const IDS: Readonly<Record<string, number>> = {
  int8: 2,
  uint8: 3,
  int16: 4,
  uint16: 5,
  int32: 6,
  uint32: 7,
  int64: 8,
  uint64: 9,
  float32: 10,
  float64: 11,
  char: 3,
  bool: 15,
  byte: 16,
  string: 17,
  wstring: 18,
};
const NESTED = 1;
const ARRAY = 48;
const SEQUENCE = 144;
const named = (type: string) => fullName(TIMES[type] ?? type);

function fieldOf({ name, type, isArray, arrayLength }: MessageDefinitionField) {
  const id = IDS[type] ?? NESTED;
  const shape = isArray ? (arrayLength === undefined ? SEQUENCE : ARRAY) : 0;
  return {
    name,
    type: {
      type_id: id + shape,
      capacity: arrayLength ?? 0,
      string_capacity: 0,
      nested_type_name: id === NESTED ? named(type) : "",
    },
  };
}

const describe = ({ name = "", definitions }: MessageDefinition) => ({
  type_name: named(name),
  fields: definitions.filter((f) => !f.isConstant).map(fieldOf),
});

const time = (type: string) => ({
  type_name: named(type),
  fields: [fieldOf({ name: "sec", type: "int32" }), fieldOf({ name: "nanosec", type: "uint32" })],
});

/** With a space after each comma and colon, as Python writes it; no text in it has either. */
const spaced = (value: unknown) => JSON.stringify(value).replace(/([,:])(?=["{[\d])/g, "$1 ");

export function typeHash(type: string): string {
  const [root, ...others] = definitionsOf(type);
  const times = new Set(
    definitionsOf(type).flatMap((d) => d.definitions.flatMap((f) => TIMES[f.type] ?? [])),
  );
  const referenced = [...others.map(describe), ...[...times].map(time)].sort((a, b) =>
    a.type_name < b.type_name ? -1 : 1,
  );
  const text = spaced({ type_description: describe(root), referenced_type_descriptions: referenced });
  return `RIHS01_${createHash("sha256").update(text).digest("hex")}`;
}
