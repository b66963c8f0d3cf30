/**
 * Sideslip: fly a vehicle from a file, and ask for its trim, modes and forces.
 *
 * What a program starts with is here; the rest is in `sideslip/models`, `/analysis`, `/control`, `/campaign`, `/compile`, `/formats`,
 * `/bridges` and `/math`.
 *
 * @packageDocumentation
 */
export { check } from "./analysis/check/check.ts";
export { defaultFlight } from "./analysis/default-flight.ts";
export { explain } from "./analysis/explain.ts";
export { FlightPlot } from "./analysis/flight-plot.ts";
export { linearize } from "./analysis/linearize.ts";
export { vehicleModes } from "./analysis/stability.ts";
export { findTrim } from "./analysis/trim-search.ts";
export type { Wind } from "./environment/wind.ts";
export { rk4 } from "./integrators/rk4.ts";
export { plainSource } from "./model/document.ts";
export type { Field } from "./model/field.ts";
export { InputError } from "./model/input-error.ts";
export type { InputSource } from "./model/input-source.ts";
export type { Model } from "./model/model.ts";
export { parseYaml } from "./model/yaml.ts";
export { createSimulation } from "./simulation/create.ts";
export { RunError } from "./simulation/divergence.ts";
export { Recorder, type Sink } from "./simulation/recorder.ts";
export { type RunResult, run } from "./simulation/run.ts";
export { readScenario, type Scenario } from "./simulation/scenario.ts";
export type { Simulation } from "./simulation/simulation.ts";
export { preset, presetNames, readVehicle, VEHICLE_TYPES } from "./vehicle-types/index.ts";
export { describeVehicle } from "./vehicles/describe.ts";
export { type Vehicle, withParameters } from "./vehicles/vehicle.ts";
export { presetOf } from "./vehicles/vehicle-file.ts";
export type { VehicleType } from "./vehicles/vehicle-type.ts";
export { VERSION } from "./version.ts";
