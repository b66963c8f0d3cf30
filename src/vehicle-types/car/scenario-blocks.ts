/** What scenarios of cars may hold: a driver, who follows the track. */
import type * as z from "zod";
import type { InputSource } from "../../model/input-source.ts";
import { needsTrack } from "../../simulation/scenario.ts";
import type { CarParameters } from "../../vehicles/car/parameters.ts";
import type { Vehicle } from "../../vehicles/vehicle.ts";
import type { InputContext, ScenarioBlocks } from "../../vehicles/vehicle-type.ts";
import { type DriverSpecification, driver } from "./driver/driver.ts";
import { driverSchema, readDriver } from "./driver-schema.ts";

export interface CarBlocks {
  readonly driver?: DriverSpecification;
}

interface Checked {
  readonly driver?: z.infer<typeof driverSchema>;
  readonly track?: unknown;
}

export const carBlocks: ScenarioBlocks<CarParameters, CarBlocks> = {
  schemas: { driver: driverSchema },
  deciding: ["driver"],
  read({ driver, track }: Checked, { parameters }, source) {
    if (driver === undefined) return {};
    if (track === undefined) throw needsTrack("driver", source);
    return { driver: readDriver(driver, parameters) };
  },
  identity: (blocks) => blocks,
  times: () => [],
};

export function carInputs(
  { driver: specification }: CarBlocks,
  { model, parameters }: Vehicle<CarParameters>,
  { interval, track }: InputContext,
): InputSource | undefined {
  return specification && track && driver(model, parameters, track, specification, interval);
}
