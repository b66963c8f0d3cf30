import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { aircraftType } from "./aircraft.ts";
import { carType } from "./car.ts";
import { parafoilType } from "./parafoil.ts";

export const VEHICLE_TYPES: readonly VehicleType[] = [aircraftType, carType, parafoilType];
