/** The `driver` block of a scenario. */
import * as z from "zod";
import { quantity, strict } from "../../model/schema.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import { type DriverSpecification, defaultDriver } from "./driver/driver.ts";

const DRIVER = {
  grip: quantity({
    unit: "1",
    meaning: "part of the tyres' friction that is used",
    above: 0,
    max: 1,
  }).optional(),
  top_speed: quantity({ unit: "m/s", meaning: "never faster than this", above: 0, max: 150 }).optional(),
  torque_vectoring: quantity({
    unit: "N m s/rad",
    meaning: "torque between left and right per error of the yaw rate; 0 drives all wheels alike",
    min: 0,
    max: 1e5,
  }).optional(),
};
export const driverSchema = z
  .union([z.literal(true), strict(DRIVER)])
  .meta({ description: "a driver that follows the track; instead of inputs" });

export function readDriver(block: z.infer<typeof driverSchema>, p: CarParameters): DriverSpecification {
  const said = block === true ? {} : block;
  const usual = defaultDriver(p);
  return {
    grip: said.grip ?? usual.grip,
    topSpeed: said.top_speed ?? usual.topSpeed,
    torqueVectoring: said.torque_vectoring ?? usual.torqueVectoring,
  };
}
