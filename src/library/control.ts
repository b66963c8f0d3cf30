/** What decides the inputs of a vehicle: timelines, pilots, drivers, manual control. */
export { type Estimator, estimator } from "../control/estimator.ts";
export { directManualControl } from "../control/manual/direct.ts";
export type { PilotCommand, PilotLine, Waypoint } from "../control/pilot-command.ts";
export { type TimelineEntry, timeline } from "../control/timeline.ts";
export type { InputSource, Sensed } from "../model/input-source.ts";
export type { KeyAction, ManualControl, Stick } from "../model/manual-control.ts";
export { Pacer } from "../simulation/pacer.ts";
export { fixedWingPilot } from "../vehicle-types/aircraft/fixed-wing/pilot.ts";
export { allocation } from "../vehicle-types/aircraft/multirotor/allocation.ts";
export { type Loops, multirotorLoops, type Setpoint } from "../vehicle-types/aircraft/multirotor/loops.ts";
export { multirotorPilot } from "../vehicle-types/aircraft/multirotor/pilot.ts";
export { pilotFor } from "../vehicle-types/aircraft/pilot.ts";
export { vtolPilot } from "../vehicle-types/aircraft/vtol/pilot.ts";
export { type DriverSpecification, driver } from "../vehicle-types/car/driver/driver.ts";
