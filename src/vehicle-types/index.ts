/** The vehicle types of Sideslip, and vehicles of them. This list is the only one. */
import type { Document } from "../model/document.ts";
import type { InputError } from "../model/input-error.ts";
import type { Vehicle } from "../vehicles/vehicle.ts";
import * as files from "../vehicles/vehicle-file.ts";
import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { VEHICLE_TYPES } from "./list.ts";

export { VEHICLE_TYPES } from "./list.ts";

/**
 * Reads a vehicle file.
 *
 * @param document - the file, as `parseYaml` gives it
 * @param name - what listings and results call the vehicle
 * @param options - other types than those that ship, and how to open a file that this one `extends`
 * @throws InputError that names file, line, field, value and what is allowed
 */
export const readVehicle = (
  document: Document,
  name: string,
  {
    types = VEHICLE_TYPES,
    open,
  }: { readonly types?: readonly VehicleType[]; readonly open?: (name: string) => Document } = {},
): Vehicle => files.readVehicle(document, name, types, open);

/** Names of the vehicles that ship. */
export const presetNames = (): string[] => files.presetNames(VEHICLE_TYPES);

/** A vehicle that ships with Sideslip. Throws an InputError where there is none of this name. */
export const preset = (name: string): Vehicle => files.preset(name, VEHICLE_TYPES);

/** The error for an unknown vehicle name; `also` lists further allowed values. */
export const unknownVehicle = (name: string, also: string): InputError =>
  files.unknownVehicle(name, VEHICLE_TYPES, also);
