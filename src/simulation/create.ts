import { driver } from "../vehicle-types/car/driver/driver.ts";
import { estimator } from "../control/estimator.ts";
import { faulted } from "../control/faults.ts";
import type { InputSource } from "../model/input-source.ts";
import { pilotFor } from "../vehicle-types/aircraft/pilot.ts";
import { stickTimelineSource } from "../vehicle-types/aircraft/stick-timeline.ts";
import { timeline } from "../control/timeline.ts";
import { createBoundaries } from "../environment/boundaries.ts";
import { createEnvironment } from "../environment/environment.ts";
import { createWind, type Wind } from "../environment/wind.ts";
import { createIntegrator, type IntegratorName } from "../integrators/index.ts";
import { plainSource } from "../model/document.ts";
import { InputError } from "../model/input-error.ts";
import { makeParameters, pack } from "../model/parameters.ts";
import { createSensors, type Sensors } from "../sensors/sensors.ts";
import type { AircraftParameters } from "../vehicles/aircraft/parameters.ts";
import type { CarParameters } from "../vehicles/car/parameters.ts";
import { validateParameters } from "../vehicles/vehicle-file.ts";
import { faultMonitor } from "./fault-monitor.ts";
import { impactMonitor } from "../vehicle-types/aircraft/impact-monitor.ts";
import { lapTimer } from "./lap-timer.ts";
import { combineMonitors } from "../model/monitor.ts";
import type { Scenario } from "./scenario.ts";
import { Simulation } from "./simulation.ts";

/** How many time constants of a lag a step may span: beyond it the lag oscillates, and limits hide that it does. */
const LAGS_A_STEP: Partial<Record<IntegratorName, number>> = { euler: 1, "semi-implicit": 1, rk4: 2.5 };

/** Steps too long for a lag, which an explicit integrator would blow up. */
export function refuseLongSteps({ vehicle, integrator, dt, controlDt }: Scenario, p: unknown): void {
  const most = LAGS_A_STEP[integrator];
  if (most === undefined) return;
  const { model } = vehicle;
  const values = pack(model.parameters, p);
  const step = Math.min(dt, controlDt);
  const lags = model.parameters.flatMap((f, i) =>
    f.lag && values[i] > 0 ? [{ field: f.name, seconds: values[i] }] : [],
  );
  for (const { field, seconds } of [...lags, ...(model.timeConstants?.(p) ?? [])])
    if (step > most * seconds)
      throw new InputError(
        `steps of ${step} s are too long for ${field} = ${Number(seconds.toPrecision(3))} s with ${integrator}`,
        {
          field: "dt",
          value: step,
          allowed: `up to ${Number((most * seconds).toPrecision(3))} s, or the integrator ${model.stiff ? "radau-fixed" : "dopri5"}`,
        },
      );
}

/** The pilot or the timeline of the scenario. */
function sourceOf(
  {
    vehicle,
    inputs,
    interpolate,
    pilot,
    manual,
    navigation,
    controlDt,
    sensors,
    track,
    driver: command,
  }: Scenario,
  p: unknown,
  { fields }: Sensors,
) {
  if (command && track) return driver(vehicle.model, p as CarParameters, track, command, controlDt);
  if (manual) return stickTimelineSource(vehicle.model.inputs, p as AircraftParameters, manual);
  if (pilot.length === 0) return timeline(vehicle.model.inputs, inputs, interpolate);
  const parameters = p as AircraftParameters;
  const field = sensors.magnetometer?.field ?? [0, 0, 0];
  const eyes =
    navigation === "sensors"
      ? { estimator: estimator(fields, parameters.g, field, controlDt), fields }
      : undefined;
  return pilotFor(vehicle.model, parameters, pilot, controlDt, eyes);
}

/** A scenario made ready to run; a program may bring its own wind and its own source of inputs, or something around that. */
export function createSimulation(
  scenario: Scenario,
  own: { wind?: Wind; source?: InputSource; around?: (source: InputSource) => InputSource } = {},
): Simulation {
  const { vehicle, seed, controlDt } = scenario;
  const { around = (source) => source } = own;
  const { model } = vehicle;
  const values = pack(model.parameters, vehicle.parameters);
  model.parameters.forEach((f, i) => {
    values[i] = scenario.parameters[f.name] ?? values[i];
  });
  const wind = own.wind ?? createWind(scenario.wind, scenario.wind.seed ?? seed, controlDt);
  const slots = model.boundarySlots ?? 0;
  const boundaries = slots > 0 ? createBoundaries(scenario.boundaries, slots) : undefined;
  const parameters = makeParameters(model, values);
  validateParameters(model, parameters, plainSource({}, "this scenario"), "parameters");
  refuseLongSteps(scenario, parameters);
  const sensors = createSensors(model, scenario.sensors, {
    seed,
    interval: controlDt,
    parameters,
    home: scenario.home,
    boundaries: scenario.boundaries,
    faults: scenario.sensorFaults,
  });
  return new Simulation({
    vehicle: { ...vehicle, parameters },
    initial: scenario.initial,
    environment: createEnvironment(model.environment, model.states, wind, scenario.air, boundaries),
    inputs: faulted(
      around(own.source ?? sourceOf(scenario, parameters, sensors)),
      model.inputs,
      scenario.faults,
    ),
    sensors,
    monitor: combineMonitors([
      scenario.track && lapTimer(scenario.track, parameters as CarParameters, scenario.laps),
      slots > 0 && Object.keys((parameters as AircraftParameters).contacts ?? {}).length > 0
        ? impactMonitor(parameters as AircraftParameters, scenario.boundaries)
        : undefined,
      faultMonitor(scenario.faults, scenario.sensorFaults),
    ]),
    resets: scenario.resets,
    integrator: createIntegrator(scenario.integrator, model.states, scenario.tolerance),
    dt: scenario.dt,
    controlDt,
    identity: JSON.stringify([
      vehicle.name,
      scenario.integrator,
      scenario.tolerance,
      scenario.dt,
      controlDt,
      seed,
      scenario.wind,
      scenario.air,
      scenario.inputs,
      scenario.faults,
      scenario.sensorFaults,
      scenario.home,
      scenario.boundaries,
      scenario.pilot.map(({ t, command }) => [t, command]),
      scenario.manual,
      scenario.navigation,
      scenario.sensors,
      scenario.track && [scenario.track.name, scenario.track.line.length, scenario.track.cones.length],
      scenario.laps,
      scenario.driver,
      scenario.resets,
      ...(scenario.interpolate === "hold" ? [] : [scenario.interpolate]),
    ]),
  });
}
