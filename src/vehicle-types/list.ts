import type { VehicleType } from "../vehicles/vehicle-type.ts";
import { aircraftType } from "./aircraft.ts";
import { carType } from "./car.ts";
import { parafoilType } from "./parafoil.ts";

/** The types of vehicles that ship: aircraft, car, parafoil. */
export const VEHICLE_TYPES: readonly VehicleType[] = [aircraftType, carType, parafoilType];
