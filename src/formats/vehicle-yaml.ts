/** A vehicle file as text, for people to read on: short lists and blocks in one line, the rest indented. */

export interface VehicleWords {
  readonly description: string;
  readonly source: string;
  readonly sources?: Readonly<Record<string, string>>;
  /** Names for people: servo_1 is the left elevon. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly initial?: Readonly<Record<string, unknown>>;
}

const WIDTH = 110;
const isBlock = (v: unknown): v is Record<string, unknown> =>
  typeof v === "object" && v !== null && !Array.isArray(v);
const isFlat = (v: unknown) =>
  (Array.isArray(v) ? v : Object.values(v as object)).every(
    (x) => typeof x !== "object" || (Array.isArray(x) && x.every((n) => typeof n === "number")),
  );

/** Fifteen digits hold what fifteen digits brought. */
const scalar = (v: unknown): string =>
  typeof v === "number"
    ? v === Number.POSITIVE_INFINITY
      ? ".inf"
      : String(Number(v.toPrecision(15)))
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

export function writeVehicle(vehicle: VehicleWords): string {
  const { description, source, sources = {}, labels = {}, parameters, initial = {} } = vehicle;
  const quoted = (block: Readonly<Record<string, string>>) =>
    Object.entries(block).map(([key, text]) => `  ${key}: ${JSON.stringify(text)}`);
  return [
    "model: aircraft",
    `description: ${JSON.stringify(description)}`,
    `source: ${JSON.stringify(source)}`,
    ...(Object.keys(sources).length > 0 ? ["sources:", ...quoted(sources)] : []),
    ...(Object.keys(labels).length > 0 ? ["labels:", ...quoted(labels)] : []),
    ...lines("parameters", parameters, ""),
    ...(Object.keys(initial).length > 0 ? lines("initial", initial, "") : []),
    "",
  ].join("\n");
}
