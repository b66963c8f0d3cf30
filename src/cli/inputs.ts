/** What commands take as their first argument: a preset's name, a vehicle file, or a scenario file. */
import { dirname, resolve } from "node:path";
import { parseYaml, plainSource, type Source } from "../model/document.ts";
import { allowed, type Field } from "../model/field.ts";
import { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../model/model.ts";
import { readNumber } from "../model/schema.ts";
import { readScenario, type Scenario } from "../simulation/scenario.ts";
import { preset, readVehicle } from "../vehicles/vehicle-file.ts";
import { readText } from "./files.ts";

const isPath = (name: string) => /[/\\]|\.ya?ml$/i.test(name);
const stem = (path: string) => path.replace(/^.*[/\\]/, "").replace(/\.ya?ml$/i, "");
const keyOf = (source: Source, key: string) =>
  typeof source.value === "object" && source.value !== null && key in source.value;

function readYaml(path: string): Source {
  return parseYaml(readText(path), path);
}

/** A preset's name or a vehicle file. */
export function findVehicle(name: string): Vehicle {
  if (!isPath(name)) return preset(name);
  const source = readYaml(name);
  if (keyOf(source, "vehicle") && !keyOf(source, "model"))
    throw new InputError("is a scenario; here a vehicle is needed", { file: name });
  return readVehicle(source, stem(name));
}

/** A scenario file, or a vehicle in its default scenario. */
export function findScenario(name: string): Scenario {
  if (!isPath(name)) return defaultScenario(preset(name));
  const source = readYaml(name);
  if (keyOf(source, "model")) return defaultScenario(readVehicle(source, stem(name)));
  const vehicle = (source.value as { vehicle?: unknown } | null)?.vehicle;
  if (typeof vehicle !== "string")
    throw new InputError(vehicle === undefined ? "is missing" : "is not a name", {
      file: name,
      ...source.locate(vehicle === undefined ? [] : ["vehicle"]),
      field: "vehicle",
      allowed: "a preset's name (see `sideslip list`) or the path of a vehicle file",
    });
  try {
    return readScenario(source, findVehicle(isPath(vehicle) ? resolve(dirname(name), vehicle) : vehicle));
  } catch (error) {
    // A wrong vehicle name is a mistake in the scenario: say where.
    if (error instanceof InputError && error.mistake.file === undefined)
      throw new InputError(error.message, {
        file: name,
        ...source.locate(["vehicle"]),
        field: "vehicle",
        value: vehicle,
      });
    throw error;
  }
}

export function defaultScenario(vehicle: Vehicle): Scenario {
  return readScenario(plainSource({ vehicle: vehicle.name }, vehicle.name), vehicle);
}

/** A number given on the command line, with or without unit. */
export function flagNumber(flag: string, text: string, field: Omit<Field, "name">): number {
  const full = { ...field, name: flag };
  const result = readNumber(text, full);
  if (typeof result === "number") return result;
  throw new InputError(result.problem, {
    field: flag,
    value: text,
    allowed: `${allowed(full)}; ${field.meaning}`,
  });
}
