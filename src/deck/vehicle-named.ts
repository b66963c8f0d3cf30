import { overlay, plainSource } from "../model/document.ts";
import type { Vehicle } from "../model/model.ts";
import { nested } from "../model/parameters.ts";
import type { Words } from "../simulation/flight/deeds.ts";
import { preset, readVehicle } from "../vehicles/vehicle-file.ts";
import type { NamedWords } from "./protocol.ts";

/** A preset, or a vehicle of a file's words. */
export const vehicleNamed = (named: string | NamedWords): Vehicle =>
  typeof named === "string" ? preset(named) : readVehicle(plainSource(named.words, named.name), named.name);

/** A scenario with other parameters: dotted names become blocks. */
export function changedWords(words: Words, parameters: Readonly<Record<string, number>>): Words {
  if (Object.keys(parameters).length === 0) return words;
  const block = nested(Object.entries(parameters));
  return overlay(plainSource(words, "flight"), plainSource({ parameters: block }, "changes")).value as Words;
}
