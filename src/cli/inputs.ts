/**
 * What commands take as their first argument: a preset's name, a vehicle file, or a scenario file;
 * and overrides from flags.
 */
import { dirname, resolve } from "node:path";
import { defaultFlight } from "../analysis/default-flight.ts";
import type { Open } from "../model/document.ts";
import { type Document, overlay, plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { nested } from "../model/parameters.ts";
import { parseYaml } from "../model/yaml.ts";
import { readScenario } from "../simulation/scenario.ts";
import { preset, readVehicle, unknownVehicle } from "../vehicle-types/index.ts";
import { type Vehicle, withParameters } from "../vehicles/vehicle.ts";
import { readText } from "./files.ts";
import { importSdf } from "./sdf-source.ts";

export const isPath = (name: string) => /[/\\]|\.(ya?ml|sdf)$/i.test(name);
const stem = (path: string) => path.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/i, "");
const keyOf = (source: Document, key: string) =>
  typeof source.value === "object" && source.value !== null && key in source.value;

export function readYaml(path: string): Document {
  return parseYaml(readText(path), path);
}

/** Opens the vehicle files that a vehicle file names, relative to its own folder. */
const besideOf = (name: string) => (other: string) => {
  if (!isPath(other)) throw unknownVehicle(other, "or the path of a vehicle file");
  return readYaml(resolve(dirname(name), other));
};

const isSdf = (name: string) => /\.sdf$/i.test(name);

/** A preset's name, a vehicle file, or a Gazebo model. */
export function findVehicle(name: string): Vehicle {
  if (!isPath(name)) return preset(name);
  if (isSdf(name)) return importSdf(name).vehicle;
  const source = readYaml(name);
  if (keyOf(source, "vehicle") && !keyOf(source, "model") && !keyOf(source, "extends"))
    throw new InputError("is a scenario, but a vehicle is needed", { file: name });
  return readVehicle(source, stem(name), { open: besideOf(name) });
}

/** A vehicle without a scenario. */
export const isVehicle = (name: string): boolean =>
  !isPath(name) || isSdf(name) || ["model", "extends"].some((key) => keyOf(readYaml(name), key));

export interface FoundScenario {
  readonly document: Document;
  readonly vehicle: Vehicle;
  /** Files that the scenario names; those beside it unless given. */
  readonly open?: Open;
  /** Notes for the user. */
  readonly notes?: readonly string[];
}

/**
 * A scenario's document, not yet checked, and its vehicle. A vehicle without one gets its default
 * scenario.
 */
export function findScenario(name: string): FoundScenario {
  if (/\.parquet$/i.test(name))
    throw new InputError("is a table, not a scenario", {
      file: name,
      allowed: "a scenario (.yaml) or a vehicle; with --index n the result of a campaign",
    });
  if (!isPath(name)) return alone(preset(name), name);
  if (isSdf(name)) return modelAlone(name);
  const document = readYaml(name);
  if (keyOf(document, "model") || keyOf(document, "extends"))
    return alone(readVehicle(document, stem(name), { open: besideOf(name) }), name);
  if (keyOf(document, "measure") && keyOf(document, "scenario"))
    throw new InputError("is a campaign", {
      file: name,
      allowed: "a scenario; run a campaign with `sideslip campaign`, one of its runs with --index",
    });
  const vehicle = (document.value as { vehicle?: unknown } | null)?.vehicle;
  const wrong = (problem: string, allowed?: string) =>
    new InputError(problem, {
      file: name,
      ...document.locate(["vehicle"]),
      field: "vehicle",
      value: vehicle,
      allowed,
    });
  if (typeof vehicle !== "string")
    throw wrong(
      vehicle === undefined ? "is missing" : "is not a name",
      "a preset's name (see `sideslip list`) or the path of a vehicle file",
    );
  try {
    return { document, vehicle: findVehicle(isPath(vehicle) ? resolve(dirname(name), vehicle) : vehicle) };
  } catch (error) {
    // An unknown vehicle is an error in the scenario, at that line; errors inside a vehicle file have
    // their own location.
    if (error instanceof InputError && error.details.line === undefined) throw wrong(error.message);
    throw error;
  }
}

/** A vehicle without a scenario gets the default one of its type. */
function alone(vehicle: Vehicle, file: string): FoundScenario {
  const { scenario, note } = defaultFlight(vehicle);
  return { document: plainSource(scenario, file), vehicle, notes: [`without a scenario ${note}`] };
}

/** A Gazebo model flies without a scenario. */
function modelAlone(path: string): FoundScenario {
  const { imported, vehicle } = importSdf(path);
  const { remarks } = imported;
  const count = remarks.length === 1 ? "1 remark" : `${remarks.length} remarks`;
  const also = `${count} on elements that were not imported or have no effect: sideslip import sdf lists them`;
  const { notes = [], ...found } = alone(vehicle, path);
  return { ...found, notes: remarks.length > 0 ? [...notes, also] : notes };
}

/** Assignments `name=value` as a nested block. */
export function assignments(list: readonly string[]): Record<string, unknown> {
  return nested(
    list.map((text) => {
      const [name, ...value] = text.split("=");
      if (!/^[A-Za-z]\w*(\.\w+)*$/.test(name.trim()) || value.length === 0)
        throw new InputError(`"${text}" is not name=value`, {
          field: "--set",
          value: text,
          allowed: "for example --set m=3",
        });
      return [name.trim(), value.join("=")] as const;
    }),
  );
}

/** A vehicle with parameters changed by `--set`. */
export function changedVehicle(name: string, set: readonly string[]): Vehicle {
  const vehicle = findVehicle(name);
  if (set.length === 0) return vehicle;
  const document = overlay(
    plainSource({ vehicle: name }, name),
    plainSource({ parameters: assignments(set) }, "--set"),
  );
  return withParameters(vehicle, readScenario(document, vehicle).changedParameters);
}

/** The model's warnings about a vehicle's parameters. */
export const warnings = ({ model, parameters }: Vehicle): readonly string[] =>
  model.warnings?.(parameters) ?? [];

/** For options that may be repeated. */
export const collect = (value: string, all: readonly string[]): string[] => [...all, value];
