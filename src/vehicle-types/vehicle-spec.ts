/** A vehicle to be sent elsewhere: a preset by its name, any other by its spec. */

import { writtenVehicle } from "../formats/vehicle-yaml.ts";
import { plainSource } from "../model/document.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import { preset, presetNames, readVehicle } from "./index.ts";

/** A vehicle of a file: its spec, and its name. */
export interface VehicleSpec {
  readonly name: string;
  readonly words: Readonly<Record<string, unknown>>;
}

/** A file may have a preset's name and other numbers. */
export function vehicleSpec(vehicle: Vehicle): string | VehicleSpec {
  const { name } = vehicle;
  const words = writtenVehicle(vehicle);
  const isShipped =
    presetNames().includes(name) && JSON.stringify(writtenVehicle(preset(name))) === JSON.stringify(words);
  return isShipped ? name : { name, words: { ...words } };
}

export const vehicleNamed = (named: string | VehicleSpec): Vehicle =>
  typeof named === "string" ? preset(named) : readVehicle(plainSource(named.words, named.name), named.name);
