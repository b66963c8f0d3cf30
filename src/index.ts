/** Everything a program needs: `import { ... } from "sideslip"`. */

export { check as checkPhysics, type Finding } from "./analysis/check/check.ts";
export { defaultFlight, firstFlight } from "./analysis/default-flight.ts";
export { type Contribution, type Explanation, explain } from "./analysis/explain.ts";
export { FlightPlot } from "./analysis/flight-plot.ts";
export { type LinearModel, linearize } from "./analysis/linearize.ts";
export type { Mode } from "./analysis/modes.ts";
export { brakePolar, brakeTurns, type PolarRow, type TurnRow } from "./analysis/polar.ts";
export { constantsOf, type PropellerFacts, vehicleLines } from "./analysis/propeller-report.ts";
export { vehicleModes } from "./analysis/stability.ts";
export type { Condition } from "./analysis/trim.ts";
export { findTrim, type TrimResult } from "./analysis/trim-search.ts";
export { rowsOf, runBlock } from "./campaign/block.ts";
export {
  type Campaign,
  type CampaignSpec as CampaignWords,
  makeCampaign,
  openCampaign,
} from "./campaign/campaign.ts";
export { numbersOf } from "./campaign/numbers.ts";
export { type Summary, summarise } from "./campaign/summary.ts";
export { openTable } from "./campaign/table.ts";
export { type BatchOptions, runBatch } from "./compile/batch.ts";
export { LANES } from "./compile/kernel.ts";
export { derivativeCode, generatedDerivative, jacobianCode } from "./compile/print.ts";
export { Stepper } from "./compile/stepper.ts";
export { type TracedModel as Lifted, trace as lift } from "./compile/trace.ts";
export { UnsupportedSyntax as Refusal } from "./compile/unsupported-syntax.ts";
export { type JacobianOptions as ExactOptions, withJacobian as exact } from "./compile/with-jacobian.ts";
export { type Estimator, estimator } from "./control/estimator.ts";
export type { PilotCommand as Wish, PilotLine, Waypoint as Place } from "./control/pilot-command.ts";
export { type TimelineEntry, timeline } from "./control/timeline.ts";
export { type Air, standardAtmosphere } from "./environment/air.ts";
export { type Boundary, createBoundaries } from "./environment/boundaries.ts";
export * from "./environment/boundary-disturbance.ts";
export { drydenScales } from "./environment/dryden.ts";
export { fromGeodetic as fromPlace, normalGravity, toGeodetic as toPlace } from "./environment/earth.ts";
export { createEnvironment, type Environment, environmentLength } from "./environment/environment.ts";
export { AIR } from "./environment/fields.ts";
export { magneticField } from "./environment/geomagnetism.ts";
export { acceleration, autocross, skidpad } from "./environment/track/events.ts";
export { trackOf } from "./environment/track/from-files.ts";
export { type CenterLine, type Cone, centerLine, type Gate, type Track } from "./environment/track/track.ts";
export { createWind, type Wind, type WindSpecification } from "./environment/wind.ts";
export { csvHeader, csvRow } from "./formats/csv.ts";
export { type RosParameters, readRosParameters } from "./formats/ros-params.ts";
export { type Panel, type Series, svgCharts, svgPanel } from "./formats/svg-chart.ts";
export { readCenterLine, readCones } from "./formats/track-csv.ts";
export { readUiuc, readUiucName, type UiucFile } from "./formats/uiuc.ts";
export { type MeasuredPropeller, nearest, propellersOf, tableOf } from "./formats/uiuc-database.ts";
export { dopri5, type Tolerance } from "./integrators/dopri5.ts";
export { euler } from "./integrators/euler.ts";
export { createIntegrator, INTEGRATORS, type IntegratorName } from "./integrators/index.ts";
export type { Integrator, Rhs } from "./integrators/integrator.ts";
export { radau } from "./integrators/radau.ts";
export { rk4 } from "./integrators/rk4.ts";
export { semiImplicit } from "./integrators/semi-implicit.ts";
export * as elementary from "./math/elementary.ts";
export * as lu from "./math/lu.ts";
export * as quaternion from "./math/quaternion.ts";
export { type Stream, stream } from "./math/random.ts";
export * as vec3 from "./math/vec3.ts";
export { check, type Document, overlay, parseYaml, plainSource } from "./model/document.ts";
export { allowed, arrow, type Field, vector } from "./model/field.ts";
export { InputError, type InputErrorDetails as Mistake } from "./model/input-error.ts";
export type { InputSource as Source, Sensed } from "./model/input-source.ts";
export type { KeyAction, ManualControl as Hands, Stick } from "./model/manual-control.ts";
export { indexOf, type Model, type ModelEvent } from "./model/model.ts";
export type { Monitor as Watcher } from "./model/monitor.ts";
export { fromNames, makeParameters, pack, unpack } from "./model/parameters.ts";
export { type Dimension, parseQuantity, parseUnit, type Unit } from "./model/units.ts";
export {
  type Blade,
  bladeElement,
  bladeElementTable,
  bladeFrom,
  typicalBlade,
} from "./parts/blade-element.ts";
export {
  fullSpeed,
  gazeboConstants,
  scaledCrossFlow,
  staticCoefficients,
} from "./parts/propeller-constants.ts";
export { createSensors, type SensorsSpecification } from "./sensors/sensors.ts";
export type { Command as Order, Query as Question, SessionEvent as News } from "./session/protocol.ts";
export { Session as Deck } from "./session/session.ts";
export { createSimulation } from "./simulation/create.ts";
export { DivergenceError, RunError } from "./simulation/divergence.ts";
export type { RunEvent } from "./simulation/events.ts";
export type { Action as Deed, FlightLog } from "./simulation/flight/action.ts";
export { Flight } from "./simulation/flight/flight.ts";
export { lapTimes } from "./simulation/lap-timer.ts";
export { Pacer } from "./simulation/pacer.ts";
export type { SimulationParts } from "./simulation/parts.ts";
export { Recorder, type Sink } from "./simulation/recorder.ts";
export { rhsOf } from "./simulation/rhs.ts";
export { Run, type RunResult, run, type Warning } from "./simulation/run.ts";
export { readScenario, type Scenario, scenarioSchema } from "./simulation/scenario.ts";
export { Simulation } from "./simulation/simulation.ts";
export { type StateHash, stateHash } from "./simulation/state-hash.ts";
export { fixedWingPilot } from "./vehicle-types/aircraft/fixed-wing/pilot.ts";
export { allocation } from "./vehicle-types/aircraft/multirotor/allocation.ts";
export { type Loops, multirotorLoops, type Setpoint } from "./vehicle-types/aircraft/multirotor/loops.ts";
export { multirotorPilot } from "./vehicle-types/aircraft/multirotor/pilot.ts";
export { pilotFor } from "./vehicle-types/aircraft/pilot.ts";
export { vtolPilot } from "./vehicle-types/aircraft/vtol/pilot.ts";
export { type DriverSpecification, driver } from "./vehicle-types/car/driver/driver.ts";
export { envelope, steadyCircle, straightLine } from "./vehicle-types/car/handling.ts";
export { preset, presetNames, readVehicle, VEHICLE_TYPES } from "./vehicle-types/index.ts";
export { aircraft } from "./vehicles/aircraft/aircraft.ts";
export type { AircraftParameters } from "./vehicles/aircraft/parameters.ts";
export type { AircraftShape } from "./vehicles/aircraft/shape.ts";
export { car } from "./vehicles/car/car.ts";
export type { CarParameters } from "./vehicles/car/parameters.ts";
export { scaledCar } from "./vehicles/car/scaled.ts";
export { describeVehicle, type FieldDescription, type VehicleDescription } from "./vehicles/describe.ts";
export { parafoil } from "./vehicles/parafoil/parafoil.ts";
export type { ParafoilParameters } from "./vehicles/parafoil/parameters.ts";
export { RIGID_BODY } from "./vehicles/rigid-body.ts";
export type { Vehicle } from "./vehicles/vehicle.ts";
export { vehicleSchema } from "./vehicles/vehicle-file.ts";
export type { DefaultFlight, VehicleType } from "./vehicles/vehicle-type.ts";
export { VERSION } from "./version.ts";
