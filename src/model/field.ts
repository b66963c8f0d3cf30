/** A named number: a state, input, output, environment value or parameter. */
export interface Field {
  /** Flat word used in files, CSV headers, plots and JSON. Parameters may be nested by dots: `I_B_diag.x`. */
  readonly name: string;
  /** SI, "1" where dimensionless. */
  readonly unit: string;
  readonly meaning: string;
  /** Allowed values: from `min` (inclusive) or above `above` (exclusive) up to `max` (inclusive). */
  readonly min?: number;
  readonly above?: number;
  /** Infinity here is the only way to allow an infinite value. */
  readonly max?: number;
  /** Value where the file does not give one; a field without default must be given. */
  readonly default?: number;
  /** Words that stand for numbers, for options: `{ off: 0, on: 1 }`. */
  readonly choices?: Readonly<Record<string, number>>;
  /** A parameter that is the time constant of a lag: explicit integrators need steps shorter than it. */
  readonly lag?: boolean;
  /** A list's numbers increase strictly. */
  readonly increasing?: boolean;
  /** An output that should stay zero, and what it means when it does not: runs report it. */
  readonly alarm?: string;
  /** The kind of a state, for integrators and guards; internal ones are not plotted, stores (charge) drain slowly. */
  readonly kind?:
    | "position"
    | "velocity"
    | "quaternion"
    | "rate"
    | "actuator"
    | "discrete"
    | "internal"
    | "store";
  /** States on which nothing depends (north, heading): trim ignores them. */
  readonly cyclic?: boolean;
  /** The input that this actuator state follows. */
  readonly follows?: string;
  /** Outputs form a tree: the children of one parent add up to it. */
  readonly parent?: string;
  /** How an output stands in its equation: "c_La alpha". */
  readonly symbol?: string;
  /** Outputs that are components of an arrow on the vehicle. */
  readonly vector?: { readonly id: string; readonly axis: 0 | 1 | 2; readonly frame: "body" | "world" };
}

/** The allowed values in words, with the unit: "> 0 kg", "0 to 1", "off or on". */
export function allowed(field: Field): string {
  if (field.choices) return Object.keys(field.choices).join(" or ");
  const unit = field.unit === "1" ? "" : ` ${field.unit}`;
  const low = field.min ?? field.above;
  const high = field.max === Number.POSITIVE_INFINITY ? undefined : field.max;
  if (low !== undefined && high !== undefined)
    return `${field.above !== undefined ? "above " : ""}${low} to ${high}${unit}`;
  if (field.above !== undefined) return `> ${field.above}${unit}`;
  if (field.min !== undefined) return `>= ${field.min}${unit}`;
  if (high !== undefined) return `<= ${high}${unit}`;
  return `any finite number${unit === "" ? "" : ` (${field.unit})`}`;
}

export function inRange(field: Field, v: number): boolean {
  if (Number.isNaN(v)) return false;
  if (v === Number.POSITIVE_INFINITY) return field.max === v;
  if (!Number.isFinite(v)) return false;
  return (
    (field.min === undefined || v >= field.min) &&
    (field.above === undefined || v > field.above) &&
    (field.max === undefined || v <= field.max)
  );
}

/** Beyond these a state is implausible for any vehicle here: half the earth's circumference, orbital speed, a turbine's spin. */
const ABSURD: Readonly<Record<string, number>> = { position: 1e7, velocity: 8e3, rate: 1e4, quaternion: 2 };

/** The largest magnitude a state may have, at the start and ever after. */
export function largestOf(field: Field): number {
  return ABSURD[field.kind ?? ""] ?? 1e12;
}

const AXES = ["x", "y", "z"] as const;

/** Three fields `name.x name.y name.z`; files may write them as a list. */
export function vector(name: string, rest: Omit<Field, "name">): Field[] {
  return AXES.map((axis) => ({ ...rest, name: `${name}.${axis}`, meaning: `${rest.meaning}, ${axis}` }));
}

/** So many fields `name.1 name.2 ...`; files write them as a list. */
export function list(name: string, length: number, rest: Omit<Field, "name">): Field[] {
  return Array.from({ length }, (_, i) => ({ ...rest, name: `${name}.${i + 1}` }));
}

/** Three outputs `name_x name_y name_z` that are one arrow. */
export function arrow(
  name: string,
  unit: string,
  meaning: string,
  frame: "body" | "world",
  parent?: string,
): Field[] {
  return AXES.map((axis, i) => ({
    name: `${name}_${axis}`,
    unit,
    meaning: `${meaning}, ${axis}`,
    vector: { id: name, axis: i as 0 | 1 | 2, frame },
    ...(parent === undefined ? {} : { parent: `${parent}_${axis}` }),
  }));
}
