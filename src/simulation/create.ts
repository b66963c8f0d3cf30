import { faulted } from "../control/faults.ts";
import { timeline } from "../control/timeline.ts";
import { createBoundaries } from "../environment/boundaries.ts";
import { createEnvironment } from "../environment/environment.ts";
import { createWind, type Wind } from "../environment/wind.ts";
import { createIntegrator, type IntegratorName } from "../integrators/index.ts";
import { InputError } from "../model/input-error.ts";
import type { InputSource } from "../model/input-source.ts";
import { combineMonitors } from "../model/monitor.ts";
import { pack } from "../model/parameters.ts";
import { createSensors, type Sensors } from "../sensors/sensors.ts";
import { faultMonitor } from "./fault-monitor.ts";
import { lapTimer } from "./lap-timer.ts";
import type { Scenario } from "./scenario.ts";
import type { Simulation } from "./simulation.ts";
import { SimulationCore } from "./simulation-core.ts";

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

/** What the scenario's blocks say decides the inputs, or its timeline. */
function sourceOf(scenario: Scenario, sensors: Sensors): InputSource {
  const { vehicle, blocks, track, controlDt, inputs, interpolate } = scenario;
  return (
    vehicle.type.inputSource?.(blocks, vehicle, {
      interval: controlDt,
      track,
      sensorFields: sensors.fields,
      magneticField: scenario.sensors.magnetometer?.field ?? [0, 0, 0],
    }) ?? timeline(vehicle.model.inputs, inputs, interpolate)
  );
}

/** Own wind, own source of inputs, or something around the scenario's. */
export interface OwnParts {
  readonly wind?: Wind;
  readonly source?: InputSource;
  readonly around?: (source: InputSource) => InputSource;
}

/**
 * A scenario made ready to run; a program may bring its own wind and its own source of inputs.
 *
 * @throws InputError where steps are too long, sensors lack what they measure, or the vehicle cannot start there
 */
export const createSimulation = (scenario: Scenario, own: OwnParts = {}): Simulation =>
  createCore(scenario, own);

/** The same, as the program itself needs it. */
export function createCore(scenario: Scenario, own: OwnParts = {}): SimulationCore {
  const { vehicle, seed, controlDt } = scenario;
  const { around = (source) => source } = own;
  const { model, type, parameters } = vehicle;
  const wind = own.wind ?? createWind(scenario.wind, scenario.wind.seed ?? seed, controlDt);
  const slots = model.boundarySlots ?? 0;
  const boundaries = slots > 0 ? createBoundaries(scenario.boundaries, slots) : undefined;
  const footprint = type.footprint?.(parameters);
  refuseLongSteps(scenario, parameters);
  const sensors = createSensors(model, scenario.sensors, {
    seed,
    interval: controlDt,
    parameters,
    home: scenario.home,
    boundaries: scenario.boundaries,
    faults: scenario.sensorFaults,
  });
  return new SimulationCore({
    vehicle,
    initial: scenario.initial,
    environment: createEnvironment(model.environment, model.states, wind, scenario.air, boundaries),
    inputs: faulted(around(own.source ?? sourceOf(scenario, sensors)), model.inputs, scenario.faults),
    sensors,
    monitor: combineMonitors([
      scenario.track && footprint && lapTimer(scenario.track, footprint, model.states, scenario.laps),
      type.monitor?.(vehicle, scenario.boundaries),
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
      type.scenarioBlocks?.identity(scenario.blocks),
      scenario.sensors,
      scenario.track && [scenario.track.name, scenario.track.line.length, scenario.track.cones.length],
      scenario.laps,
      scenario.resets,
      ...(scenario.interpolate === "hold" ? [] : [scenario.interpolate]),
    ]),
  });
}
