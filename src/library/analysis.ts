/** What a vehicle does before it flies: trim, linear models, modes, polars, envelopes, handling, the physics lint. */
export { check, type Finding } from "../analysis/check/check.ts";
export { defaultFlight, firstFlight } from "../analysis/default-flight.ts";
export { type Contribution, type Explanation, explain } from "../analysis/explain.ts";
export { FlightPlot } from "../analysis/flight-plot.ts";
export { type LinearModel, linearize } from "../analysis/linearize.ts";
export type { Mode } from "../analysis/modes.ts";
export { brakePolar, brakeTurns, type PolarRow, type TurnRow } from "../analysis/polar.ts";
export { constantsOf, type PropellerFacts, vehicleLines } from "../analysis/propeller-report.ts";
export { vehicleModes } from "../analysis/stability.ts";
export type { Condition } from "../analysis/trim.ts";
export { findTrim, type TrimResult } from "../analysis/trim-search.ts";
export { type AeroPolar, aeroPolar, hasLift } from "../vehicle-types/aircraft/aero-polar.ts";
export {
  type Stability,
  staticMargin,
  staticThrust,
  type Thrust,
} from "../vehicle-types/aircraft/airframe.ts";
export { asAircraft } from "../vehicle-types/aircraft.ts";
export { envelope, steadyCircle, straightLine } from "../vehicle-types/car/handling.ts";
export { asCar } from "../vehicle-types/car.ts";
export type { FieldDescription, VehicleDescription } from "../vehicles/describe.ts";
export type { DefaultFlight } from "../vehicles/vehicle-type.ts";
