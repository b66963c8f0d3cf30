import { plainSource } from "../model/document.ts";
import type { Vehicle } from "../model/model.ts";
import { preset, readVehicle } from "../vehicles/vehicle-file.ts";
import type { NamedWords } from "./protocol.ts";

/** A preset, or a vehicle of a file's words. */
export const vehicleNamed = (named: string | NamedWords): Vehicle =>
  typeof named === "string" ? preset(named) : readVehicle(plainSource(named.words, named.name), named.name);
