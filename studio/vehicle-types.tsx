/** Shape and instruments of each type of vehicle. This list is the only one. */
import type { AircraftParameters } from "../src/vehicles/aircraft/parameters.ts";
import type { CarParameters } from "../src/vehicles/car/parameters.ts";
import type { ParafoilParameters } from "../src/vehicles/parafoil/parameters.ts";
import { drivingInstruments } from "./instruments/driving.tsx";
import { flightInstruments } from "./instruments/flight.tsx";
import type { Instruments } from "./instruments/instruments.ts";
import { aircraftShape } from "./view/aircraft.ts";
import { carShape } from "./view/car.ts";
import { parafoilShape } from "./view/parafoil.ts";
import type { Shape } from "./view/shape.ts";

interface StudioType<P = unknown> {
  /** Made of its parameters. */
  shape(p: P): Shape;
  readonly instruments: Instruments;
}

const parafoil: StudioType<ParafoilParameters> = { shape: parafoilShape, instruments: flightInstruments };
const aircraft: StudioType<AircraftParameters> = { shape: aircraftShape, instruments: flightInstruments };
const car: StudioType<CarParameters> = { shape: carShape, instruments: drivingInstruments };

/** By the name of the type; one that is absent is shown as a box, with the instruments of flight or driving. */
export const STUDIO_TYPES: Readonly<Record<string, StudioType | undefined>> = { parafoil, aircraft, car };
