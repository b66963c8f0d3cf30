/** A vehicle as YAML text: short lists and blocks in one line, the rest indented. */

import { nested, pack } from "../model/parameters.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";

export interface WrittenVehicle {
  /** Of an aircraft unless said otherwise. */
  readonly model?: string;
  readonly description: string;
  readonly source: string;
  readonly sources?: Readonly<Record<string, string>>;
  /** Display names: servo_1 is the left elevon. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly initial?: Readonly<Record<string, unknown>>;
  /** What outputs of autopilots move. */
  readonly autopilots?: Readonly<Record<string, unknown>>;
}

type Tree = { [key: string]: unknown };

/** A group of numbered parts becomes a list, and so does a vector; leaves are what they are. */
function asWritten(node: unknown): unknown {
  if (!isBlock(node)) return node;
  const keys = Object.keys(node);
  const isVector = keys.length === 3 && ["x", "y", "z"].every((axis) => axis in node);
  const isList = keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
  if (isVector || isList) return keys.map((key) => asWritten(node[key]));
  return Object.fromEntries(keys.map((key) => [key, asWritten(node[key])]));
}

/** A vehicle's numbers as its file would have them, without those that it need not say. */
export function writtenVehicle({
  type,
  model,
  description,
  parameters,
  initial,
  labels,
  sources,
  autopilots,
}: Vehicle): WrittenVehicle {
  const values = pack(model.parameters, parameters);
  const spoken = model.parameters.flatMap((f, i) => {
    const part = /^.*?\.\d+\./.exec(f.name)?.[0];
    // A vector is written whole, and a part stands there though all of it is as usual.
    const isFirst = part !== undefined && !model.parameters[i - 1]?.name.startsWith(part);
    if (values[i] === f.default && !isFirst && !/\.[xyz]$/.test(f.name)) return [];
    const word = Object.entries(f.choices ?? {}).find(([, v]) => v === values[i])?.[0];
    return [[f.name, word ?? values[i]] as const];
  });
  const said = new Set(Object.values(sources));
  return {
    model: type.name,
    description,
    source: said.size === 1 ? [...said][0] : `several: ${[...said].join("; ")}`,
    labels,
    autopilots,
    parameters: asWritten(nested(spoken)) as Tree,
    initial,
  };
}

const WIDTH = 110;
const isBlock = (v: unknown): v is Record<string, unknown> =>
  typeof v === "object" && v !== null && !Array.isArray(v);
const isFlat = (v: unknown) =>
  (Array.isArray(v) ? v : Object.values(v as object)).every(
    (x) => typeof x !== "object" || (Array.isArray(x) && x.every((n) => typeof n === "number")),
  );

/** All digits, but for the noise that arithmetic left behind: 0.30000000000000004 is 0.3. */
function digits(v: number): string {
  const [whole, short] = [String(v), String(Number(v.toPrecision(15)))];
  return short.length < whole.length - 3 ? short : whole;
}

const scalar = (v: unknown): string =>
  typeof v === "number"
    ? v === Number.POSITIVE_INFINITY
      ? ".inf"
      : digits(v)
    : /^[A-Za-z][\w -]*$/.test(String(v)) && !/^(true|false|yes|no|null|on|off)$/i.test(String(v))
      ? String(v)
      : JSON.stringify(String(v));

function inline(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(inline).join(", ")}]`;
  if (isBlock(v)) {
    const inside = Object.entries(v).map(([key, x]) => `${key}: ${inline(x)}`);
    return inside.length === 0 ? "{}" : `{ ${inside.join(", ")} }`;
  }
  return scalar(v);
}

function lines(key: string, v: unknown, indent: string): string[] {
  const short = `${indent}${key}: ${inline(v)}`;
  if (typeof v !== "object" || v === null) return [short];
  if (isFlat(v) && short.length <= WIDTH) return [short];
  if (Array.isArray(v))
    return [
      `${indent}${key}:`,
      ...v.flatMap((item) => {
        const one = `${indent}  - ${inline(item)}`;
        if (!isBlock(item) || (isFlat(item) && one.length <= 2 * WIDTH && Object.keys(item).length <= 10))
          return [one];
        const inner = Object.entries(item).flatMap(([k, x]) => lines(k, x, `${indent}    `));
        return [`${indent}  - ${inner[0].trimStart()}`, ...inner.slice(1)];
      }),
    ];
  return [`${indent}${key}:`, ...Object.entries(v).flatMap(([k, x]) => lines(k, x, `${indent}  `))];
}

/** A vehicle file as YAML text. */
export function writeVehicle(vehicle: WrittenVehicle): string {
  const {
    model = "aircraft",
    description,
    source,
    sources = {},
    labels = {},
    parameters,
    initial = {},
    autopilots = {},
  } = vehicle;
  const quoted = (block: Readonly<Record<string, string>>) =>
    Object.entries(block).map(([key, text]) => `  ${key}: ${JSON.stringify(text)}`);
  return [
    `model: ${model}`,
    `description: ${JSON.stringify(description)}`,
    `source: ${JSON.stringify(source)}`,
    ...(Object.keys(sources).length > 0 ? ["sources:", ...quoted(sources)] : []),
    ...(Object.keys(labels).length > 0 ? ["labels:", ...quoted(labels)] : []),
    ...(Object.keys(autopilots).length > 0 ? lines("autopilots", autopilots, "") : []),
    ...lines("parameters", parameters, ""),
    ...(Object.keys(initial).length > 0 ? lines("initial", initial, "") : []),
    "",
  ].join("\n");
}
