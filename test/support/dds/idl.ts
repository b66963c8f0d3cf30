/** ROS 2 message definitions as IDL for other DDS implementations, and C that prints what these decode, bit for bit. */
import type { MessageDefinition } from "@foxglove/message-definition";

export type Definitions = Readonly<Record<string, MessageDefinition>>;

const IDL: Readonly<Record<string, string>> = {
  bool: "boolean",
  int8: "octet",
  uint8: "octet",
  byte: "octet",
  char: "octet",
  int16: "short",
  uint16: "unsigned short",
  int32: "long",
  uint32: "unsigned long",
  int64: "long long",
  uint64: "unsigned long long",
  float32: "float",
  float64: "double",
  string: "string",
};
const STAMP: MessageDefinition = {
  name: "builtin_interfaces/Time",
  definitions: [
    { name: "sec", type: "int32" },
    { name: "nanosec", type: "uint32" },
  ],
};

/** Stamps and durations are messages of their own here. */
const typeOf = (type: string) =>
  type === "time" ? "builtin_interfaces/Time" : type === "duration" ? "builtin_interfaces/Duration" : type;

export function definitionOf(all: Definitions, name: string): MessageDefinition {
  if (name === "builtin_interfaces/Time") return STAMP;
  if (name === "builtin_interfaces/Duration") return { ...STAMP, name };
  const found = all[name];
  if (found === undefined) throw new Error(`no definition of ${name}`);
  return found;
}

/** Those that others need come first. */
function inOrder(all: Definitions, names: readonly string[]): string[] {
  const done: string[] = [];
  const visit = (name: string) => {
    if (done.includes(name)) return;
    for (const f of definitionOf(all, name).definitions)
      if (!f.isConstant && !(typeOf(f.type) in IDL)) visit(typeOf(f.type));
    done.push(name);
  };
  for (const name of names) visit(name);
  return done;
}

const parts = (name: string) => name.split("/");
const idlName = (type: string) =>
  IDL[type] ?? `${parts(type)[0]}::${folderOf(type)}::dds_::${parts(type)[1]}_`;
export const cName = (type: string) => `${parts(type)[0]}_${folderOf(type)}_dds__${parts(type)[1]}_`;
const folderOf = (type: string) => (/_(Request|Response)$/.test(type) ? "srv" : "msg");

export function idlOf(all: Definitions, names: readonly string[]): string {
  return inOrder(all, names)
    .map((name) => {
      const fields = definitionOf(all, name)
        .definitions.filter((f) => !f.isConstant)
        .map((f) => {
          const type = idlName(typeOf(f.type));
          if (f.isArray && f.arrayLength !== undefined) return `      ${type} ${f.name}[${f.arrayLength}];`;
          return `      ${f.isArray ? `sequence<${type}>` : type} ${f.name};`;
        });
      const body = fields.length > 0 ? fields : ["      octet structure_needs_at_least_one_member;"];
      const [pkg, own] = parts(name);
      return `module ${pkg} { module ${folderOf(name)} { module dds_ {\n    struct ${own}_ {\n${body.join("\n")}\n    };\n}; }; };`;
    })
    .join("\n");
}

/** Functions that print a message as JSON, floating point numbers as the bits of doubles in hexadecimal. */
export function printersOf(all: Definitions, names: readonly string[]): string {
  const functions = inOrder(all, names).map((name) => {
    const fields = definitionOf(all, name).definitions.filter((f) => !f.isConstant);
    const lines = fields.map((f, i) => {
      const type = typeOf(f.type);
      const head = `printf("${i > 0 ? "," : ""}\\"${f.name}\\":");`;
      const one = (value: string) =>
        type in IDL
          ? `print_${type === "string" ? "text" : type.startsWith("float") ? "number" : "whole"}(${value});`
          : `print_${cName(type)}(&${value});`;
      if (!f.isArray) return `  ${head} ${one(`m->${f.name}`)}`;
      const [count, item] =
        f.arrayLength === undefined
          ? [`m->${f.name}._length`, `m->${f.name}._buffer[i]`]
          : [String(f.arrayLength), `m->${f.name}[i]`];
      return `  ${head} putchar('['); for (unsigned i = 0; i < ${count}; i++) { if (i) putchar(','); ${one(item)} } putchar(']');`;
    });
    return `static void print_${cName(name)}(const ${cName(name)} *m) {\n  (void)m; putchar('{');\n${lines.join("\n")}\n  putchar('}');\n}`;
  });
  const table = names.map(
    (name) => `  { "${name}", &${cName(name)}_desc, (void (*)(const void *))print_${cName(name)} },`,
  );
  return `${functions.join("\n")}\nstatic const struct kind KINDS[] = {\n${table.join("\n")}\n  { 0, 0, 0 }\n};\n`;
}
