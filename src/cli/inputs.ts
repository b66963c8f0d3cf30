/** What commands take as their first argument: a preset's name, a vehicle file, or a scenario file; and what flags lay over it. */
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

/** Vehicle files that one names, from its own folder on. */
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
    throw new InputError("is a scenario; here a vehicle is needed", { file: name });
  return readVehicle(source, stem(name), { open: besideOf(name) });
}

/** A vehicle without a scenario. */
export const isVehicle = (name: string): boolean =>
  !isPath(name) || isSdf(name) || ["model", "extends"].some((key) => keyOf(readYaml(name), key));

export interface FoundScenario {
  readonly words: Document;
  readonly vehicle: Vehicle;
  /** Files that the scenario names; those beside it unless given. */
  readonly open?: Open;
  /** What a person should be told. */
  readonly notes?: readonly string[];
}

/** The words of a scenario, not yet checked, and its vehicle. A vehicle alone stands for its default scenario. */
export function findScenario(name: string): FoundScenario {
  if (/\.parquet$/i.test(name))
    throw new InputError("is a table, and no scenario", {
      file: name,
      allowed: "a scenario (.yaml) or a vehicle; with --index n the result of a campaign",
    });
  if (!isPath(name)) return alone(preset(name), name);
  if (isSdf(name)) return modelAlone(name);
  const words = readYaml(name);
  if (keyOf(words, "model") || keyOf(words, "extends"))
    return alone(readVehicle(words, stem(name), { open: besideOf(name) }), name);
  if (keyOf(words, "measure") && keyOf(words, "scenario"))
    throw new InputError("is a campaign", {
      file: name,
      allowed: "`sideslip campaign` to fly it, --index for one of its runs; here a scenario",
    });
  const vehicle = (words.value as { vehicle?: unknown } | null)?.vehicle;
  const wrong = (problem: string, allowed?: string) =>
    new InputError(problem, {
      file: name,
      ...words.locate(["vehicle"]),
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
    return { words, vehicle: findVehicle(isPath(vehicle) ? resolve(dirname(name), vehicle) : vehicle) };
  } catch (error) {
    // A vehicle that cannot be found is a mistake in the scenario: say where. One that is wrong inside has its own place.
    if (error instanceof InputError && error.details.line === undefined) throw wrong(error.message);
    throw error;
  }
}

/** A vehicle without a scenario flies what it is for. */
function alone(vehicle: Vehicle, file: string): FoundScenario {
  const { scenario, note } = defaultFlight(vehicle);
  return { words: plainSource(scenario, file), vehicle, notes: [`without a scenario ${note}`] };
}

/** A Gazebo model flies without a scenario. */
function modelAlone(path: string): FoundScenario {
  const { imported, vehicle } = importSdf(path);
  const { remarks } = imported;
  const told = remarks.length === 1 ? "1 remark" : `${remarks.length} remarks`;
  const also = `${told} on what was not understood or has no effect: sideslip import sdf lists them`;
  const { notes = [], ...found } = alone(vehicle, path);
  return { ...found, notes: remarks.length > 0 ? [...notes, also] : notes };
}

/** Assignments `name=value` as a block of words. */
export function assignments(list: readonly string[]): Record<string, unknown> {
  return nested(
    list.map((text) => {
      const [name, ...value] = text.split("=");
      if (!/^[A-Za-z]\w*(\.\w+)*$/.test(name.trim()) || value.length === 0)
        throw new InputError(`"${text}" is not name=value`, {
          field: "--set",
          value: text,
          allowed: "as --set m=3",
        });
      return [name.trim(), value.join("=")] as const;
    }),
  );
}

/** A vehicle with parameters changed by `--set`. */
export function changedVehicle(name: string, set: readonly string[]): Vehicle {
  const vehicle = findVehicle(name);
  if (set.length === 0) return vehicle;
  const words = overlay(
    plainSource({ vehicle: name }, name),
    plainSource({ parameters: assignments(set) }, "--set"),
  );
  return withParameters(vehicle, readScenario(words, vehicle).parameters);
}

/** What a model doubts of a vehicle's numbers. */
export const warnings = ({ model, parameters }: Vehicle): readonly string[] =>
  model.warnings?.(parameters) ?? [];

/** For options that may be repeated. */
export const collect = (value: string, all: readonly string[]): string[] => [...all, value];
