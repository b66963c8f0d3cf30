/** In place of src/vehicle-types/list.ts: the list with one more type. */
import { VEHICLE_TYPES as SHIPPED } from "../../src/vehicle-types/list.ts";
import type { VehicleType } from "../../src/vehicles/vehicle-type.ts";
import { boatType } from "./boat-type.ts";

export const VEHICLE_TYPES: readonly VehicleType[] = [...SHIPPED, boatType];
