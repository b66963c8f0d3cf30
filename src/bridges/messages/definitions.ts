/**
 * Definitions of the ROS 2 messages that Sideslip uses: the common ones, and those of packages that
 * are not.
 */
import type { MessageDefinition, MessageDefinitionField } from "@foxglove/message-definition";
import { ros2jazzy } from "@foxglove/rosmsg-msgs-common";

const HEADER: MessageDefinitionField = { name: "header", type: "std_msgs/Header", isComplex: true };

/** Fields of one type, by their names. */
function own(
  name: string,
  type: string,
  fields: string,
  ...before: MessageDefinitionField[]
): MessageDefinition {
  const words = fields.split(" ").filter((word) => word !== "");
  return { name, definitions: [...before, ...words.map((field) => ({ name: field, type }))] };
}
const stamped = (name: string, fields: string) => own(name, "float64", fields, HEADER);

const OWN: readonly MessageDefinition[] = [
  // The race car's package (seed 004; protocols.md, section 4).
  stamped("brains2/Pose", "x y phi sigma_x sigma_y sigma_phi"),
  stamped("brains2/Velocity", "v_x v_y omega sigma_v_x sigma_v_y sigma_omega"),
  stamped("brains2/Acceleration", "a_x a_y"),
  stamped("brains2/Controls", "delta tau_fl tau_fr tau_rl tau_rr"),
  // CDR has no empty structures.
  own("std_srvs/Empty_Request", "uint8", "structure_needs_at_least_one_member"),
  own("std_srvs/Empty_Response", "uint8", "structure_needs_at_least_one_member"),
];

/** Fields in the order they are said: the header first. */
export const defineStamped = (
  name: string,
  fields: readonly MessageDefinitionField[],
): MessageDefinition => ({
  name,
  definitions: [HEADER, ...fields],
});

const known = new Map<string, MessageDefinition>([
  ...Object.entries(ros2jazzy as Readonly<Record<string, MessageDefinition>>),
  ...OWN.map((d) => [d.name ?? "", d] as const),
]);

/** A message with all those that it holds, itself first. */
export function definitionsOf(root: string | MessageDefinition): MessageDefinition[] {
  const found: MessageDefinition[] = [];
  const visit = (name: string | MessageDefinition) => {
    const definition = typeof name === "string" ? known.get(name) : name;
    if (definition === undefined) throw new Error(`there is no message ${name}`);
    if (found.includes(definition)) return;
    found.push(definition);
    for (const field of definition.definitions) if (field.isComplex) visit(field.type);
  };
  visit(root);
  return found;
}

/** As ROS 2 names it in full. */
export const fullName = (type: string): string => type.replace("/", "/msg/");

/** What the definitions call time and duration. */
export const TIMES: Readonly<Record<string, string>> = {
  time: "builtin_interfaces/Time",
  duration: "builtin_interfaces/Duration",
};

function lineOf({ name, type, isConstant, value, isArray, arrayLength }: MessageDefinitionField): string {
  const full = TIMES[type] ?? type;
  if (isConstant) return `${full} ${name}=${String(value)}`;
  return `${full}${isArray ? `[${arrayLength ?? ""}]` : ""} ${name}`;
}

/** The text that logs and viewers want: the message, then those that it holds. */
export function schemaText(definitions: readonly MessageDefinition[], notes: readonly string[] = []): string {
  const times = new Set(definitions.flatMap((d) => d.definitions.flatMap((f) => TIMES[f.type] ?? [])));
  const [root, ...others] = definitions.map((d) => d.definitions.map(lineOf));
  const blocks = others.map((lines, i) => [`MSG: ${definitions[i + 1].name}`, ...lines]);
  // Some parsers of such texts need these as well.
  for (const name of times) blocks.push([`MSG: ${name}`, "int32 sec", "uint32 nanosec"]);
  const first = root.map((line, i) => (notes[i] ? `${line}  # ${notes[i]}` : line));
  return [first, ...blocks].map((lines) => lines.join("\n")).join(`\n${"=".repeat(80)}\n`);
}
