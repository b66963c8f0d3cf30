/** Vehicle files: a model's name, its parameters with units, and where the numbers come from. */
import * as z from "zod";
import { AUTOPILOTS, type OutputLine } from "../model/autopilots.ts";
import { check, type Document, overlay, plainSource } from "../model/document.ts";
import { closest, InputError } from "../model/input-error.ts";
import { indexOf, type Model } from "../model/model.ts";
import { fromNames } from "../model/parameters.ts";
import { eachOf, namedNumbers, plainNumbers, show, strict } from "../model/schema.ts";
import { initialFields, initialState } from "./initial-state.ts";
import type { Vehicle } from "./vehicle.ts";
import type { VehicleType } from "./vehicle-type.ts";

type Types = readonly VehicleType[];

const MOST_OUTPUTS = 32;
const MOST_WEIGHT = 10;

/** "rotor_1", "-servo_2" for the other way round, "none", or several by weights. */
const outputsSchema = z
  .array(
    z.unknown().transform((given, context): OutputLine => {
      if (typeof given === "string") {
        const name = given.replace(/^-/, "");
        return name === "none" ? {} : { [name]: given === name ? 1 : -1 };
      }
      const weights = isBlock(given) ? Object.entries(given) : [["", ""]];
      const wrong = weights.find(([, w]) => typeof w !== "number" || !(Math.abs(w) <= MOST_WEIGHT));
      if (wrong === undefined) return given as OutputLine;
      context.addIssue({
        code: "custom",
        message: `${show(isBlock(given) ? wrong[1] : given)} is not allowed`,
        params: {
          allowed: `rotor_1, -servo_2, none, or weights of -${MOST_WEIGHT} to ${MOST_WEIGHT} by control`,
        },
        path: isBlock(given) ? [String(wrong[0])] : [],
      });
      return z.NEVER;
    }),
  )
  .max(MOST_OUTPUTS);

/** The zod schema of vehicle files of a model; `z.toJSONSchema` makes one for editors of it. `name` is what files call its type. */
export function vehicleSchema(model: Model, name: string = model.name) {
  return strict({
    model: z.literal(name),
    extends: z.never().optional().meta({ description: "a preset or a vehicle file that this one changes" }),
    description: z.string().optional().meta({ description: "one-line description for listings" }),
    source: z.string().optional().meta({ description: "where the numbers come from" }),
    sources: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: "parameters whose number comes from elsewhere: name to source" }),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: "display names by state: servo_1 to left elevon" }),
    autopilots: strict(Object.fromEntries(AUTOPILOTS.map((name) => [name, outputsSchema.optional()])))
      .optional()
      .meta({ description: "what each output of an autopilot moves, the first one first" }),
    parameters: namedNumbers(model.parameters, false),
    initial: namedNumbers(initialFields(model), true).optional(),
  });
}

type Block = Record<string, unknown>;
const isBlock = (v: unknown): v is Block => typeof v === "object" && v !== null && !Array.isArray(v);

/** Files that name one another. */
const DEEPEST = 8;

/** A file that extends another one, laid over it: blocks key by key, lists as a whole; null takes a key away. */
function extended(source: Document, types: Types, open?: (name: string) => Document, depth = 0): Document {
  const file = source.value;
  if (!isBlock(file) || file.extends === undefined) return source;
  const wrong = (problem: string, allowed?: string) =>
    new InputError(problem, {
      file: source.file,
      ...source.locate([], "extends"),
      field: "extends",
      value: file.extends,
      allowed,
    });
  const { extends: name, ...own } = file;
  if (typeof name !== "string") throw wrong("is not a name", "a preset's name or the path of a vehicle file");
  if (depth === DEEPEST)
    throw wrong(`is the ${DEEPEST}th file in a chain of extends: do they name one another?`);
  const base = presetDocument(name, types) ?? (open && extended(open(name), types, open, depth + 1));
  if (base === undefined) throw wrong("cannot be read here", presetNames(types).join(", "));
  const its = base.value as { source?: string; sources?: Block; parameters?: Block } | null;
  // What either file gives has that file for its source.
  const from = (parameters: unknown, origin: unknown) =>
    Object.fromEntries(namesIn(parameters).map((key) => [key, origin]));
  const taken = Object.entries(isBlock(own.parameters) ? own.parameters : {}).flatMap(([key, value]) =>
    value === null ? [key.replace(/^each_(.*)$/, "$1s")] : [],
  );
  const sources = {
    ...Object.fromEntries(
      Object.entries({ ...from(its?.parameters, its?.source ?? base.file), ...its?.sources }).filter(
        ([key]) => !taken.some((gone) => key === gone || key.startsWith(`${gone}.`)),
      ),
    ),
    ...from(own.parameters, own.source ?? source.file),
    ...(isBlock(own.sources) ? own.sources : {}),
  };
  const whole = overlay(base, { ...source, value: own });
  return { ...whole, value: { ...(whole.value as Block), sources } };
}

/** Parameters that a block gives, as `sources` calls them: m, I.xx, rotors, and of each_rotor rotors.radius. */
const namesIn = (parameters: unknown): string[] =>
  Object.entries(isBlock(parameters) ? parameters : {}).flatMap(([key, value]) => {
    const name = key.replace(/^each_(.*)$/, "$1s");
    if (value === null) return [];
    return isBlock(value) ? Object.keys(value).map((part) => `${name}.${part}`) : [name];
  });

/** `each_rotor` spread over `rotors`, and so on: what a part does not say itself. */
function spread(source: Document): Document {
  const file = source.value;
  if (!isBlock(file) || !isBlock(file.parameters)) return source;
  const parameters: Block = { ...file.parameters };
  for (const [key, list] of Object.entries(parameters)) {
    const common = parameters[eachOf(key)];
    if (Array.isArray(list) && isBlock(common))
      parameters[key] = list.map((part) => (isBlock(part) ? { ...common, ...part } : part));
  }
  for (const key of Object.keys(parameters).filter((k) => k.startsWith("each_"))) {
    const list = `${key.slice("each_".length)}s`;
    const parts = parameters[list];
    if (!Array.isArray(parts) || parts.length === 0)
      throw new InputError(`applies to all ${list}, but there are none`, {
        file: source.file,
        ...source.locate(["parameters"], key),
        field: `parameters.${key}`,
        allowed: `a list ${list} as well`,
      });
  }
  return { ...source, value: { ...file, parameters } };
}

/** Throws where parameters are impossible together, though each is in range. */
export function validateParameters(model: Model, parameters: unknown, source: Document, under: string): void {
  const refusal = model.validate?.(parameters);
  if (refusal === undefined) return;
  const path = refusal.field.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) - 1 : key));
  throw new InputError(refusal.problem, {
    file: source.file,
    ...source.locate([under, ...path]),
    field: `${under}.${refusal.field}`,
    allowed: refusal.allowed,
  });
}

/** How a file's `sources` may call a parameter, the most particular first: rotors.1.axis.x, rotors.1.axis, rotors.axis.x, rotors.axis, rotors. */
function sourceKeys(name: string): string[] {
  const prefixes = (path: readonly string[]) => path.map((_, i) => path.slice(0, path.length - i).join("."));
  const path = name.split(".");
  const all = [...prefixes(path), ...prefixes(path.filter((key) => !/^\d+$/.test(key)))];
  return all.sort((a, b) => b.split(".").length - a.split(".").length);
}

/** The type whose model a file names. */
function typeOf(source: Document, types: Types): VehicleType {
  const named = (source.value as { model?: unknown } | null)?.model;
  const type = types.find((t) => t.name === named);
  if (type === undefined)
    throw new InputError(named === undefined ? "is missing" : `${show(named)} is not a model`, {
      file: source.file,
      ...source.locate(named === undefined ? [] : ["model"]),
      field: "model",
      value: named,
      allowed: types.map((t) => t.name).join(", "),
    });
  return type;
}

const modelOf = <P>({ model }: VehicleType<P>, file: unknown): Model<P> =>
  typeof model === "function" ? model(file) : model;

/** Reads a vehicle; `name` is how listings and results call it, `open` reads a file that it extends. */
export function readVehicle(
  written: Document,
  name: string,
  types: Types,
  open?: (name: string) => Document,
): Vehicle {
  const source = spread(extended(written, types, open));
  return checkedVehicle(typeOf(source, types), source, name);
}

/** Reads a vehicle of a known type. */
export const readVehicleOf = <P>(type: VehicleType<P>, written: Document, name: string): Vehicle<P> =>
  checkedVehicle(type, spread(written), name);

function checkedVehicle<P>(type: VehicleType<P>, source: Document, name: string): Vehicle<P> {
  const model = modelOf(type, source.value);
  const file = check(vehicleSchema(model, type.name), source);
  for (const key of Object.keys(file.sources ?? {}))
    if (!model.parameters.some((f) => sourceKeys(f.name).includes(key)))
      throw new InputError("is not the name of a parameter", {
        file: source.file,
        ...source.locate(["sources"], key),
        field: `sources.${key}`,
      });
  for (const key of Object.keys(file.labels ?? {}))
    if (indexOf(model.states, key) < 0)
      throw new InputError("is not the name of a state", {
        file: source.file,
        ...source.locate(["labels"], key),
        field: `labels.${key}`,
        allowed: "such as servo_1, rotor_2",
      });
  initialState(model, [file.initial ?? {}], source, ["initial"]);
  refuseOutputs(model, file, source);
  const vehicle = vehicleOf(type, model, file, name, source);
  validateParameters(model, vehicle.parameters, source, "parameters");
  return vehicle;
}

/** Throws where an output moves a control that does not exist. */
function refuseOutputs(model: Model, file: VehicleFile, source: Document): void {
  const known = (model.controls?.(fromNames(model, file.parameters)) ?? []).map(({ name }) => name);
  for (const [autopilot, lines] of Object.entries(file.autopilots ?? {}))
    lines?.forEach((line, i) => {
      const stranger = Object.keys(line).find((name) => !known.includes(name));
      if (stranger !== undefined)
        throw new InputError(`there is no control "${stranger}"`, {
          file: source.file,
          ...source.locate(["autopilots", autopilot, i]),
          field: `autopilots.${autopilot}.[${i}]`,
          allowed: [...known, "none"].join(", "),
        });
    });
}

/** Source of what a file leaves out. */
export const DEFAULT_SOURCE = "Sideslip's default";

type VehicleFile = z.infer<ReturnType<typeof vehicleSchema>>;

function vehicleOf<P>(
  type: VehicleType<P>,
  model: Model<P>,
  file: VehicleFile,
  name: string,
  source: Document,
): Vehicle<P> {
  return {
    name,
    type,
    description: file.description ?? model.meaning,
    model,
    parameters: fromNames(model, file.parameters),
    initial: file.initial ?? {},
    labels: file.labels ?? {},
    autopilots: file.autopilots ?? {},
    sources: Object.fromEntries(
      model.parameters.map((f) => [
        f.name,
        file.parameters[f.name] === undefined
          ? DEFAULT_SOURCE
          : (sourceKeys(f.name).flatMap((key) => file.sources?.[key] ?? [])[0] ?? file.source ?? source.file),
      ]),
    ),
  };
}

/** A vehicle that ships with its type, whose tests have read it with all checks: without them it takes a tenth of the time. */
export function shippedVehicle<P>(type: VehicleType<P>, written: Document, name: string): Vehicle<P> {
  const source = spread(written);
  const model = modelOf(type, source.value);
  const file = source.value as VehicleFile;
  const spec = {
    ...file,
    parameters: plainNumbers(model.parameters, file.parameters),
    initial: plainNumbers(initialFields(model), file.initial ?? {}),
    autopilots: Object.fromEntries(
      Object.entries(file.autopilots ?? {}).map(([name, lines]) => [name, outputsSchema.parse(lines)]),
    ),
  };
  return vehicleOf(type, model, spec, name, source);
}

export const presetNames = (types: Types): string[] =>
  types.flatMap(({ presets = {} }) => Object.keys(presets));

const presetDocument = (name: string, types: Types): Document | undefined => {
  const type = types.find(({ presets = {} }) => Object.hasOwn(presets, name));
  return type && plainSource(type.presets?.[name], `preset ${name}`);
};

/** Nothing ships under this name; `also` is what else may be given. */
export function unknownVehicle(name: string, types: Types, also: string): InputError {
  const near = closest(name, presetNames(types));
  return new InputError(`there is no vehicle "${name}"${near ? `; did you mean "${near}"?` : ""}`, {
    allowed: `${presetNames(types).join(", ")}, ${also}`,
  });
}

/** A vehicle that ships with one type. Throws an InputError where there is none of this name. */
export function presetOf<P>(type: VehicleType<P>, name: string): Vehicle<P> {
  const document = presetDocument(name, [type]);
  if (document === undefined) throw unknownVehicle(name, [type], "or the path of a vehicle file");
  return shippedVehicle(type, document, name);
}

/** A vehicle that ships with one of the types. */
export function preset(name: string, types: Types): Vehicle {
  const document = presetDocument(name, types);
  if (document === undefined) throw unknownVehicle(name, types, "or the path of a vehicle file");
  return shippedVehicle(typeOf(document, types), document, name);
}
