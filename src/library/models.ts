/** Plants and what a simulation of them is made of: models, parameters, environment, integrators, sensors, parts. */
export { type Air, standardAtmosphere } from "../environment/air.ts";
export { type Boundary, createBoundaries } from "../environment/boundaries.ts";
export * from "../environment/boundary-disturbance.ts";
export { drydenScales } from "../environment/dryden.ts";
export { fromGeodetic, normalGravity, toGeodetic } from "../environment/earth.ts";
export { createEnvironment, type Environment, environmentLength } from "../environment/environment.ts";
export { AIR } from "../environment/fields.ts";
export { magneticField } from "../environment/geomagnetism.ts";
export { acceleration, autocross, skidpad } from "../environment/track/events.ts";
export { trackOf } from "../environment/track/from-files.ts";
export { type CenterLine, type Cone, centerLine, type Gate, type Track } from "../environment/track/track.ts";
export { createWind, type WindSpecification } from "../environment/wind.ts";
export { dopri5, type Tolerance } from "../integrators/dopri5.ts";
export { euler } from "../integrators/euler.ts";
export { createIntegrator, INTEGRATORS, type IntegratorName } from "../integrators/index.ts";
export type { Integrator, Rhs } from "../integrators/integrator.ts";
export { radau } from "../integrators/radau.ts";
export { rk4 } from "../integrators/rk4.ts";
export { semiImplicit } from "../integrators/semi-implicit.ts";
export { allowed, arrow, vector } from "../model/field.ts";
export { indexOf, type ModelEvent } from "../model/model.ts";
export type { ModelChecks } from "../model/model-checks.ts";
export type { Monitor } from "../model/monitor.ts";
export { fromNames, makeParameters, pack, unpack } from "../model/parameters.ts";
export { type Dimension, parseQuantity, parseUnit, type Unit } from "../model/units.ts";
export {
  type Blade,
  bladeElement,
  bladeElementTable,
  bladeFrom,
  typicalBlade,
} from "../parts/blade-element.ts";
export {
  fullSpeed,
  gazeboConstants,
  scaledCrossFlow,
  staticCoefficients,
} from "../parts/propeller-constants.ts";
export { createSensors, type SensorsSpecification } from "../sensors/sensors.ts";
export { DivergenceError } from "../simulation/divergence.ts";
export type { RunEvent } from "../simulation/events.ts";
export { lapTimes } from "../simulation/lap-timer.ts";
export type { SimulationParts } from "../simulation/parts.ts";
export { rhsOf } from "../simulation/rhs.ts";
export { Run, type Warning } from "../simulation/run.ts";
export { scenarioSchema } from "../simulation/scenario.ts";
export { type StateHash, stateHash } from "../simulation/state-hash.ts";
export { aircraftType } from "../vehicle-types/aircraft.ts";
export { carType } from "../vehicle-types/car.ts";
export { parafoilType } from "../vehicle-types/parafoil.ts";
export { aircraft } from "../vehicles/aircraft/aircraft.ts";
export type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
export type { AircraftShape } from "../vehicles/aircraft/shape.ts";
export { car } from "../vehicles/car/car.ts";
export type { CarParameters } from "../vehicles/car/parameters.ts";
export { scaledCar } from "../vehicles/car/scaled.ts";
export { parafoil } from "../vehicles/parafoil/parafoil.ts";
export type { ParafoilParameters } from "../vehicles/parafoil/parameters.ts";
export { RIGID_BODY } from "../vehicles/rigid-body.ts";
export { vehicleSchema } from "../vehicles/vehicle-file.ts";
export type {
  Figures,
  Footprint,
  InputContext,
  Quantity,
  ScenarioBlocks,
  Spec,
  SweepAxes,
  Wording,
} from "../vehicles/vehicle-type.ts";
