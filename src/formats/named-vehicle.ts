/** A vehicle to be handed on: a preset by its name, any other by its words. */
import { plainSource } from "../model/document.ts";
import type { Vehicle } from "../model/model.ts";
import { preset, presetNames, readVehicle } from "../vehicles/vehicle-file.ts";
import { vehicleWords } from "./vehicle-yaml.ts";

/** A vehicle of a file: its words, and how to call it. */
export interface NamedWords {
  readonly name: string;
  readonly words: Readonly<Record<string, unknown>>;
}

/** A file may have a preset's name and other numbers. */
export function namedWords(vehicle: Vehicle): string | NamedWords {
  const { name } = vehicle;
  const words = vehicleWords(vehicle);
  const isShipped =
    presetNames().includes(name) && JSON.stringify(vehicleWords(preset(name))) === JSON.stringify(words);
  return isShipped ? name : { name, words: { ...words } };
}

export const vehicleNamed = (named: string | NamedWords): Vehicle =>
  typeof named === "string" ? preset(named) : readVehicle(plainSource(named.words, named.name), named.name);
